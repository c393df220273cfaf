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
    ) -> tuple[list[Document], list[Problem]]:
        """The documents of one file, and the warnings; DataError has all errors of the file.

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
    #: Which files are read together with one, by ending: ``(".ann", ".txt")`` means that the text
    #: of ``a.ann`` is ``a.txt``; ``*`` means any file beside it or in a folder below.
    beside: tuple[tuple[str, str], ...] = ()
    #: How a file is recognised, in one line for the documentation.
    evidence: str = ""
    #: Whether such a file may be mistaken, so that all formats that are sure are asked before.
    guess: bool = False
    #: What a file that nothing recognises lacks to be one: a sign that is in it, and the hint.
    clues: tuple[tuple[bytes, str], ...] = ()
    #: Where no mention is found: what may be wrong.
    empty: str | None = None
    #: Whether an empty file is a response, one without mentions.
    may_be_empty: bool = False
    #: Whether the user can name the relations or attributes that are identity: `Source.identity`.
    identity: bool = False
    #: Groups of documents that ``--by`` has, by the names of text in `Document.attributes`.
    groups: tuple[str, ...] = ()
    #: Puts a response into the positions of its key, if these are not its own.
    align: Callable[[Corpus, Corpus], Corpus] | None = None
    #: Refuses two sides of this format that do not go together.
    check: Callable[[list[Pair]], None] | None = None
    #: What other programs refuse of a file, though it is read here.
    elsewhere: Callable[[Source], list[Problem]] | None = None

    def claim(self, head: bytes, path: str) -> Claim | None:
        """Return the claim on a file; `sniff` may also answer yes or no.

        Examples
        --------
        >>> from corefmeter.formats import format_named
        >>> format_named("conll").claim(b"#begin document (a);", "a.conll")
        Claim(coverage=1.0, contradiction=None)
        """
        found = self.sniff(head, path)
        if isinstance(found, bool):
            return Claim() if found else None
        return found


@contextmanager
def reader_errors(doing: str, path: str | None, source: Source | None = None) -> Iterator[None]:
    """Turn unexpected exceptions of a reader or writer into a DataError.

    Readers report known errors of files with codes of their own. Any other exception becomes
    ``not-understood``, with its place in the file and in the program and the exception as cause;
    running out of memory becomes ``too-large``. `doing` is a text such as "reading conllu".

    Examples
    --------
    >>> with reader_errors("reading xyz", "a.xyz"):
    ...     raise IndexError("no third cell")
    Traceback (most recent call last):
    ...
    corefmeter.problems.DataError: a.xyz: error: reading xyz stopped by an IndexError, "no third \
cell" at <doctest corefmeter.formats.base.reader_errors[0]>:2 [not-understood]
      The file may be damaged there. Please report it: it should have its own message.
    """
    cause: Exception
    try:
        yield
    except (CorefmeterError, OSError):
        raise
    except MemoryError as error:
        reason = f"{doing} needs more memory than there is"
        problem, cause = Problem("too-large", reason, "error", path, hint="Split the file."), error
    except Exception as error:
        hint = "The file may be damaged there. Please report it: it should have its own message."
        reason = f"{doing} stopped by an {_raised(error)}"
        line = source.line if source is not None else None
        problem = Problem("not-understood", reason, "error", path, line, hint=hint)
        cause = error
    else:
        return
    raise DataError(problem) from cause


def _raised(error: Exception) -> str:
    """Return an exception, and the line of the program that raised it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    assert trace is not None
    file = os.path.basename(trace.tb_frame.f_code.co_filename)
    return f'{type(error).__name__}, "{error}" at {file}:{trace.tb_lineno}'
