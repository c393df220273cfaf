"""Documents and their entities, and what is done with them before matching."""

from corefmeter.corpus.model import Corpus, Document, Entities, Mention

__all__ = ["Corpus", "Document", "Entities", "Mention"]
