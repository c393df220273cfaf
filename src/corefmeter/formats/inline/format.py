"""The format `inline`: reading and writing (`inline`) and finding its words (`inline.align`)."""

from __future__ import annotations

from corefmeter.corpus.model import Corpus
from corefmeter.formats.base import Format
from corefmeter.formats.inline import NAME, read, sniff
from corefmeter.formats.inline.writing import TITLE, write


def align(key: Corpus, response: Corpus) -> Corpus:
    """Return a response in the positions of its key; see `corefmeter.formats.inline.align`."""
    from corefmeter.formats.inline.align import align_to_key

    return align_to_key(key, response)


FORMAT = Format(
    name=NAME,
    title=TITLE,
    sniff=sniff,
    evidence="most brackets and tags are marks of one style; not XML, a table or a log; all "
    "others are asked before",
    read=read,
    write=write,
    guess=True,
    align=align,
)
