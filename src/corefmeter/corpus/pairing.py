"""Which response document belongs to which key document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, product
from operator import eq
from typing import NamedTuple, get_args

from corefmeter.choices import Documents
from corefmeter.corpus.model import (
    PYTHON,
    Corpus,
    Document,
    Mention,
    as_file_name,
    of_label,
    with_part,
)
from corefmeter.corpus.positions import is_more_than_a_place, place_of
from corefmeter.corpus.text import Detail
from corefmeter.problems import DataError, Problem, Severity, amount

#: How to treat documents that are on one side only, or twice in a file; see `corefmeter.Recipe`.
DOCUMENTS = get_args(Documents)


class Pair(NamedTuple):
    """A key document and its response; one of them may be empty."""

    key: Document
    response: Document

    @property
    def name(self) -> str:
        """The name, without part."""
        return self.key.name

    @property
    def label(self) -> str:
        """The name, with the part when there is one."""
        return self.key.label

    def problem(
        self, code: str, message: str, severity: Severity = "warning", hint: str | None = None
    ) -> Problem:
        """Return a problem at the place of the response, under the name of the key."""
        return self.response.problem(code, message, severity, hint)._replace(document=self.label)


#: A document with at most so many mentions is short.
SHORT = 20


class MentionCounts(NamedTuple):
    """Number of mentions that both sides have, of key mentions, and of response mentions."""

    matched: int = 0
    key: int = 0
    response: int = 0

    @property
    def are_disjoint(self) -> bool:
        """Whether both sides have mentions, and fewer than a tenth of one side's are common."""
        smaller = min(self.key, self.response)
        return smaller > 0 and 10 * self.matched < smaller

    @property
    def are_usual(self) -> bool:
        """Whether at least half of the mentions are common.

        In a short document whose sides have equally many mentions, all must be, since adjacent
        mentions may be equal by chance.
        """
        smaller = min(self.key, self.response)
        if 2 * self.matched < smaller:
            return False
        return self.matched == smaller or self.key != self.response or smaller > SHORT


def pair_documents(key: Corpus, response: Corpus, policy: str) -> tuple[list[Pair], list[Problem]]:
    """Return pairs in the order of the key, and warnings.

    A document only in the key is scored as an empty response and warned about. A document only in
    the response is ignored with a warning (policy ``official``, as v8.01 does without one) or
    scored against an empty key (policy ``strict``). Documents without names on one side belong to
    those of the other in order, if there are as many.
    """
    response, problems = with_names_of(key, response)
    keys, responses = _by_id(key), _by_id(response)
    by_order = all(document.numbered for document in (*key, *response))
    # Files of the response may have no document, if their format allows it.
    empty_file = not responses and response.path is not None and bool(response.digests)
    if keys.keys().isdisjoint(responses) and not empty_file:
        nameless = any(all(document.numbered for document in side) for side in (key, response))
        if not nameless or len(key) != len(response) or not _of_one_file(key, response):
            raise DataError(_no_common_document(key, response))
        responses, by_order = dict(zip(keys, response, strict=True)), True
        problems.append(_order_warning(key, response))
    if by_order and len(key) > 1 and _of_one_file(key, response):
        _require_same_texts(keys, responses)
    pairs = []
    for id, document in keys.items():
        partner = responses.get(id)
        if partner is None:
            partner = Document(document.name, [], part=document.part, path=response.path)
            reason = "the response has no such document" + _place_in_key(document)
            hint = "It is scored as an empty response."
            problems.append(partner.problem("missing-document", reason, hint=hint))
        pair = Pair(document, partner)
        if _token_counts_differ(pair):
            reason = (
                f"the document {_describe_tokens(pair)}, so offsets may not mean the same words"
            )
            hint = "Run with --strict to find the first word that differs."
            problems.append(pair.problem("token-count", reason, hint=hint))
        pairs.append(pair)
    extra = [document for id, document in responses.items() if id not in keys]
    hint = "It is ignored. With --documents strict, its mentions count as spurious."
    if policy == "strict":
        hint = "All mentions of this document count as spurious."
        pairs += [Pair(Document(one.name, [], part=one.part), one) for one in extra]
    reason = "the key has no such document"
    problems += [document.problem("extra-document", reason, hint=hint) for document in extra]
    return pairs, problems


def with_names_of(key: Corpus, response: Corpus) -> tuple[Corpus, list[Problem]]:
    """Return a response with the names of the key's documents, where a format changed them.

    Names are compared as they are written, then with the part in the name, for formats that have no
    parts, then as file names in both ways. In one format, the last two pair documents only if one
    name is a file name; names given in Python never are.
    """
    response = _rename_documents(response, _match_written_names(key, response))
    if {document.id for document in response} <= {document.id for document in key}:
        return response, []
    renamed: dict[tuple[str, int], Document] = {}  # the key's document for the response's id
    from_python = key.format == response.format == PYTHON
    for as_files in (False,) if from_python else (False, True):
        for form in (_doc_key, _flat_name):
            renamed |= _match_names(key, response, renamed, form, as_files)
    if not renamed:
        return response, []
    (name, _), document = next(iter(renamed.items()))
    example = f"{name!r:.80} for {document.label!r:.80}"
    message = f"names are paired with those of the key, such as {example}"
    problem = Problem("repaired", message, path=response.path, count=len(renamed))
    return _rename_documents(response, renamed), [problem]


def _match_names(
    key: Corpus,
    response: Corpus,
    renamed: Mapping[tuple[str, int], Document],
    form: Callable[[Document], str],
    as_files: bool,
) -> dict[tuple[str, int], Document]:
    """Return the key's documents by the ids of the response's that have the same name in a form.

    With `as_files`, names are compared as those of files. Documents that have a partner already, by
    their ids or in `renamed`, are left out.
    """

    def name_of(document: Document) -> str:
        return as_file_name(form(document)) if as_files else form(document)

    key_ids = {document.id for document in key}
    taken = {document.id for document in response} | {one.id for one in renamed.values()}
    of_key = _by_name([one for one in key if one.id not in taken], name_of)
    free = [one for one in response if one.id not in key_ids and one.id not in renamed]
    are_sure = not as_files or key.format != response.format
    return {
        document.id: of_key[name]
        for name, document in _by_name(free, name_of).items()
        if name in of_key and (are_sure or _has_file_name(of_key[name], document))
    }


def with_common_names(corpora: Mapping[str, Corpus]) -> tuple[dict[str, Corpus], list[Problem]]:
    """Return corpora of the same documents, named as in the first corpus that has them."""
    renamed: dict[str, Corpus] = {}
    problems: list[Problem] = []
    known: dict[tuple[str, int], Document] = {}
    for name, corpus in corpora.items():
        before = Corpus(list(known.values()), format=next(iter(corpora.values())).format)
        renamed[name], warnings = with_names_of(before, corpus)
        problems += warnings
        known = {document.id: document for document in renamed[name]} | known
    return renamed, problems


def _match_written_names(key: Corpus, response: Corpus) -> dict[tuple[str, int], Document]:
    """Return the documents of the key by the ids of those of the response that have other ids."""
    of_key, of_response = (
        _by_name([one for one in side if not one.numbered], lambda document: document.one_name)
        for side in (key, response)
    )
    same = [(document, of_key[name]) for name, document in of_response.items() if name in of_key]
    return {document.id: other for document, other in same if other.id != document.id}


def _rename_documents(response: Corpus, new: dict[tuple[str, int], Document]) -> Corpus:
    """Return a response in which some documents, by their ids, have the names of the key's."""
    if not new:
        return response
    documents = [
        one.replace(name=new[one.id].name, part=new[one.id].part) if one.id in new else one
        for one in response
    ]
    return response.replace(documents=documents)


def _doc_key(document: Document) -> str:
    """Return a name with the part, if there is one, as a ``doc_key`` has it: ``bc/x_1``."""
    return document.one_name or f"{document.name}_{document.part}"


def _flat_name(document: Document) -> str:
    """Return a name with the part, if it is not 0; a label may be the name."""
    return with_part(*of_label(document.label)).removesuffix("_part_000")


def _has_file_name(*documents: Document) -> bool:
    """Return whether the name of one of the documents may be that of a file."""
    names = (of_label(document.label)[0] for document in documents)
    return any(as_file_name(name) == name for name in names)


def _by_name(
    documents: Iterable[Document], form: Callable[[Document], str | None]
) -> dict[str, Document]:
    """Return documents by a form of their names, without those that share it with another one."""
    by_name: dict[str | None, list[Document]] = {}
    for document in documents:
        by_name.setdefault(form(document), []).append(document)
    return {name: same[0] for name, same in by_name.items() if name and len(same) == 1}


def _place_in_key(document: Document) -> str:
    if document.path is None:
        return ""
    line = "" if document.line is None else f":{document.line}"
    return f"; in the key it is at {document.path}{line}"


def _by_id(corpus: Corpus) -> dict[tuple[str, int], Document]:
    documents: dict[tuple[str, int], Document] = {}
    for document in corpus:
        if documents.setdefault(document.id, document) is not document:
            hint = "Give each document a name of its own."
            problem = document.problem(
                "repeated-document", "a side has the document twice", "error", hint
            )
            raise DataError(problem._replace(path=corpus.path, line=None))
    return documents


def _token_counts_differ(pair: Pair) -> bool:
    """Return whether both documents count their tokens and the numbers differ."""
    key, response = pair
    known = None not in (key.tokens, response.tokens)
    return known and key.unit == response.unit and key.tokens != response.tokens


def _describe_tokens(pair: Pair) -> str:
    tokens = amount(pair.response.tokens or 0, "token")
    return f"has {tokens} in the response but {pair.key.tokens} in the key"


def _of_one_file(*sides: Corpus) -> bool:
    """Return whether each side's documents come from one file."""
    return all(len({document.path for document in side}) < 2 for side in sides)


def _require_same_texts(
    keys: dict[tuple[str, int], Document], responses: dict[tuple[str, int], Document]
) -> None:
    """Refuse pairs made by order alone whose texts seem to be of different documents.

    They seem so if their numbers of tokens differ, or more than half of their words, or if the
    response has the words of another key document.
    """
    texts: dict[tuple[str, ...], set[tuple[str, int]]] = {}
    for id, document in keys.items():
        if document.text is not None:
            texts.setdefault(tuple(document.text.words), set()).add(id)
    for id in [id for id in keys if id in responses]:
        pair = Pair(keys[id], responses[id])
        text = pair.response.text
        code = "words-differ"
        if _token_counts_differ(pair):
            code, what = "token-count", _describe_tokens(pair)
        elif _words_differ(pair):
            what = "has other words in the response than in the key"
        elif text is not None and id not in texts.get(tuple(text.words), {id}):
            what = "has in the response the words of another document of the key"
        else:
            continue
        why = "they are paired by order, because one side does not name its documents"
        hint = "Name the documents on both sides, such as by a doc_key."
        raise DataError(pair.problem(code, f"the document {what}; {why}", "error", hint))


def _words_differ(pair: Pair) -> bool:
    """Return whether more than half of the words differ, where both are known."""
    key, response = pair
    if key.text is None or response.text is None or key.unit != response.unit:
        return False
    same: int = sum(map(eq, key.text.words, response.text.words))
    return 2 * same < len(key.text.words)


def _order_warning(key: Corpus, response: Corpus) -> Problem:
    which = "key" if all(document.numbered for document in key) else "response"
    reason = (
        f"the {which} does not name its documents; they are paired with the other side in order"
    )
    return Problem("unnamed-document", reason, path=response.path, count=len(response))


def drop_one_sided_types(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus, list[Problem]]:
    """Return both sides, without the types of mentions if only one of two formats has them.

    The nuggets of TBF have a type and mentions of other formats do not, so that none would be
    equal. Within one format, a mention without a type differs from one with a type.
    """
    if key.format == response.format:
        return key, response, []
    sides = {"key": key, "response": response}
    typed = {
        name: sum(is_more_than_a_place(m) for document in side for m in chain(*document.entities))
        for name, side in sides.items()
    }
    if all(typed.values()) or not any(typed.values()):
        return key, response, []
    name = "key" if typed["key"] else "response"
    side = sides[name]
    reason = f"only mentions of the {name} have types; mentions are compared by their positions"
    hint = "Use one format for both sides to compare types, too."
    problem = Problem("types-left-out", reason, path=side.path, count=typed[name], hint=hint)
    sides[name] = side.replace(documents=[_without_types(document) for document in side])
    return sides["key"], sides["response"], [problem]


def _without_types(document: Document) -> Document:
    return document.replace(
        entities=[list(map(place_of, entity)) for entity in document.entities],
        entity_names=document.entity_names,
        details=document.details,
    )


def check_units(pairs: Sequence[Pair]) -> None:
    """Refuse pairs of documents from files where one counts tokens and the other characters."""
    errors = []
    for pair in pairs:
        key, response = pair
        if key.unit == response.unit or None in (key.path, response.path):
            continue
        if key.entities and response.entities:
            hint = "Score with --align characters, which compares the texts."
            if "names" in (key.unit, response.unit):
                hint = "Names are not positions: give texts on both sides, or names on both."
            reason = (
                f"the document counts {response.unit} in the response but {key.unit} in the key"
            )
            errors.append(pair.problem("units-differ", reason, "error", hint))
    if errors:
        raise DataError(errors)


def _no_common_document(key: Corpus, response: Corpus) -> Problem:
    keys, responses = ([document.label for document in side] for side in (key, response))
    reason = (
        f"key and response share no document name: the key has {_list_some(keys)}; the response "
        f"has {_list_some(responses)}"
    )
    hint = "Documents are paired by name; give them the same names on both sides."
    if nearest := _nearest(keys, responses):
        hint += f" The nearest are {nearest[0]!r} and {nearest[1]!r}."
    return Problem("no-common-document", reason, "error", path=response.path, hint=hint)


def _nearest(keys: Sequence[str], responses: Sequence[str]) -> tuple[str, str] | None:
    """Return a name of the key and one of the response that may mean the same document.

    Names that differ in punctuation and case only come first, then those with the same last part of
    a path, then the most similar ones among the first 50 of each side.
    """
    import difflib

    for plain in (_letters, _last_part):
        known = {plain(name): name for name in reversed(keys)}
        for name in responses:
            if plain(name) in known and plain(name):
                return known[plain(name)], name
    ratios = [
        (difflib.SequenceMatcher(None, *pair, autojunk=False).ratio(), pair)
        for pair in product(keys[:50], responses[:50])
    ]
    ratio, nearest = max(ratios, default=(0.0, ("", "")))
    return nearest if ratio > 0.6 else None


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def _last_part(name: str) -> str:
    """Return the letters and digits behind the last slash, without a short ending."""
    last = name.rpartition("/")[2]
    stem, dot, ending = last.rpartition(".")
    return _letters(stem if dot and len(ending) <= 5 else last)


def _list_some(names: list[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:3])
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def as_one_document(pairs: Sequence[Pair], shared_ids: bool) -> Pair:
    """Join all pairs into one document, for cross-document coreference.

    Mentions of different documents are different mentions: each is the pair of the id of its key
    document and the mention. Entity names belong to their document unless `shared_ids` says that
    the same name means the same entity everywhere.
    """
    ids = [pair.key.id for pair in pairs]
    return Pair(
        _join_documents(ids, [pair.key for pair in pairs], shared_ids),
        _join_documents(ids, [pair.response for pair in pairs], shared_ids),
    )


def _join_documents(
    ids: Sequence[tuple[str, int]], documents: Sequence[Document], shared_ids: bool
) -> Document:
    entities: dict[tuple[str, int], list[Mention]] = {}
    details: dict[tuple[str, int], list[Detail]] = {}
    known = all(document.details is not None for document in documents if document.entities)
    for number, (id, document) in enumerate(zip(ids, documents, strict=True)):
        homes = [(name, 0 if shared_ids else number) for name in document.entity_names]
        for home, entity in zip(homes, document.entities, strict=True):
            entities.setdefault(home, []).extend((id, mention) for mention in entity)
        for home, of_entity in zip(homes, document.details or (), strict=False):
            details.setdefault(home, []).extend(of_entity)
    return Document(
        "all documents",
        list(entities.values()),
        entity_names=[name for name, _ in entities],
        path=documents[0].path if documents else None,
        details=list(details.values()) if known else None,
        numbered=True,
    )


def split_joined(whole: Pair, pairs: Sequence[Pair]) -> list[Pair]:
    """Undo `as_one_document`: return the mentions that are left, as pairs of documents again.

    `whole` is its result for `pairs`, perhaps with some mentions left out; the entities of each
    document come in its own order.
    """
    sides = [
        _split_documents(document, [pair[side] for pair in pairs], [pair.key.id for pair in pairs])
        for side, document in enumerate(whole)
    ]
    return [Pair(key, response) for key, response in zip(*sides, strict=True)]


def _split_documents(
    whole: Document, documents: Sequence[Document], ids: Sequence[tuple[str, int]]
) -> list[Document]:
    # By document, the positions of its mentions in each joined entity.
    places: dict[tuple[str, int], dict[int, list[int]]] = {id: {} for id in ids}
    for home, entity in enumerate(whole.entities):
        for at, mention in enumerate(entity):
            # Types: mentions of joined documents are pairs.
            places[mention[0]].setdefault(home, []).append(at)  # type: ignore[index]
    parts = []
    names = whole.entity_names
    for document, id in zip(documents, ids, strict=True):
        rank = {name: place for place, name in enumerate(document.entity_names)}
        homes = sorted(places[id], key=lambda home: rank.get(names[home], len(rank)))
        entities = [[whole.entities[home][at][1] for at in places[id][home]] for home in homes]  # type: ignore[index]
        details = document.details and whole.details
        part = document.replace(
            entities=entities,
            entity_names=[names[home] for home in homes],
            details=details and [[details[home][at] for at in places[id][home]] for home in homes],
        )
        parts.append(part)
    return parts
