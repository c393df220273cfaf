"""Checks of a corpus that reading does not make: of itself, and against the key that it answers."""

from __future__ import annotations

from corefmeter.corpus.align import first_difference
from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.pairing import Pair, pair_documents
from corefmeter.corpus.repeats import in_words, repeats
from corefmeter.corpus.words import first_difference as first_word_difference
from corefmeter.problems import DataError, Problem

#: What scoring decides by a policy, but no response should need.
_MISFITS = frozenset(("missing-document", "extra-document", "token-count"))


def check_repeats(corpus: Corpus) -> list[Problem]:
    """Return a warning for each mention that occurs more than once in a document."""
    return [
        _repeated(document, mention, names)
        for document in corpus
        for mention, names in repeats(document).items()
    ]


def _repeated(document: Document, mention: Mention, names: list[str]) -> Problem:
    shown = mention if document.text is None else document.text.string(mention)
    reason = f"the mention {shown!r} occurs {len(names)} times, in {in_words(names)}"
    hint = (
        "If the copies are a mistake, remove all but one. If two mentions may share a span, "
        "as in CorefUD, score with --repeated distinct."
    )
    problem = document.problem("repeated-mention", reason, hint=hint, count=len(names) - 1)
    return problem._replace(line=document.line_of(mention))


def check_against(corpus: Corpus, key: Corpus) -> list[Problem]:
    """Return inconsistencies between a response and its key, both read with details.

    Documents on one side only, other numbers of tokens and other words are errors here. Where
    words are not known on both sides, that is a warning. Where one side counts characters, the
    texts are compared without white space.
    """
    try:
        pairs, problems = pair_documents(key, corpus, "official")
    except DataError as error:
        return error.problems
    found = []
    different = set()  # lines of documents with other words, which say more than their number
    for pair in pairs:
        # A document without tokens is missing.
        difference = None if pair.response.tokens is None else _difference(pair)
        if difference is not None:
            found.append(difference)
            if difference.code != "no-words":
                different.add(pair.response.line)
    for problem in problems:
        if problem.code in _MISFITS:
            # What scoring does about it is irrelevant here.
            problem = problem._replace(severity="error", hint=None)
        if problem.code != "token-count" or problem.line not in different:
            found.append(problem)
    return found


def _difference(pair: Pair) -> Problem | None:
    """Return the first difference between the texts of two documents, if there is any."""
    key, response = pair
    if key.text is None or response.text is None:
        return pair.problem("no-words", "the words cannot be compared")
    if key.unit != response.unit:
        unlike = first_difference(key.text, response.text)
        if unlike is None:
            return None
        reason = f"the text differs from that of the key: {unlike}"
        return pair.problem("words-differ", reason, "error")
    different = first_word_difference(pair)
    if different is not None:
        return different
    columns = key.attributes.get("columns"), response.attributes.get("columns")
    if None not in columns and columns[0] != columns[1]:
        reason = f"the document has {columns[1]} columns, but {columns[0]} in the key"
        return pair.problem("bad-columns", reason)
    return None
