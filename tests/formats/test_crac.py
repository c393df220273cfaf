"""Answers of CRAC's language-model track, as text and as JSON: a perfect one scores 100.

The makers of answers read CoNLL-U by its definition, not with our reader: words and empty nodes in
their order, brackets by entity. Mentions with gaps, which the track cannot write, leave key and
answer.
"""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefmeter import DataError, read, score
from corefmeter.corpus.text import Text
from corefmeter.formats import in_key
from corefmeter.formats.inline import crac
from corefmeter.formats.inline.zeros import match_zeros
from corefmeter.presets import PRESETS
from corefmeter.recipe import Recipe

from ..real.shared import DATA, needs

COREFUD = [name for name in PRESETS if name.startswith("corefud")]
#: Years may have the same rules.
RECIPES = list(dict.fromkeys(Recipe.preset(name) for name in COREFUD))

_GAPPY = re.compile(r"\([^()\[]*\[\d+/\d+\][^()]*\)?|[^()\[]*\[\d+/\d+\]\)")
_BRACKET = re.compile(r"\((?P<opened>[^()-]+)[^()]*(?P<one>\))?|(?P<closed>[^()]+)\)")
_NODE = re.compile(r"\d+(\.\d+)?\t")


class Answers(NamedTuple):
    """A key without gaps, and perfect answers to it."""

    key: str
    text: str
    json: str


def answers(conllu: str) -> Answers:
    """What the track's converters make of a key, without moving empty nodes."""
    lines, documents = [], []
    for line in conllu.splitlines():
        columns = line.split("\t")
        if line.startswith("# newdoc"):
            documents.append((line.partition("=")[2].strip(), [], [], {}))
        if _NODE.match(line):
            if match := re.search(r"(?:^|\|)Entity=([^|]*)", columns[9]):
                left = _GAPPY.sub("", match[1])
                columns[9] = columns[9].replace(match[0], match[0].replace(match[1], left))
                columns[9] = re.sub(r"(^|\|)Entity=(?=\||$)", "", columns[9]).strip("|") or "_"
                line = "\t".join(columns)
            _, words, marks, open_ = documents[-1]
            form = columns[1].replace(" ", "_")
            words.append("##" + form.replace("_", "") if "." in columns[0] else form)
            marks.append(_marks(columns[9], len(words) - 1, open_))
        lines.append(line)
    text, objects = [], []
    for name, words, marks, open_ in documents:
        clusters: dict[str, list] = {}
        for mentions in marks:
            for entity, first, last in mentions:
                clusters.setdefault(entity, []).append((first, last))
        text.append(" ".join(map(_word, range(len(words)), words, [clusters] * len(words))))
        spans = [sorted(c, key=lambda m: (m[0], -m[1])) for c in _by_opening(clusters, open_)]
        strings = [[" ".join(words[a : b + 1]) for a, b in c] for c in spans]
        objects.append({"doc_id": name, "tokens": words, "clusters_token_offsets": spans,
                        "clusters_text_mentions": strings})  # fmt: skip
    return Answers("\n".join(lines) + "\n\n", "\n".join(text) + "\n", json.dumps(objects))


def _marks(misc: str, at: int, open_: dict) -> list[tuple[str, int, int]]:
    """The mentions that end at a node; what opens here is kept in `open_`, by entity."""
    match = re.search(r"(?:^|\|)Entity=([^|]*)", misc)
    found = []
    for bracket in _BRACKET.finditer(match[1] if match else ""):
        if bracket["opened"]:
            open_.setdefault(bracket["opened"], []).append(at)
        if bracket["one"] or bracket["closed"]:
            entity = bracket["opened"] or bracket["closed"]
            found.append((entity, open_[entity].pop(), at))
    return found


def _by_opening(clusters: dict, open_: dict) -> list:
    """Clusters in the order in which their entities were opened first."""
    return [clusters[entity] for entity in open_ if entity in clusters]


def _word(at: int, word: str, clusters: dict) -> str:
    """A word with its marks: what closes, then what opens, the longer first, then one word."""
    closing, opening, one = [], [], []
    for entity, spans in clusters.items():
        for first, last in spans:
            if first == last == at:
                one.append(f"[{entity}]")
            elif last == at:
                closing.append((-first, f"{entity}]"))
            elif first == at:
                opening.append((-last, f"[{entity}"))
    marks = [
        *[m for _, m in sorted(closing)],
        *[m for _, m in sorted(opening, key=lambda o: o[0])],
        *one,
    ]
    return f"{word}|{','.join(marks)}" if marks else word


def both(folder: Path, conllu: str) -> list:
    """A key, and its two perfect answers in the positions of the key."""
    made = answers(conllu)
    paths = []
    for ending, content in zip(("conllu", "txt", "json"), made, strict=True):
        paths.append(folder / f"x.{ending}")
        paths[-1].write_text(content, "utf-8")
    key = read(paths[0], details=True)
    return [key, *(in_key(key, read(path, side="response", details=True)) for path in paths[1:])]


OURS = """\
# newdoc id = visita
# global.Entity = eid-etype-head-other
# sent_id = 1
1\tEva\t_\t_\t_\t_\t2\tnsubj\t2:nsubj\tEntity=(e1-person-1-)
2\tsale\t_\t_\t_\t_\t0\troot\t0:root\tEntity=(e3-event-1-)
2.1\t_\t_\t_\t_\t_\t_\t_\t2:obl\t_

# sent_id = 2
0.1\t_\t_\t_\t_\t_\t_\t_\t1:nsubj\tEntity=(e1-person-1-)
1\tVe\t_\t_\t_\t_\t0\troot\t0:root\t_
1.1\t_\t_\t_\t_\t_\t_\t_\t4:dep\t_
2\ta\t_\t_\t_\t_\t4\tcase\t4:case\t_
3\tsu\t_\t_\t_\t_\t4\tdet\t4:det\tEntity=(e2-animal-2-(e1-person-1-)
4\tperro\t_\t_\t_\t_\t1\tobj\t1:obj\tEntity=e2)

# sent_id = 3
1\tLo\t_\t_\t_\t_\t2\tobj\t2:obj\tEntity=(e2-animal-1-)
1.1\t_\t_\t_\t_\t_\t_\t_\t2:nsubj\tEntity=(e1-person-1-)
2\tama\t_\t_\t_\t_\t0\troot\t0:root\t_
3\tasí\t_\t_\t_\t_\t2\tadvmod\t2:advmod\tEntity=(e3-event-1-)

"""


@pytest.mark.parametrize("preset", COREFUD)
def test_a_perfect_answer_scores_100(preset, tmp_path):
    key, *found = both(tmp_path, OURS)
    for response in found:
        assert response.problems == []
        result = score(key, response, Recipe.preset(preset))
        scores = {name: scores.f1 for name, scores in result.scores().items()}
        assert scores == dict.fromkeys(result, 1)


@pytest.mark.parametrize("name", ["text", "json"])
def test_empty_nodes_may_stand_behind_what_they_depend_on(name, tmp_path):
    """As the track's converters write them: 0.1 behind Ve, and the 1.1s behind perro and ama."""
    (tmp_path / "key.conllu").write_text(OURS, "utf-8")
    words = ["Eva", "sale", "##", "Ve", "##", "a", "su", "perro", "##", "Lo", "ama", "##", "así"]
    path = tmp_path / "answer"
    if name == "text":
        words[0] += "|[e1]"
        words[1] += "|[e3]"
        words[4] += "|[e1]"
        words[6] += "|[e2,[e1]"
        words[7] += "|e2]"
        words[9] += "|[e2]"
        words[11] += "|[e1]"
        words[12] += "|[e3]"
        path.write_text(" ".join(words), "utf-8")
    else:
        clusters = [[[0, 0], [4, 4], [6, 6], [11, 11]], [[1, 1], [12, 12]], [[6, 7], [9, 9]]]
        answer = {"doc_id": "visita", "tokens": words, "clusters_token_offsets": clusters}
        path.write_text(json.dumps([answer]), "utf-8")
    result = score(tmp_path / "key.conllu", path, Recipe.preset("corefud2025"))
    assert (result.conll, result.zero.f1) == (1, 1)
    assert result.problems == []


def mentions(conllu: str, answer: str, folder: Path) -> tuple[list, list]:
    """The mentions of an answer in the positions of the key, and what is reported."""
    (folder / "key.conllu").write_text(conllu, "utf-8")
    (folder / "answer.txt").write_text(answer, "utf-8")
    key = read(folder / "key.conllu", details=True)
    response = in_key(key, read(folder / "answer.txt", "inline", side="response", details=True))
    found = [m for entity in response.documents[0].entities for m in entity]
    return found, [(p.code, p.count, p.column) for p in response.problems]


def test_one_empty_node_too_many_is_no_node_of_the_key(tmp_path):
    """The third sentence has 1.1 only, and it is the first of these."""
    answer = "Eva sale ## Ve ## ## a su perro Lo ##|[e1] ama ##|[x] así"
    found, problems = mentions(OURS, answer, tmp_path)
    assert found == [((7, 7, 1),), ((8, 8, 1),)]
    assert problems == [("zero-invented", 1, 48)]


def test_a_missing_empty_node_is_counted_and_the_nearest_is_taken(tmp_path):
    """Of 0.1 and 1.1 in the second sentence, one is there, behind Ve, where 1.1 is."""
    answer = "Eva sale ## Ve ##|[e1] a su perro Lo ## ama así"
    found, problems = mentions(OURS, answer, tmp_path)
    assert found == [((3, 3, 1),)]
    assert problems == [("zero-dropped", 1, None)]


def test_between_sentences_it_is_in_the_one_that_lacks_it(tmp_path):
    answer = "Eva sale ##|[e1] ##|[e2] Ve ##|[e3] a su perro Lo ##|[e4] ama así"
    found, problems = mentions(OURS, answer, tmp_path)
    assert found == [((2, 2, 1),), ((2, 2, 1, True),), ((3, 3, 1),), ((7, 7, 1),)]
    assert problems == []


@given(st.lists(st.tuples(st.integers(1, 3), st.lists(st.integers(0, 3), max_size=3)), min_size=1))
def test_wherever_the_nodes_of_a_sentence_are_written_they_are_those_of_the_key(sentences):
    """Each sentence: how many words it has, and behind how many of them its nodes are written."""
    begin, begins, of_key, places = 0, [], [], []
    for words, written in sentences:
        begins.append(begin)
        at = begin + words
        of_key += [(at, at, number + 1) for number in range(len(written))]
        places += [(begin + min(place, words),) * 2 for place in sorted(written)]
        begin += words
    text = Text(["x"] * begin, sentences=begins)
    assert match_zeros(places, of_key, text) == (of_key, set())


def test_an_answer_without_empty_nodes_says_nothing_of_them(tmp_path):
    assert mentions(OURS, "Eva|[e1] sale Ve a su|[e1] perro Lo ama así", tmp_path)[1] == []


@pytest.mark.wings
def test_a_key_of_another_format_with_empty_nodes(tmp_path):
    """Of two before "ve" the second is a mention, so it is the second of the answer, too."""
    row = "{}\t{}" + 8 * "\t_" + "\t{}" + 4 * "\t_" + "\n"
    opened = "(EntityID=1|MarkableID=m{})"
    (tmp_path / "key.conllua").write_text(
        "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING "
        "DISCOURSE_DEIXIS REFERENCE NOM_SEM\n# newdoc id = x\n# sent_id = 1\n"
        + row.format("1", "Eva", opened.format(1)) + row.format("1.1", "_", "_")
        + row.format("1.2", "_", opened.format(2)) + row.format("2", "ve", "_"),
        "utf-8",
    )  # fmt: skip
    (tmp_path / "answer.txt").write_text("Eva|[e1] ## ve ##|[e1]", "utf-8")
    result = score(tmp_path / "key.conllua", tmp_path / "answer.txt")
    assert (result.muc.f1, result.problems) == (1, [])


def test_heads_come_from_the_tree_of_the_key(tmp_path):
    """``a su perro`` is no mention of the key; its parents are outside at perro only."""
    answer = "Eva sale ## ## Ve ## a|[x su perro|x] Lo ## ama|[y así|y]"
    key = tmp_path / "key.conllu"
    key.write_text(OURS, "utf-8")
    (tmp_path / "answer.txt").write_text(answer, "utf-8")
    result = score(key, tmp_path / "answer.txt", Recipe.preset("corefud2025", singletons="keep"))
    # Its head is that of "su perro"; "ama así" has the head of "ama", which is no mention.
    assert (result.ceafm.recall_numerator, result.ceafm.precision_denominator) == (1, 2)


def test_spans_beyond_the_tokens_are_refused(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('[{"doc_id": "x", "tokens": ["##"], "clusters_token_offsets": [[[0, 1]]]}]')
    with pytest.raises(DataError, match="wrong-ends"):
        read(path)


def test_a_corpus_is_written_with_all_its_empty_nodes(tmp_path):
    (tmp_path / "key.conllu").write_text(OURS, "utf-8")
    stream = StringIO()
    problems = crac.write(read(tmp_path / "key.conllu", details=True), stream)
    (found,) = json.loads(stream.getvalue())
    assert " ".join(found["tokens"]) == "Eva sale ## ## Ve ## a su perro Lo ## ama así"
    assert found["clusters_token_offsets"] == [
        [[0, 0], [3, 3], [7, 7], [10, 10]], [[1, 1], [12, 12]], [[7, 8], [9, 9]]
    ]  # fmt: skip
    assert found["clusters_text_mentions"][2] == ["su perro", "Lo"]
    assert problems == []


CASES = sorted(
    path
    for pattern in ("crac_text/*.conllu", "gum_corefud/*.conllu", "corefud_cases/**/*.conllu",
                    "corefud_cases/**/*.key", "corefud_cases/**/*.response")
    for path in DATA.glob(pattern)
    if "kb09" not in path.name  # a mention that is never closed is refused
)  # fmt: skip


@needs("crac_text")
def test_the_perfect_answers_that_were_given():
    for name in ("perfect.txt", "perfect.json"):
        for preset in COREFUD:
            folder = DATA / "crac_text"
            result = score(folder / "key.conllu", folder / name, Recipe.preset(preset))
            assert (result.conll, result.problems) == (1, []), (name, preset)


@pytest.mark.slow
@needs("crac_text")
@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_perfect_answers_to_all_real_keys_score_100(path, tmp_path):
    key, *found = both(tmp_path, path.read_text("utf-8"))
    for recipe in RECIPES:
        itself = score(key, key, recipe).statistics  # 0/0 where the key has no entity left
        for response in found:
            assert score(key, response, recipe).statistics == itself, recipe.signature()
