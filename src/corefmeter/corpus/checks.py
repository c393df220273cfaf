"""Checks of a corpus that reading does not make: of itself, its words, and against its key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from os.path import relpath

from corefmeter.corpus.align import first_difference
from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.pairing import Pair, pair_documents
from corefmeter.corpus.repeats import describe_entities, repeats
from corefmeter.corpus.text import common_prefix
from corefmeter.problems import DataError, Problem, amount

#: Problems that scoring solves by a policy, but that no response should have.
_MISFITS = frozenset(("missing-document", "extra-document", "token-count"))


def check_repeats(corpus: Corpus) -> list[Problem]:
    """Return a warning for each mention that occurs more than once in a document."""
    return [
        _repeated_problem(document, mention, names)
        for document in corpus
        for mention, names in repeats(document).items()
    ]


def _repeated_problem(document: Document, mention: Mention, names: list[str]) -> Problem:
    shown = mention if document.text is None else document.text.string(mention)
    reason = f"the mention {shown!r} occurs {len(names)} times, in {describe_entities(names)}"
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
    reported = []
    with_differences = set()
    for pair in pairs:
        # A document without tokens is missing.
        difference = None if pair.response.tokens is None else _difference(pair)
        if difference is not None:
            reported.append(difference)
            if difference.code != "no-words":
                with_differences.add(pair.label)
    missing = [problem for problem in problems if problem.code == "missing-document"]
    if len(missing) > 1:
        labels = {problem.document for problem in missing}
        reported.append(_missing_documents(pairs, labels, corpus, key))
        problems = [problem for problem in problems if problem not in missing]
    for problem in problems:
        if problem.code in _MISFITS:
            # The hint is about scoring, which does not happen here.
            problem = problem._replace(severity="error", hint=None)
        # A different word says more than a different number of tokens.
        if problem.code != "token-count" or problem.document not in with_differences:
            reported.append(problem)
    return reported


def _missing_documents(
    pairs: Sequence[Pair], labels: Set[str | None], corpus: Corpus, key: Corpus
) -> Problem:
    """Return one error for several missing documents; name missing files of a folder first."""
    missing = [pair.label for pair in pairs if pair.label in labels]
    reason = f"the response lacks {len(missing)} documents of the key"
    if corpus.path and key.path:
        key_files = {relpath(path, key.path) for path in key.digests}
        files = {relpath(path, corpus.path) for path in corpus.digests}
        if key_files & files and key_files - files:
            reason += f", and has no file {', '.join(sorted(key_files - files))}"
    reason += ": " + ", ".join(map(repr, missing))
    return Problem("missing-document", reason, "error", path=corpus.path)


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
    different = _word_difference(pair)
    if different is not None:
        return different
    columns = key.attributes.get("columns"), response.attributes.get("columns")
    if None not in columns and columns[0] != columns[1]:
        reason = f"the document has {columns[1]} columns, but {columns[0]} in the key"
        return pair.problem("bad-columns", reason)
    return None


def check_words(pairs: Iterable[Pair]) -> list[Problem]:
    """Compare the words of each pair of documents that were read with details."""
    errors: list[Problem] = []
    without_words: Counter[str] = Counter()
    for pair in pairs:
        if pair.key.path is None or pair.response.path is None or pair.response.tokens is None:
            continue
        if not (_has_words(pair.key) and _has_words(pair.response)):
            without_words[pair.response.path] += 1
        elif (difference := _word_difference(pair)) is not None:
            errors.append(difference)
    if errors:
        raise DataError(errors)
    return [
        Problem("no-words", "the words of a document cannot be compared", path=path, count=count)
        for path, count in without_words.items()
    ]


def _has_words(document: Document) -> bool:
    return document.text is not None and len(document.text) == document.tokens


def _word_difference(pair: Pair) -> Problem | None:
    """Return the error for the first word that differs between two documents with words."""
    key, response = pair
    assert key.text is not None
    assert response.text is not None
    of_response, of_key = response.text.words, key.text.words
    if of_key == of_response:
        return None
    token = common_prefix(of_key, of_response)
    document, words = (response, of_response) if token < len(of_response) else (key, of_key)
    line = _line(document, token)
    if token < min(len(of_response), len(of_key)):
        place = f", at {key.path}:{_line(key, token)}" if key.path else ""
        word = f"the word {of_response[token]!r}" if of_response[token] else "a line without a word"
        message = f"{word} is {of_key[token]!r} in the key{place}"
    else:
        message = (
            f"the document has {amount(len(of_response), 'word')} in the response but "
            f"{len(of_key)} in the key; the first word without a partner is {words[token]!r}"
        )
    problem = document.problem(
        "words-differ", message, "error", "Score files with the same tokens."
    )
    return problem._replace(line=line, document=pair.label)


def _line(document: Document, token: int) -> int | None:
    """Return the line of a token, or of the document if lines of tokens are not known."""
    lines = document.text.lines if document.text is not None else None
    return lines[token] if lines else document.line
