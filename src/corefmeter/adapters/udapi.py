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

    A document without a name in the mapping is named by its ``# newdoc id``.

    Parameters
    ----------
    documents
        A `udapi.core.document.Document`, a mapping from names to documents, or several documents.

    Raises
    ------
    DataError
        When the annotation is wrong, or a document occurs twice. Line numbers refer to CoNLL-U.
    """
    corpus = Corpus([])
    path = "<udapi>"
    for named in objects_by_name(documents, lambda value: hasattr(value, "to_conllu_string")):
        written = BytesIO(named.value.to_conllu_string().encode())
        with Source(path, raw=written) as source, reader_errors("reading conllu", path, source):
            read, problems = FORMAT.read(source, details=True)
        if len(read) == 1 and (read[0].numbered or not named.numbered):
            read[0].name, read[0].numbered = named.name, named.numbered
        corpus.documents += read
        corpus.problems += [p for p in problems if p.code != "unnamed-document"]
    warn_user(corpus.problems)
    return corpus
