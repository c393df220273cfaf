"""CONLLUA, the CoNLL-U Plus form of Universal Anaphora, versions 1.0 and 1.1.

``# global.columns`` names the columns, ``# newdoc id`` begins a document, token ids run through it.
The column IDENTITY holds brackets: ``(EntityID=1|MarkableID=m1|Min=2|SemType=dn`` opens a markable,
``)`` closes the one opened last; chunks stand side by side or are separated by ``@``. The same
MarkableID again is another piece of the same markable. Ids with a dot are empty nodes.

What is scored is identity: the entities of the column IDENTITY. All else is in `relations`:

- ``EntityID=4-Pseudo`` is non-referring, so no entity
- ``ElementOf=3,7`` (in IDENTITY, or in the column SPLIT) makes an entity a member of plural ones
- the column BRIDGING: ``(MarkableID=m2|Rel=poss|MentionAnchor=m1|EntityAnchor=1)``, where one of
  the anchors is enough
- the column DISCOURSE_DEIXIS, entities of their own

With details, each mention has the features of its markable.
``Min`` counts token ids from 1, both ends included; here tokens count from 0, spans are half-open.
"""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING

from corefmeter.corpus.model import Corpus, Document
from corefmeter.formats.base import Format
from corefmeter.problems import Problem

if TYPE_CHECKING:
    from corefmeter.formats.source import Source

_SNIFF = re.compile(rb"^#\s*global\.columns\s*=.*\bIDENTITY\b", re.MULTILINE | re.IGNORECASE)


def sniff(head: bytes, path: str = "") -> bool:
    """Return whether a line names a column IDENTITY."""
    return _SNIFF.search(head) is not None


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the documents of a file; see `corefmeter.wings.anaphora.formats.conllua_read`."""
    from corefmeter.wings.anaphora.formats import conllua_read

    return conllua_read.read(source, concatenate, details)


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus; see `corefmeter.wings.anaphora.formats.conllua_write`."""
    from corefmeter.wings.anaphora.formats import conllua_write

    return conllua_write.write(corpus, stream)


def _elsewhere(source: Source) -> list[Problem]:
    from corefmeter.formats import elsewhere

    return elsewhere.conllua(source)


FORMAT = Format(
    name="conllua",
    title="CONLLUA",
    sniff=sniff,
    evidence="a line `# global.columns =` names a column `IDENTITY`",
    read=read,
    write=write,
    endings=(".conllua",),
    elsewhere=_elsewhere,
)
