"""Output of text and pictures: the only module that opens files to write to them.

A file that the run reads is never written to, by whatever path or link. A new file gets a temporary
name and is renamed when it is complete, so that an interrupted run leaves the old file or none.
A link that the user named is followed, as a shell does, and the user is told; a device is written
to. Files that the user did not name are written neither through a link nor to a device.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import IO, Any, NoReturn

from corefmeter.corpus.model import same_file_name
from corefmeter.formats.source import in_input, is_input
from corefmeter.problems import DataError, OptionError, Problem, output_is_input, unwritable


def check_outputs(
    named: Iterable[str | None], generated: Sequence[str] = (), force: bool = False
) -> None:
    """Refuse outputs that would destroy a file, before the first of them is written.

    Files that the user `named` replace older ones; None is standard output. Files that a command
    names itself, in a folder of the user, are `generated`: they replace ordinary files with `force`
    only, and are not written into a folder that the run reads as a whole.
    """
    paths = [*filter(None, named), *generated]
    _require_distinct(paths, generated)
    problems = [output_is_input(path) for path in paths if is_input(path)]
    if not problems and generated and in_input(generated[0]):
        reason = "is in a folder that this run reads, as the next one would read this file"
        hint = "Choose a folder outside the input; nothing was written."
        problems = [Problem("output-is-input", reason, "error", generated[0], hint=hint)]
    if not problems:
        problems = [_exists(path, special=True) for path in generated if _is_special(path)]
    if not problems and not force:
        problems = [_exists(path, special=False) for path in generated if os.path.lexists(path)]
    if problems:
        raise DataError(problems)


def _require_distinct(paths: Iterable[str], generated: Iterable[str]) -> None:
    """Refuse output paths that point to the same file.

    Generated paths must also differ by more than case or Unicode normalization.
    """
    first_paths: dict[str, str] = {}
    for path in paths:
        target = os.path.realpath(path)
        if target in first_paths:
            raise OptionError(f"two outputs would be written to one file, {first_paths[target]}")
        first_paths[target] = path
    folded: dict[str, str] = {}
    for path in generated:
        first = folded.setdefault(same_file_name(os.path.realpath(path)), path)
        if first != path:
            raise OptionError(f"{first} and {path} would be one file on some systems; rename one")


def refuse_to_replace(path: str, force: bool, is_edited: Callable[[bytes], bool]) -> None:
    """Refuse to replace a file without `force` if its content may have been edited.

    Devices are written to, and an empty file may be replaced.
    """
    check_outputs([path])
    if force or not os.path.isfile(path) or not os.path.getsize(path):
        return
    with suppress(OSError), open(path, "rb") as old:
        if not is_edited(old.read()):
            return
    reason = "already exists with other content"
    hint = "Name another file, or replace it with --force; nothing was written."
    raise DataError([Problem("file-exists", reason, "error", path=path, hint=hint)])


#: Links that outputs went through, and the files that they lead to.
_followed: dict[str, str] = {}


def links_followed() -> dict[str, str]:
    """Return the links that were followed since the last call, with their targets."""
    links = dict(_followed)
    _followed.clear()
    return links


def make_folder(folder: str) -> None:
    """Create a folder, and those above it, unless it exists."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from None


def remove(path: str) -> None:
    """Remove a generated output of an earlier run, if there is one.

    Call `check_outputs` first, which decides whether it may be replaced.
    """
    try:
        with suppress(FileNotFoundError):
            os.unlink(path)
    except OSError as error:
        raise unwritable(path, error) from None


@contextmanager
def open_output(output: str | None, binary: bool = False) -> Iterator[IO[Any]]:
    """Open a file or standard output; the file gets its name when it is complete.

    An old file keeps its permissions, a link leads to the new file (see `links_followed`), and
    anything but a regular file, such as ``/dev/stdout`` or a pipe, is written to directly.
    """
    if output is None:
        sys.stdout.flush()
        yield sys.stdout.buffer if binary else sys.stdout
        return
    check_outputs([output])
    try:
        with _open_writer(output, binary) as stream:
            yield stream
    except BrokenPipeError:
        raise  # the process that reads the output has ended
    except OSError as error:
        raise unwritable(output, error) from None


@contextmanager
def path_to(output: str) -> Iterator[str]:
    """Give a temporary path to write to; its file takes the place of the output at the end."""
    from tempfile import TemporaryDirectory

    check_outputs([output])
    with _signals_as_exceptions(), TemporaryDirectory() as folder:
        place = os.path.join(folder, "made")
        yield place
        with open(place, "rb") as made, open_output(output, binary=True) as stream:
            stream.write(made.read())


def _open_writer(path: str, binary: bool) -> AbstractContextManager[IO[Any]]:
    """Return a writer for a path that suits its file type."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        status = None
    if status is not None and (descriptor := _standard_descriptor(status)) is not None:
        # Opening the file of standard output again would truncate it.
        return _open_file(os.dup(descriptor), binary)
    if not os.path.basename(path) or (status is not None and not stat.S_ISREG(status.st_mode)):
        return _open_file(path, binary)
    return _open_replacement(path, status, binary)


def _open_file(file: str | int, binary: bool, opener: Any = None) -> IO[Any]:
    if binary:
        return open(file, "wb", opener=opener)
    # Lone surrogates, which JSON and file names can contain, are escaped.
    return open(file, "w", encoding="utf-8", errors="backslashreplace", newline="", opener=opener)


@contextmanager
def _open_replacement(path: str, old: os.stat_result | None, binary: bool) -> Iterator[IO[Any]]:
    """Open a temporary file that replaces the file at a path at the end; a link stays."""
    target = os.path.realpath(path)
    if old is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    # A file with a dot at its beginning is not read as part of a folder.
    temporary = os.path.join(os.path.dirname(target), f".{os.urandom(8).hex()}.tmp")
    mode = 0o666 if old is None else stat.S_IMODE(old.st_mode)

    def create(name: str, flags: int) -> int:
        return os.open(name, flags | os.O_EXCL, mode)

    try:
        with _signals_as_exceptions(), _open_file(temporary, binary, create) as stream:
            yield stream
        if old is not None:
            os.chmod(temporary, mode)
        os.replace(temporary, target)
        if os.path.islink(path):
            _followed[path] = target
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


@contextmanager
def _signals_as_exceptions() -> Iterator[None]:
    """Turn signals that end the process into SystemExit, so that temporary files are removed.

    Signals that the caller handles or ignores stay so. Only the main thread can do this.
    """
    import signal

    # Windows has the first only.
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    changed = []

    def raise_exit(number: int, _: object) -> NoReturn:
        raise SystemExit(128 + number)

    with suppress(ValueError):  # not the main thread
        for number in numbers:
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, raise_exit)
                changed.append(number)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


def _standard_descriptor(file: os.stat_result) -> int | None:
    """Return the descriptor of standard output or standard error, if a file is one of them."""
    for number in (1, 2):
        with suppress(OSError):
            if os.path.samestat(file, os.fstat(number)):
                return number
    return None


def _is_special(path: str) -> bool:
    """Return whether a path is a link, or exists and is no regular file."""
    return os.path.islink(path) or (os.path.lexists(path) and not os.path.isfile(path))


def _exists(path: str, special: bool) -> Problem:
    """Return the error for a generated output that exists; `special` for a link or no file."""
    reason = "already exists, and you did not name it"
    named, files = ("folder", "the files") if os.path.dirname(path) else ("file with -o", "it")
    hint = f"Name another {named}, or replace {files} with --force; nothing was written."
    if special:
        reason = "is a link or a special file, and you did not name it"
        hint = "Remove it or name another folder; nothing was written."
    return Problem("file-exists", reason, "error", path=path, hint=hint)
