"""Where bytes come from: files, compressed files, standard input, directories, globs.

Files are read in blocks; compression is recognised by content. The SHA-256 of a file is taken on
the way, of the bytes as they are stored.
"""

from __future__ import annotations

import glob
import hashlib
import os
import sys
from collections.abc import Iterator
from typing import IO, Any

from corefmeter.problems import DataError, Problem

__all__ = ["BLOCK", "Source", "expand"]

#: Bytes read at a time: large enough to cost few calls, small enough to stay in the cache.
BLOCK = 1 << 18

#: A line longer than this is not a line of any format read here.
LONGEST_LINE = 1 << 26

_UTF8_MARK = b"\xef\xbb\xbf"


class _Hashed:
    """A binary stream that hashes what is read from it."""

    def __init__(self, raw: IO[bytes]) -> None:
        self.raw = raw
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        data = self.raw.read(size)
        self.digest.update(data)
        return data

    def seekable(self) -> bool:
        return False


class Source:
    """The bytes of one file, after decompression.

    Parameters
    ----------
    path
        The file, or ``-`` for standard input.

    Raises
    ------
    DataError
        ``unreadable`` when it cannot be opened; ``truncated`` when decompression fails;
        ``not-text`` for bytes that are no text.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            raw = sys.stdin.buffer if path == "-" else open(path, "rb", buffering=0)  # noqa: SIM115
            self._hashed = _Hashed(raw)
            head = self._hashed.read(BLOCK)
            while len(head) < 6 and (more := self._hashed.read(BLOCK)):
                head += more
        except OSError as error:
            raise DataError(
                Problem("unreadable", f"cannot be read: {error.strerror or error}", "error",
                        path=path, hint="Check the path and its permissions.")
            ) from None  # fmt: skip
        self._raw = raw
        self._stream: Any = self._hashed
        opener = _decompressor(head)
        if opener is not None:
            self._stream = opener(_Rewound(head, self._hashed))
            head = self._decompressed()
        if head.startswith(_UTF8_MARK):
            head = head[3:]
        if b"\0" in head:
            hint = None
            if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
                hint = "It looks like UTF-16; save it as UTF-8."
            raise DataError(Problem("not-text", "not a text file", "error", path=path, hint=hint))
        #: The first block, for recognising the format.
        self.head = head

    def blocks(self) -> Iterator[bytes]:
        """Blocks of whole lines; the last line gets a newline if it has none."""
        tail: list[bytes] = []
        waiting = 0
        block = self.head
        while block:
            end = block.rfind(b"\n") + 1
            if end:
                tail.append(block[:end] if end < len(block) else block)
                yield b"".join(tail) if len(tail) > 1 else tail[0]
                tail = [block[end:]] if end < len(block) else []
                waiting = len(block) - end
            else:
                tail.append(block)
                waiting += len(block)
                if waiting > LONGEST_LINE:
                    raise DataError(
                        Problem("not-text", f"a line is longer than {LONGEST_LINE >> 20} MiB",
                                "error", path=self.path)
                    )  # fmt: skip
            block = self._decompressed()
        if tail:
            yield b"".join(tail) + b"\n"
        if self._raw is not sys.stdin.buffer:
            self._raw.close()

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes read so far, in hexadecimal."""
        return self._hashed.digest.hexdigest()

    def _decompressed(self) -> bytes:
        try:
            data: bytes = self._stream.read(BLOCK)
        except Exception as error:
            # gzip, lzma and zstd each raise exceptions of their own for damaged data.
            raise DataError(
                Problem("truncated", f"cannot be decompressed: {error}", "error", path=self.path,
                        hint="The file is damaged or was not copied to its end.")
            ) from None  # fmt: skip
        return data


class _Rewound:
    """A stream whose first bytes were read already."""

    def __init__(self, head: bytes, rest: _Hashed) -> None:
        self.head = head
        self.rest = rest

    def read(self, size: int = -1) -> bytes:
        if not self.head:
            return self.rest.read(size)
        size = len(self.head) if size < 0 else size
        data, self.head = self.head[:size], self.head[size:]
        return data

    def seekable(self) -> bool:
        return False

    def readable(self) -> bool:
        return True

    @property
    def closed(self) -> bool:
        return False


def _decompressor(head: bytes) -> Any:
    """What opens a stream that begins like this, or None when it is not compressed."""
    if head.startswith(b"\x1f\x8b"):
        import gzip

        return lambda stream: gzip.GzipFile(fileobj=stream, mode="rb")
    if head.startswith(b"\xfd7zXZ\0"):
        import lzma

        return lzma.LZMAFile
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
        return zstd.ZstdFile
    return None


def expand(path: str) -> list[str]:
    """The files that a path means: itself, the files of a directory, or those of a glob.

    Raises
    ------
    DataError
        ``unreadable`` when there is none.
    """
    if path == "-":
        return [path]
    if os.path.isdir(path):
        files = sorted(
            os.path.join(folder, name)
            for folder, _, names in os.walk(path)
            for name in names
            if not name.startswith(".")
        )
        if not files:
            raise DataError(
                Problem("unreadable", "the directory holds no files", "error", path=path)
            )
        return files
    if not os.path.exists(path) and glob.has_magic(path):
        files = sorted(name for name in glob.glob(path, recursive=True) if os.path.isfile(name))
        if not files:
            raise DataError(Problem("unreadable", "no file matches the pattern", "error", path=path))
        return files
    return [path]
