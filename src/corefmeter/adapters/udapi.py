"""Documents of udapi, as they would be written to CoNLL-U."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from corefmeter.adapters.made import objects_by_name
from corefmeter.calls import checked_call, warn_user
from corefmeter.corpus.model import Corpus
from corefmeter.formats.base import reader_errors
from corefmeter.formats.conllu import FORMAT
from corefmeter.formats.source import Source


@checked_call()
def from_udapi(documents: Any) -> Corpus:
    """Convert all CoNLL-U annotation: empty nodes, heads, split antecedents, bridging.

    Documents are called as their ``# newdoc id`` says, where none gives them a name.

    Parameters
    ----------
    documents
        A `udapi.core.document.Document`, a mapping from names to such, or several.

    Raises
    ------
    DataError
        When the annotation is wrong, or a document occurs twice; lines are those of CoNLL-U.
    """
    corpus = Corpus([])
    path = "<udapi>"
    for one in objects_by_name(documents, lambda given: hasattr(given, "to_conllu_string")):
        written = BytesIO(one.value.to_conllu_string().encode())
        with Source(path, raw=written) as source, reader_errors("reading conllu", path, source):
            found, problems = FORMAT.read(source, details=True)
        if len(found) == 1 and (found[0].numbered or not one.numbered):
            found[0].name, found[0].numbered = one.name, one.numbered
        corpus.documents += found
        corpus.problems += [p for p in problems if p.code != "unnamed-document"]
    warn_user(corpus.problems)
    return corpus
