"""Documents of udapi, as they would be written to CoNLL-U."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from corefmeter.corpus.model import Corpus, Document
from corefmeter.formats.conllu import FORMAT
from corefmeter.formats.source import Source


def from_udapi(documents: Any) -> Corpus:
    """All that CoNLL-U says: empty nodes, heads, split antecedents, bridging.

    Documents are called as their ``# newdoc id`` says.

    Parameters
    ----------
    documents
        A `udapi.core.document.Document`, or several.

    Raises
    ------
    DataError
        When the annotation is wrong, or a document occurs twice; lines are those of CoNLL-U.
    """
    found: list[Document] = []
    corpus = Corpus(found)
    for document in [documents] if hasattr(documents, "to_conllu_string") else documents:
        written = document.to_conllu_string().encode()
        with Source("<udapi>", raw=BytesIO(written)) as source:
            read, problems = FORMAT.read(source, details=True)
        found += read
        corpus.problems += problems
    return corpus
