"""What is written, other programs read as the same.

CoNLL-U is read by udapi, which the scorer of CorefUD reads with; CONLLUA as the Universal Anaphora
scorers do, here by a strict reader of the rules that they follow.
"""

from __future__ import annotations

import io
import logging
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from udapi.block.read.conllu import Conllu
from udapi.core.document import Document as Loaded

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.positions import mention_of, nodes, pieces_if_any
from corefmeter.corpus.text import Text
from corefmeter.formats import read_corpus, refused_elsewhere
from corefmeter.formats.conversion import convert_corpus, write_files
from corefmeter.problems import DataError, Problem

from ..strategies import scaled
from .test_formats import SOUND, label
from .test_round_trips import NASTY, corpora


def udapi_reads(path: Path) -> Loaded:
    """A file as udapi reads it where it is strict; the scorer of CorefUD begins so."""
    document = Loaded()
    stream = io.StringIO(path.read_text("utf-8"))
    Conllu(filehandle=stream, strict=True).process_document(document)
    assert document.coref_entities is not None
    return document


def by_udapi(path: Path) -> list[Counter]:
    """The mentions of each document: the numbers of their nodes, with those of their entity."""
    numbers: dict = {}
    home: dict = {}
    found: list[Counter] = []
    loaded = udapi_reads(path)
    for tree in loaded.trees:
        if tree.newdoc:
            found.append(Counter())
            numbers[len(found)] = 0
        for node in tree.descendants_and_empty:
            home[node] = len(found) - 1, numbers[len(found)]
            numbers[len(found)] += 1
    for entity in loaded.coref_entities:
        mentions = [[home[node] for node in mention.words] for mention in entity.mentions]
        (document,) = {place[0] for mention in mentions for place in mention}
        spans = frozenset(Counter(tuple(n for _, n in sorted(m)) for m in mentions).items())
        heads = tuple(sorted(home[mention.head][1] for mention in entity.mentions))
        found[document][spans, heads] += 1
    return found


def by_us(corpus: Corpus) -> list[Counter]:
    """The same, of documents with words as they are read here."""
    found = []
    for document in corpus:
        text = document.text
        if not document.tokens:
            continue
        assert text is not None
        starts = set(text.sentences)
        empty = sorted(text.empty or {}, key=lambda n: (n[0], len(n) > 3, n[2]))
        rows: list = []
        for token in range(document.tokens + 1):
            here = [n for n in empty if n[0] == token]
            rows += [n for n in here if len(n) == 3]
            rows += [n for n in here if len(n) > 3]
            rows += [token] if token < document.tokens else []
        assert all(n[0] in starts for n in empty if len(n) > 3)
        number = {node: place for place, node in enumerate(rows)}
        entities: Counter = Counter()
        for entity, details in zip(document.entities, document.details, strict=True):
            places = [tuple(sorted(number[n] for n in nodes(pieces_if_any(m)))) for m in entity]
            heads = tuple(sorted(number[detail.head] for detail in details))
            if entity:
                entities[frozenset(Counter(places).items()), heads] += 1
        found.append(entities)
    return found


class Warned(logging.Handler):
    """The warnings of udapi while a file is read."""

    def __enter__(self) -> list[str]:
        self.messages: list[str] = []
        logging.getLogger().addHandler(self)
        return self.messages

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def is_written(corpus: Corpus, name: str, path: Path) -> bool:
    """Write a corpus; False if it is refused as one that the format cannot hold."""
    try:
        write_files(convert_corpus(corpus, name, hull=False)[0], name, str(path))
    except DataError as refused:
        codes = {problem.code for problem in refused.problems}
        assert codes <= {"no-words", "no-positions", "cannot-write"}
        return False
    return True


def see(corpus: Corpus, folder: Path) -> None:
    """See that a corpus, written as CoNLL-U, is the same to udapi and to the reader here."""
    path = folder / "written.conllu"
    if not is_written(corpus, "conllu", path):
        return
    with Warned(logging.WARNING) as messages:
        assert by_udapi(path) == by_us(read_corpus(str(path), "conllu", details=True))
    assert [text for text in messages if "etype mismatch" not in text] == []


@pytest.mark.parametrize("name", NASTY)
def test_udapi_reads_what_is_nasty_as_it_is_read_here(name, tmp_path):
    see(Corpus(NASTY[name]), tmp_path)


@pytest.mark.parametrize("file", [pytest.param(file, id=label(file)) for _, file in SOUND])
def test_udapi_reads_all_examples_as_they_are_read_here(file, tmp_path):
    see(read_corpus(str(file), details=True), tmp_path)


@pytest.mark.slow
@settings(max_examples=scaled(100))
@given(corpus=corpora())
def test_udapi_reads_anything_as_it_is_read_here(corpus, tmp_path_factory):
    see(corpus, tmp_path_factory.mktemp("anything"))


@st.composite
def gapped(draw) -> Corpus:
    """One or two entities of mentions with gaps and empty nodes, nested in each other."""
    node = st.integers(0, 6).map(lambda n: (n, n + 1)) | st.sampled_from(
        [(n, n, k) for n in (1, 3) for k in (1, 2)]
    )
    mention = st.lists(node, min_size=1, max_size=7).map(mention_of)
    entities = draw(st.lists(st.lists(mention, min_size=1, max_size=5), min_size=1, max_size=2))
    return Corpus([Document("d", entities, tokens=7, text=Text(list("abcdefg")))])


@pytest.mark.slow
@settings(max_examples=scaled(100))
@given(corpus=gapped())
def test_udapi_reads_mentions_with_gaps_as_they_are_read_here(corpus, tmp_path_factory):
    see(corpus, tmp_path_factory.mktemp("gaps"))


# ---- CONLLUA ----------------------------------------------------------------------------------


def strictly(text: str, column: int) -> dict[str, list[dict[str, list]]]:
    """The entities of each document, as mentions with their places by the id of the markable.

    Cells are between white space, and found by their number. In a cell, closing brackets come
    first; each closes what was opened last. An empty node has brackets of its own only.
    """
    documents: dict[str, list[str]] = {}
    for line in text.split("\n"):
        if line.startswith("# newdoc id = "):
            rows = documents.setdefault(line.removeprefix("# newdoc id = "), [])
        elif line and not line.startswith("#"):
            rows.append(line)
    found = {}
    for name, lines in documents.items():
        entities: dict[str, dict[str, list]] = {}
        opened: list[tuple[str, str, int]] = []
        for place, line in enumerate(lines):
            row = line.split()
            assert len(row) == 15, line
            if row[column] == "_":
                continue
            closes, *opens = row[column].split("(")
            assert set(closes) <= {")"}, line
            empty = "." in row[0]
            assert not (empty and closes), line
            for _ in closes:
                entity, id, begin = opened.pop()
                entities[entity][id] += range(begin, place + 1)
            for body in opens:
                known = dict(pair.split("=", 1) for pair in body.removesuffix(")").split("|"))
                assert ")" not in known["EntityID"] + known["MarkableID"]
                mention = entities.setdefault(known["EntityID"], {})
                mention.setdefault(known["MarkableID"], [])
                if body.endswith(")"):
                    mention[known["MarkableID"]].append(place)
                else:
                    assert not empty, line
                    opened.append((known["EntityID"], known["MarkableID"], place))
        assert opened == []
        found[name] = [e for id, e in entities.items() if not id.endswith("-Pseudo")]
    return found


def see_conllua(corpus: Corpus, folder: Path) -> None:
    """See that a corpus, written as CONLLUA, is the same to such a reader and to the one here."""
    path = folder / "written.conllua"
    if not is_written(corpus, "conllua", path):
        return
    again = read_corpus(str(path), "conllua", details=True)
    read = strictly(path.read_text("utf-8"), 10)
    strictly(path.read_text("utf-8"), 12)
    for document, entities in zip(again, read.values(), strict=True):
        empty = sorted(document.text.empty or {}, key=lambda n: (n[0], n[2]))
        rows: list = []
        for token in range(document.tokens + 1):
            rows += [n for n in empty if n[0] == token]
            rows += [token] if token < document.tokens else []
        number = {node: place for place, node in enumerate(rows)}
        ours = Counter()
        for entity in document.entities:
            places = (sorted(number[n] for n in nodes(pieces_if_any(m))) for m in entity)
            ours[frozenset(Counter(map(tuple, places)).items())] += 1
        theirs = Counter()
        for mentions in entities:
            places = (sorted(set(place)) for place in mentions.values())
            theirs[frozenset(Counter(map(tuple, places)).items())] += 1
        assert ours == theirs


@pytest.mark.wings
@pytest.mark.parametrize("name", NASTY)
def test_conllua_that_is_nasty_follows_the_rules_of_the_scorers(name, tmp_path):
    see_conllua(Corpus(NASTY[name]), tmp_path)


@pytest.mark.wings
@pytest.mark.parametrize("file", [pytest.param(file, id=label(file)) for _, file in SOUND])
def test_conllua_of_all_examples_follows_the_rules_of_the_scorers(file, tmp_path):
    see_conllua(read_corpus(str(file), details=True), tmp_path)


@pytest.mark.wings
@settings(max_examples=scaled(200))
@given(corpus=gapped() | corpora())
def test_conllua_of_anything_follows_the_rules_of_the_scorers(corpus, tmp_path_factory):
    see_conllua(corpus, tmp_path_factory.mktemp("anything"))


# ---- validate ---------------------------------------------------------------------------------


def refused(path: Path) -> list[Problem]:
    """What `validate` says that other programs refuse."""
    return refused_elsewhere(read_corpus(str(path), details=True))


HEAD = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"


def words(*rows: str) -> str:
    """A sentence of columns HEAD, DEPS and MISC; an id may come before them."""
    lines = []
    for number, cells in enumerate(rows, 1):
        *id, head, deps, misc = cells.split()
        lines.append(
            "\t".join([id[0] if id else str(number), "w", *"_____"[1:], head, "_", deps, misc])
        )
    return "\n".join(lines) + "\n\n"


#: Sound files that udapi or the scorer stops at, and what is said of them.
UDAPI = {
    "slash": (HEAD + "# sent_id = bc/1-1\n" + words("0 _ _"), "slash"),
    "head-in-brackets": (HEAD + words("0 _ (e1-person--x)"), "head"),
    "head-of-the-last-part": (HEAD + words("0 _ (e1[1/2])", "1 _ _", "1 _ (e1[2/2])"), "head"),
    "circle": (HEAD + words("2 _ _", "1 _ _"), "circle"),
    "own-head": (HEAD + words("1 _ _"), "circle"),
    "beyond": (HEAD + words("7 _ _", "0 _ _"), "circle"),
    "parts": (
        HEAD + words(*("0 _ (e1[1/2]--1)", "1 _ (e1[1/2]--1)"), *["1 _ (e1[2/2]--1)"] * 2),
        "mixes up parts",
    ),
}


@pytest.mark.parametrize("name", UDAPI)
def test_what_udapi_refuses_is_reported(name, tmp_path):
    text, said = UDAPI[name]
    path = tmp_path / "a.conllu"
    path.write_text(text.replace("\t(e", "\tEntity=(e"), "utf-8")
    (problem,) = refused(path)
    assert (problem.code, problem.severity) == ("refused-elsewhere", "warning")
    assert said in problem.message
    with pytest.raises((ValueError, TypeError, StopIteration, RuntimeError)):
        udapi_reads(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (words("0 _ _") + "# newdoc id = d\n" + words("0 _ _"), "before the first"),
        (
            HEAD + words("0 _ Entity=(e1)") + HEAD.replace("= d", "= e") + words("0 _ Entity=(e1)"),
            "of two documents",
        ),
        (HEAD + words("0 _ _", "1.1 _ _ Entity=(e1)"), "without DEPS"),
    ],
)
def test_what_the_scorer_of_corefud_refuses_is_reported(text, said, tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(text, "utf-8")
    (problem,) = refused(path)
    assert said in problem.message


@pytest.mark.parametrize(
    "text",
    [
        words("0 _ _", "1 _ _", "1 _ _"),  # a sentence of three words
        words("0 _ _") + words("0 _ _", "1 _ _"),
        "# sent_id = s\n" + words("0 _ _") + HEAD + words("0 _ _", "1 _ _"),
    ],
)
def test_that_the_scorer_stops_is_reported_once(text, tmp_path):
    """It stops at the first sentence, whatever follows."""
    path = tmp_path / "a.conllu"
    path.write_text(text, "utf-8")
    (problem,) = [p for p in refused(path) if "before the first" in p.message]
    assert (problem.line, problem.count) == (1 + text.startswith("# sent_id"), 1)


def conllua(*cells: tuple[str, ...], names: str = "IDENTITY BRIDGING DISCOURSE_DEIXIS") -> str:
    columns = f"# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC {names}\n"
    number = len(names.split())
    rows = [
        "\t".join([id, "w", *"________", *rest, *"_" * (number - len(rest))]) for id, *rest in cells
    ]
    return columns + "# newdoc id = d\n" + "\n".join(rows) + "\n\n"


A, B = "(EntityID=1|MarkableID=a", "(EntityID=2|MarkableID=b"


@pytest.mark.wings
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (conllua(("1", A), ("2", f"{B}))")), "closing brackets first"),
        (conllua(("1", A), ("2", f"{B})a)")), "closing brackets first"),
        (conllua(("1", A), ("2", "a)")), "plain closing"),
        (conllua(("0.1", A), ("1", ")")), "empty node"),
        (conllua(("1", A), ("1.1", ")")), "empty node"),
        (conllua(("1", f"{A})"), ("2", f"{B})", "(MarkableID=b|EntityAnchor=1)")), "MentionAnchor"),
        (conllua(("1", "(EntityID=1_Pseudo|MarkableID=a)")), "'1_Pseudo' as an entity"),
        (conllua(("1", f"{A})"), names="IDENTITY SPLIT BRIDGING"), "column 12 as BRIDGING"),
        (conllua(("1", f"{A})"), names="IDENTITY"), "11 columns, not 13"),
    ],
)
def test_what_the_universal_anaphora_scorers_refuse_is_reported(text, said, tmp_path):
    path = tmp_path / "a.conllua"
    path.write_text(text, "utf-8")
    (problem,) = refused(path)
    assert said in problem.message


@pytest.mark.wings
@pytest.mark.parametrize("name", ["conllu", "conllua"])
def test_of_what_is_written_nothing_is_refused(name, tmp_path):
    for number, corpus in enumerate(NASTY.values()):
        path = tmp_path / f"{number}.{name}"
        if is_written(Corpus(corpus), name, path):
            assert [
                p for p in refused(path) if "DEPS" not in p.message and "Anchor" not in p.message
            ] == []


@pytest.mark.slow
@settings(max_examples=scaled(100))
@given(corpus=gapped())
def test_what_udapi_reads_of_parts_is_not_refused(corpus, tmp_path_factory):
    """Parts of mentions of an entity in any order: what is refused is what udapi stops at."""
    entities = corpus.documents[0].entities[:1]
    rows = [[] for _ in range(7)]
    for mention in entities[0]:
        tokens = [n for n in nodes(pieces_if_any(mention)) if isinstance(n, int)]
        for number, token in enumerate(tokens, 1):
            part = f"[{number}/{len(tokens)}]" if len(tokens) > 1 else ""
            rows[token].append(f"(e1{part}--1)")
    path = tmp_path_factory.mktemp("parts") / "a.conllu"
    path.write_text(
        HEAD + words(*(f"0 _ Entity={''.join(r)}" if r else "0 _ _" for r in rows)), "utf-8"
    )
    try:
        problems = refused(path)
    except DataError:
        return
    try:
        udapi_reads(path)
    except (ValueError, StopIteration):
        stopped = True
    else:
        stopped = False
    assert [("mixes up" in problem.message) for problem in problems] == [True] * stopped


def test_the_line_is_told_behind_many_empty_ones(tmp_path):
    path = tmp_path / "a.conllu"
    sound = words("0 _ _").removesuffix("\n")
    path.write_text(HEAD + sound + "\n" * 9000 + words("2 _ _", "1 _ _"), "utf-8")
    (problem,) = refused(path)
    assert problem.line == 2 + 1 + 9000 + 1


def test_a_line_that_is_not_utf8_is_checked_too(tmp_path):
    """The reader decodes names only, so it accepts other text that is not UTF-8."""
    path = tmp_path / "a.conllu"
    text = HEAD + words("0 _ Entity=(e1-X-)")
    path.write_bytes(text.encode().replace(b"-X-", b"-\xff-"))
    (problem,) = refused(path)
    assert (problem.line, "stops at the head" in problem.message) == (3, True)
