"""Documents and their entities, and the steps before matching."""

from corefmeter.corpus.model import Corpus, Document, Entities, Mention

__all__ = ["Corpus", "Document", "Entities", "Mention"]
