"""Input files: plain or compressed files, standard input, directories, globs.

Files are read in blocks; compression is recognized by content. The SHA-256 of the stored bytes of a
file is computed while it is read. All input files are opened here, so that this module knows which
files a run must not write to.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any

from corefmeter.problems import DataError, OptionError, Problem, output_is_input

#: Bytes read at a time: large enough to cost few calls, small enough to stay in the cache.
BLOCK = 1 << 15

#: Bytes of the first block, from which the format is recognized.
HEAD = 1 << 16

#: A line longer than this is not a line of any format read here.
LONGEST_LINE = 1 << 26

#: The most characters of a file in a format that is not read line by line.
LONGEST_TEXT = 1 << 30

#: The most positions of a mention in a text that is not known.
LONGEST_MENTION = 1_000_000

UTF8_MARK = b"\xef\xbb\xbf"

#: How a block of code begins in Markdown.
_FENCES = (b"```", b"~~~")

#: How JSON begins, and how a line ends that holds a whole object.
_JSON = re.compile(rb"\s*(?:\[\s*)?\{")
_WHOLE = re.compile(rb"\}\s*[,\]]?\s*\Z")
JSON_KEY = re.compile(rb'(?<!\\)"([A-Za-z_]\w*)"\s*:')

_COMPRESSED = (".gz", ".xz", ".zst")

#: The first bytes of files that gzip, xz or zstd compressed.
_STREAMS = _GZIP, _XZ, _ZSTD = b"\x1f\x8b", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"

#: Common files that are no text: how they begin, what they are, and what to do.
_PACKED = (
    (b"BZh91AY&SY", "compressed by bzip2, which is not read", "Decompress it with bunzip2."),
    (b"PK\3\4", "a zip archive, or a document of an office program", "Unpack it with unzip."),
    (b"PK\5\6", "an empty zip archive", "Pack the files into it, and unpack it with unzip."),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "Unpack it with 7z x."),
    (b"Rar!\x1a\x07", "a RAR archive", "Unpack it with unrar x."),
    (b"\x04\x22\x4d\x18", "compressed by lz4, which is not read", "Decompress it with unlz4."),
    (b"\x1f\x9d", "compressed by compress, which is not read", "Decompress it with uncompress."),
    (b"\x5d\0\0", "compressed by lzma, which is not read", "Decompress it with unlzma."),
    # One layer of compression was removed before.
    *((begin, "compressed twice", "Decompress it once.") for begin in _STREAMS),
)

#: Denotes standard input among the inputs; it can be read only once.
_STANDARD_INPUT = (-1, -1)

#: Device and number of each file that a run reads: the same by any path or link. None outside of
#: runs, since in Python a file that was read may be written to.
_inputs: set[tuple[int, int]] | None = None

#: The callback of `recording_inputs`, if any.
_progress: Callable[[int, int], None] | None = None


@contextmanager
def recording_inputs(progress: Callable[[int, int], None] | None = None) -> Iterator[None]:
    """Record within a run of a command the files and folders that it reads, for `is_input`.

    `progress` is called after each of several files with the numbers of read and of all files.
    """
    global _inputs, _progress
    before = _inputs, _progress
    _inputs, _progress = set(), progress
    try:
        yield
    finally:
        _inputs, _progress = before


def one_by_one(files: Sequence[str]) -> Iterator[str]:
    """Yield files, and report the progress after each."""
    for number, file in enumerate(files, 1):
        yield file
        if _progress is not None and len(files) > 1:
            _progress(number, len(files))


def is_input(path: str) -> bool:
    """Return whether the run reads the file at a path, or the folder as a whole."""
    try:
        status = os.stat(path)
    except OSError:
        return False
    return (status.st_dev, status.st_ino) in (_inputs or ())


def in_input(path: str) -> bool:
    """Return whether a path is in a folder that the run reads as a whole, or below one."""
    folder = os.path.dirname(os.path.realpath(path))
    while not (os.path.isdir(folder) and is_input(folder)):
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return True


def record_input(path: str, descriptor: int | None = None) -> None:
    """Record an input; devices and pipes are not recorded, since writing to them destroys nothing.

    Raises
    ------
    DataError
        ``output-is-input`` when standard output goes to the file.
    """
    if _inputs is None:
        return
    try:
        status = os.stat(path if descriptor is None else descriptor)
    except OSError:
        return  # the reader reports why that is impossible
    if stat.S_ISREG(status.st_mode):
        _inputs.add((status.st_dev, status.st_ino))
        with suppress(OSError):  # standard output may be closed
            if os.path.samestat(status, os.fstat(1)):
                raise DataError(output_is_input(path))


def open_input(path: str) -> IO[bytes]:
    """Return a file to read, which is an input of the run from now on.

    Raises
    ------
    OSError
        When it cannot be opened.
    """
    record_input(path)
    return open(path, "rb", buffering=0)


def table_lines(path: str) -> list[str]:
    """Return the lines of a table that an option names.

    Raises
    ------
    DataError
        When it cannot be read, or is not UTF-8.
    """
    try:
        with open_input(path) as stream:
            return decode_utf8(stream.read(), path).removeprefix("\ufeff").splitlines()
    except OSError as error:
        raise DataError(_unreadable(path, error)) from None


def decode_utf8(data: bytes, path: str) -> str:
    """Decode the whole of a file; raise DataError with the line of the first wrong byte."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        reason, line = f"not UTF-8: {error.reason}", data.count(b"\n", 0, error.start) + 1
        hint = "Save the file as UTF-8."
        raise DataError(Problem("not-text", reason, "error", path, line, hint=hint)) from None


def require_short(size: int, path: str) -> None:
    """Refuse a text of so many characters where the whole of it must be in memory.

    Raises
    ------
    DataError
        ``too-large`` for more than `LONGEST_TEXT`.
    """
    if size > LONGEST_TEXT:
        reason = f"more than {LONGEST_TEXT:,} characters, in a format whose files are read whole"
        hint = "Split the file, or convert it to a line-based format such as conll."
        raise DataError(Problem("too-large", reason, "error", path, hint=hint))


def uncompressed(name: str) -> str:
    """Return the name that a compressed file would have without compression.

    Examples
    --------
    >>> uncompressed("a.sgm.gz"), uncompressed("a.sgm"), uncompressed("A.SGM.GZ")
    ('a.sgm', 'a.sgm', 'A.SGM')
    """
    for ending in _COMPRESSED:
        if name.lower().endswith(ending):
            name = name[: -len(ending)]
    return name


def is_compressed(data: bytes) -> bool:
    """Return whether bytes begin like a compressed file that can be read."""
    return data.startswith(_STREAMS)


def stem(path: str) -> str:
    """Return the name of a document that is named after its file.

    Examples
    --------
    >>> stem("corpus/GUM_news_nasa.webannotsv.gz"), stem("a.b.ann"), stem("-")
    ('GUM_news_nasa', 'a.b', 'document')
    """
    name = uncompressed(os.path.basename(path))
    return "document" if name == "-" else os.path.splitext(name)[0] or name


class _Stored(io.RawIOBase):
    """A stream of the stored bytes of a file, which are hashed while they are read."""

    def __init__(self, raw: IO[bytes]) -> None:
        self.raw = raw
        self.digest = hashlib.sha256()
        self.waiting = b""  # read and hashed already, to be given out first

    def fetch(self, size: int) -> bytes:
        """Return the next bytes, at most so many; none at the end."""
        data = self.raw.read(size)
        self.digest.update(data)
        return data

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer for a decompressor, as far as bytes are available; return their number."""
        data = self.waiting or self.fetch(len(buffer))
        self.waiting = data[len(buffer) :]
        count = min(len(data), len(buffer))
        buffer[:count] = data[:count]
        return count


class _Xz:
    """A stream of concatenated xz streams; `lzma.LZMAFile` would stop silently at a damaged one."""

    def __init__(self, stored: _Stored) -> None:
        from lzma import LZMADecompressor

        self.stream = LZMADecompressor
        self.stored = stored
        self.decompressor = LZMADecompressor()

    def read(self, size: int) -> bytes:
        """Return the next bytes, at most so many; none at the end."""
        while True:
            data = b""
            if self.decompressor.eof:
                data = self.decompressor.unused_data.lstrip(b"\0")  # padding
                while not data and (block := self.stored.read(BLOCK)):
                    data = block.lstrip(b"\0")
                if not data:
                    return b""
                self.decompressor = self.stream()
            elif self.decompressor.needs_input:
                data = self.stored.read(BLOCK) or b""
                if not data:
                    raise EOFError("the file ends before the compressed stream does")
            if decompressed := self.decompressor.decompress(data, size):
                return decompressed


class Source:
    """The bytes of one file, after decompression; a context manager that closes it.

    Parameters
    ----------
    path
        The file, or ``-`` for standard input.
    side
        What the file is read as, ``key`` or ``response``, for formats that hold both.
    identity
        Names of relations or attributes that mean identity, joined by ``+``; None for the usual.
    raw
        The bytes, where they are in no file; `path` is what messages call them.

    Raises
    ------
    DataError
        ``unreadable`` when it cannot be opened; ``truncated`` when decompression fails;
        ``not-text`` for an archive.
    OptionError
        When a run reads standard input a second time.
    """

    def __init__(
        self,
        path: str,
        side: str = "key",
        identity: str | None = None,
        raw: IO[bytes] | None = None,
    ) -> None:
        self.path = path
        self.side = side
        #: In lower case; none where the names that a format knows are meant.
        self.identity = frozenset(re.split("[+,]", identity.lower()) if identity else ())
        #: The number of the line that is being read, where a reader goes by numbered lines.
        self.line: int | None = None
        self._raw = _open_stream(path) if raw is None else raw
        self._stored = _Stored(self._raw)
        self._stream: Any = None
        try:
            head = self._first(HEAD)
            opener = self._decompressor(head)
            if opener is not None:
                self._stored.waiting = head
                self._stream = opener(self._stored)
                head = self._first(HEAD)
            self._require_text(head)
        except BaseException:
            self.close()
            raise
        self._start = head.removeprefix(UTF8_MARK)
        if self._start.lstrip().startswith(_FENCES):
            self._start = self._without_fence()
        #: The first bytes, for recognising the format, with all keys of a longer JSON object.
        self.head = self._start
        if _JSON.match(self._start):
            self.head += self._later_keys()

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def repeatable(self) -> bool:
        """Whether another source of the same path has the same bytes: it is a regular file."""
        try:
            return stat.S_ISREG(os.fstat(self._raw.fileno()).st_mode) and self.path != "-"
        except OSError:
            return False

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self.path != "-":
            self._raw.close()

    def blocks(self) -> Iterator[bytes]:
        """Yield blocks of whole lines; the last line gets a newline if it has none.

        Raises
        ------
        DataError
            ``not-text``, after the lines before the one with a NUL byte or that never ends;
            ``truncated`` or ``unreadable``, after the lines that could be read.
        """
        tail: list[bytes] = []  # the beginning of a line whose end is not read yet
        tail_size = 0
        block = self._start
        while block:
            text, nul_byte, _ = block.partition(b"\0") if b"\0" in block else (block, b"", b"")
            end = text.rfind(b"\n") + 1
            if end:
                tail.append(text[:end] if end < len(text) else text)
                yield b"".join(tail) if len(tail) > 1 else tail[0]
                tail = [text[end:]] if end < len(text) else []
                tail_size = len(text) - end
            else:
                tail.append(text)
                tail_size += len(text)
            if nul_byte:
                raise DataError(self._not_text("a NUL byte, so not a text file"))
            if tail_size > LONGEST_LINE:
                raise DataError(self._not_text(f"a line longer than {LONGEST_LINE >> 20} MiB"))
            block = self._next(BLOCK)
        if tail:
            yield b"".join(tail) + b"\n"

    def whole(self) -> bytes:
        """Return all blocks joined.

        Raises
        ------
        DataError
            As `blocks` and `require_short`.
        """
        data = bytearray()
        for block in self.blocks():
            data += block
            require_short(len(data), self.path)
        return bytes(data)

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes read so far, in hexadecimal."""
        return self._stored.digest.hexdigest()

    def _first(self, size: int) -> bytes:
        """Return the first bytes, also from a pipe that gives them in small portions."""
        head = b""
        while len(head) < size and (more := self._next(size - len(head))):
            head += more
        return head

    def read_ahead(self, limit: int) -> bool:
        """Read the file to its end if it has fewer bytes than a limit; return whether it has.

        `blocks` can then be called several times.
        """
        parts = [self._start]
        size = len(self._start)
        while size < limit and (block := self._next(HEAD)):
            parts.append(block)
            size += len(block)
        self._start = b"".join(parts)
        return size < limit

    def _without_fence(self) -> bytes:
        """Return the bytes read so far, without the fence if the file is one block of code.

        Language models answer with such blocks. The lines keep their numbers.
        """
        self.read_ahead(LONGEST_LINE)
        first, _, rest = self._start.lstrip().partition(b"\n")
        fence = first[: len(first) - len(first.lstrip(first[:1]))]
        inner, newline, last = (b"\n" + rest.rstrip()).rpartition(b"\n")
        within = [line for line in inner.split(b"\n") if line.lstrip().startswith(fence)]
        if last.strip() != fence or within or fence[:1] in first[len(fence) :]:
            return self._start
        above = self._start[: len(self._start) - len(self._start.lstrip())].count(b"\n")
        return b"\n" * above + inner + newline

    def _later_keys(self) -> bytes:
        """Read the rest of the first JSON object, and return its keys behind the first block.

        An object ends with its line or, if the line does not end like an object, with the file.
        """
        line, newline, _ = self._start.lstrip(b"[ \t\r\n").partition(b"\n")
        blocks = [self._start]
        size = len(self._start)
        while not (newline and _WHOLE.search(line)) and size < LONGEST_LINE:
            block = self._next(BLOCK)
            if not block:
                break
            blocks.append(block)
            size += len(block)
            if not newline:
                rest, newline, _ = block.partition(b"\n")
                line = line[-BLOCK:] + rest
        self._start = b"".join(blocks)
        keys = JSON_KEY.findall(self._start, max(0, len(blocks[0]) - BLOCK)) if blocks[1:] else []
        return b"".join(b' "%s":' % key for key in dict.fromkeys(keys))

    def _next(self, size: int) -> bytes:
        """Return the next decompressed bytes, at most so many; none at the end."""
        try:
            if self._stream is None:
                return self._stored.fetch(size)
            data: bytes = self._stream.read(size)
        except Exception as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise DataError(_unreadable(self.path, error)) from None
            # gzip, lzma and zstd each raise exceptions of their own for damaged data.
            reason = f"cannot be decompressed: {error}"
            hint = "The file is damaged or was not copied completely."
            raise DataError(Problem("truncated", reason, "error", self.path, hint=hint)) from None
        return data

    def _require_text(self, head: bytes) -> None:
        """Refuse archives, also compressed ones, with what to do."""
        packed = (*_PACKED, (head[:257] + b"ustar", "a tar archive", "Unpack it with tar -xf."))
        for begin, reason, hint in packed:
            if head.startswith(begin):
                raise DataError(self._not_text(reason, hint))

    def _decompressor(self, head: bytes) -> Any:
        """Return the decompressor for these first bytes, or None if they are not compressed."""
        if head.startswith(_GZIP):
            import gzip

            return lambda stream: gzip.GzipFile(fileobj=stream, mode="rb")
        if head.startswith(_XZ):
            return _Xz
        if head.startswith(_ZSTD):
            try:
                if sys.version_info >= (3, 14):
                    from compression import zstd
                else:
                    from backports import zstd
            except ImportError:
                reason = "compressed by zstd, which this Python cannot read"
                hint = "Decompress it with unzstd, or compress it with gzip."
                raise DataError(self._not_text(reason, hint)) from None
            return zstd.ZstdFile
        return None

    def _not_text(self, reason: str, hint: str | None = None) -> Problem:
        return Problem("not-text", reason, "error", path=self.path, hint=hint)


def _open_stream(path: str) -> IO[bytes]:
    """Open a file or standard input, and record it as an input of the run."""
    if path == "-" and _inputs is not None:
        if _STANDARD_INPUT in _inputs:
            raise OptionError("only one of the files can be standard input")
        _inputs.add(_STANDARD_INPUT)
    if path == "-" and (sys.stdin is None or sys.stdin.closed):
        reason, hint = "standard input is closed", "Name a file, or redirect one to standard input."
        raise DataError(Problem("unreadable", reason, "error", path=path, hint=hint))
    try:
        if path == "-":
            with suppress(OSError):  # a stream that is no file has no descriptor
                record_input(path, sys.stdin.fileno())
            return sys.stdin.buffer
        return open_input(path)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL byte
        raise DataError(_unreadable(path, error)) from None


def _unreadable(path: str, error: Exception) -> Problem:
    reason = getattr(error, "strerror", None) or str(error)
    hint = "Check the path and its permissions."
    return Problem("unreadable", f"cannot be read: {reason}", "error", path=path, hint=hint)


def expand(path: str) -> list[str]:
    """Return the files that a path denotes: a file, the files of a directory, or those of a glob.

    All of them are inputs of the run, also those that no reader opens. In a directory, files and
    folders whose names begin with a dot are ignored.

    Raises
    ------
    DataError
        ``unreadable`` when there is none, or a folder cannot be listed.
    """
    files = _files_of(path)
    for file in files:
        record_input(file)
    if _inputs is not None and os.path.isdir(path):
        status = os.stat(path)
        _inputs.add((status.st_dev, status.st_ino))
    return files


def _files_of(path: str) -> list[str]:
    """Return the files that a path denotes, without recording them."""
    if path != "-" and os.path.isdir(path):
        files, reason = _files_below(path), "the directory has no files"
    elif path != "-" and not os.path.lexists(path) and any(sign in path for sign in "*?["):
        import glob

        files = sorted(filter(os.path.isfile, glob.glob(path, recursive=True)))
        reason = "no file matches the pattern"
    else:
        return [path]
    if not files:
        raise DataError(Problem("unreadable", reason, "error", path=path))
    return files


def _files_below(path: str) -> list[str]:
    """Return the files of a directory and of those below it, sorted."""
    files = []
    denied: list[OSError] = []
    for folder, folders, names in os.walk(path, onerror=denied.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [os.path.join(folder, name) for name in names if not name.startswith(".")]
    if denied:
        raise DataError([_unreadable(str(error.filename), error) for error in denied])
    return sorted(filter(_is_file, files))


def _is_file(path: str) -> bool:
    """Return whether a path in a directory is a file; a broken link counts as an unreadable one."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return True
