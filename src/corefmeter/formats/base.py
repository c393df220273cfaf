"""The declaration of a format: one value in its module, `FORMAT`.

It is all that the rest of the package knows about a format. The contract test `test_formats` checks
each format against it, those of other packages too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from corefmeter.corpus.model import Corpus, Document
from corefmeter.problems import CorefmeterError, DataError, Problem

if TYPE_CHECKING:
    from corefmeter.corpus.pairing import Pair
    from corefmeter.formats.source import Source


#: The documents of a file, and the warnings.
ReadResult: TypeAlias = tuple[list[Document], list[Problem]]


class Read(Protocol):
    """Reads a file of a format."""

    def __call__(
        self, source: Source, concatenate: bool = False, details: bool = False
    ) -> ReadResult:
        """Return the documents of a file and the warnings; DataError has all errors of the file.

        Parameters
        ----------
        source
            The file.
        concatenate
            Join documents of the same name instead of refusing them.
        details
            Each document also has its `details` and its `text`, as far as the format knows them;
            its entities are the same.
        """


class Claim(NamedTuple):
    """The evidence for a format in the first block of a file."""

    #: The share of the block that the format explains, from 0 to 1.
    coverage: float = 1.0
    #: What no file of the format contains, but this one does; None if there is nothing.
    contradiction: str | None = None

    def __bool__(self) -> bool:
        """Whether nothing contradicts the claim, and it explains more than half of the block."""
        return self.contradiction is None and self.coverage > 0.5


class Format(NamedTuple):
    """A format of files.

    Examples
    --------
    >>> from corefmeter.formats import format_named
    >>> e2e = format_named("e2e")
    >>> e2e.title, e2e.endings, e2e.units
    ('e2e-coref JSON lines', ('.jsonl', '.jsonlines'), ('tokens',))
    """

    #: As in ``--from`` and ``--to``.
    name: str
    #: As in lists of formats.
    title: str
    #: The claim on a file with this first block and this name; see `claim`.
    sniff: Callable[[bytes, str], Claim | bool | None]
    #: See `Read`.
    read: Read
    #: Writes a corpus; what cannot be written is returned. None if nothing does.
    write: Callable[[Corpus, IO[str]], list[Problem]] | None = None
    #: Where nothing writes it: why, and what to choose.
    unwritten: str = ""
    #: How names of such files end. One that is written to a folder gets the first.
    endings: tuple[str, ...] = ()
    #: What positions may count: ``tokens``, ``characters``, or ``names`` that are no positions.
    units: tuple[str, ...] = ("tokens",)
    #: Pairs of endings of files that are read together: ``(".ann", ".txt")`` means that ``a.ann``
    #: is read with ``a.txt``. ``*`` means any file in the same folder or in a folder below.
    beside: tuple[tuple[str, str], ...] = ()
    #: How a file is recognized, in one line for the documentation.
    evidence: str = ""
    #: Whether other files may look like this format, so that all other formats are asked before.
    guess: bool = False
    #: Hints for a file that no format recognizes: text that the file contains, and the hint.
    clues: tuple[tuple[bytes, str], ...] = ()
    #: The hint for a file without a mention.
    empty: str | None = None
    #: Whether an empty file is a response, one without mentions.
    may_be_empty: bool = False
    #: Whether the user can name the relations or attributes that are identity: `Source.identity`.
    identity: bool = False
    #: Names of text in `Document.attributes` by which ``--by`` can group documents.
    groups: tuple[str, ...] = ()
    #: Puts a response into the positions of its key, if these are not its own.
    align: Callable[[Corpus, Corpus], Corpus] | None = None
    #: Refuses a key and a response of this format that do not belong together.
    check: Callable[[list[Pair]], None] | None = None
    #: Reports what other programs refuse in a file that can be read here.
    elsewhere: Callable[[Source], list[Problem]] | None = None

    def claim(self, head: bytes, path: str) -> Claim | None:
        """Return the claim on a file; `sniff` may also answer yes or no."""
        claim = self.sniff(head, path)
        if isinstance(claim, bool):
            return Claim() if claim else None
        return claim


@contextmanager
def reader_errors(doing: str, path: str | None, source: Source | None = None) -> Iterator[None]:
    """Turn unexpected exceptions of a reader or writer into a DataError.

    Readers report known errors of files with codes of their own. Any other exception becomes
    ``not-understood``, with its place in the file and in the program, and with the exception as
    cause. Running out of memory becomes ``too-large``. `doing` is a text such as "reading conllu".

    Examples
    --------
    >>> with reader_errors("reading xyz", "a.xyz"):
    ...     raise IndexError("no third cell")
    Traceback (most recent call last):
    ...
    corefmeter.problems.DataError: a.xyz: error: reading xyz was stopped by IndexError, "no third \
cell" at <doctest corefmeter.formats.base.reader_errors[0]>:2 [not-understood]
      The file may be damaged there. Please report it: it should have its own message.
    """
    try:
        yield
    except (CorefmeterError, OSError):
        raise
    except MemoryError as error:
        reason, hint = f"{doing} needs more memory than is available", "Split the file."
        raise DataError(Problem("too-large", reason, "error", path, hint=hint)) from error
    except Exception as error:
        from traceback import walk_tb

        *_, (frame, number) = walk_tb(error.__traceback__)
        place = f"{os.path.basename(frame.f_code.co_filename)}:{number}"
        reason = f'{doing} was stopped by {type(error).__name__}, "{error}" at {place}'
        hint = "The file may be damaged there. Please report it: it should have its own message."
        line = source.line if source is not None else None
        problem = Problem("not-understood", reason, "error", path, line, hint=hint)
        raise DataError(problem) from error
