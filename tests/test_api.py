"""The calls of the README: `score`, `read`, `Scorer`, and what importing the package costs."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import json
import pickle
import subprocess
import sys

import pytest

import corefmeter
from corefmeter import Corpus, DataError, Document, OptionError, Problem, Recipe, Scorer, score
from corefmeter.metrics import METRICS

from .metrics.letters import entities

KEY = [[(0, 1), (4, 5), (7, 8)], [(2, 3)]]
RESPONSE = [[(0, 1), (4, 5)], [(7, 8), (9, 10)]]

FILE = """#begin document (story); part 000
story\t0\t0\tAnn\t(0)
story\t0\t1\tsaw\t-
story\t0\t2\ther\t(0)|(1
story\t0\t3\tdog\t1)
#end document
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "story.conll"
    path.write_text(FILE, encoding="utf-8")
    return path


def all_scores(result):
    return {name: result[name] for name in result}


# What can be scored


def test_lists_of_entities():
    result = score(KEY, RESPONSE)
    # Key links 2 + 0, response links 1 + 1; kept: (0,1)-(4,5).
    assert result.sums("muc") == (1, 2, 1, 2)
    assert result.documents == 1


def test_paths_as_text_and_as_paths(path):
    assert score(str(path), path).lea.f1 == 1
    assert score(path, path).response == str(path)
    assert list(score(path, path).digests) == [str(path)]


def test_a_corpus_that_was_read(path):
    corpus = corefmeter.read(path)
    assert all_scores(score(corpus, path)) == all_scores(score(path, corpus))
    assert [document.entities for document in corpus] == [[[(0, 1), (2, 3)], [(2, 4)]]]


def test_a_mapping_from_name_to_entities():
    key = {"x": entities("abc"), "y": entities("ab")}
    response = {"y": entities("ab"), "x": entities("ab c")}
    result = score(key, response)
    assert result.documents == 2
    assert result.sums("muc") == (2, 3, 2, 2)
    assert [unit.name for unit in result.units] == ["x", "y"]


def test_a_corpus_of_documents_made_in_python():
    corpus = Corpus([Document("x", KEY), Document("y", RESPONSE)])
    assert score(corpus, corpus).lea.f1 == 1
    assert score(corpus, {"x": KEY, "y": RESPONSE}).lea.f1 == 1


@pytest.mark.parametrize(
    "form",
    [
        lambda entities: [tuple(entity) for entity in entities],
        lambda entities: tuple(entities),
        lambda entities: [set(entity) for entity in entities],
        lambda entities: {frozenset(entity) for entity in entities},
        lambda entities: (iter(entity) for entity in entities),
        lambda entities: [[list(mention) for mention in entity] for entity in entities],
        lambda entities: json.loads(json.dumps(entities)),
    ],
    ids=["tuples", "a tuple", "sets", "a set", "iterators", "lists as mentions", "JSON"],
)
def test_entities_may_be_any_iterables_and_lists_become_tuples(form):
    assert all_scores(score(form(KEY), RESPONSE)) == all_scores(score(KEY, RESPONSE))
    assert all_scores(score(KEY, form(RESPONSE))) == all_scores(score(KEY, RESPONSE))


def test_mentions_may_be_nested_lists():
    key = [[["d1", [0, 1]], ["d2", [3, 4]]]]
    assert score(key, [[("d1", (0, 1)), ("d2", (3, 4))]]).lea.f1 == 1


@pytest.mark.parametrize(
    "mention", [0, "she", (0, 1), None, 2.5, frozenset([1]), ("doc", (0, 1)), b"x"]
)
def test_a_mention_is_any_hashable_value(mention):
    assert score([[mention, "other"]], [[mention, "other"]]).lea.f1 == 1


def test_the_input_stays_as_it_was():
    key, response = copy.deepcopy(KEY), [[[0, 1], [4, 5]], [[0, 1]]]
    before = copy.deepcopy(response)
    score(key, response, singletons="drop")
    assert key == KEY
    assert response == before


@pytest.mark.parametrize(
    "value",
    [
        5, None, [5], ["ab", "cd"], [b"ab"], [{"a": 1}], [[{"a": 1}]], [[{1, 2}]],
        [[([1], {2: 3})]], {"x": 5}, {"x": ["ab"]}, {"x": {"e1": ["a"]}},
    ],
)  # fmt: skip
def test_what_are_no_entities_is_refused_with_a_hint(value):
    with pytest.raises(DataError, match="bad-value") as caught:
        score(value, [[1, 2]])
    assert "list of entities" in str(caught.value)


def test_the_document_that_cannot_be_read_is_named():
    with pytest.raises(DataError, match="'y'"):
        score({"x": KEY, "y": [5]}, {"x": KEY})


def test_a_mapping_without_documents_is_refused():
    with pytest.raises(DataError, match="no-document"):
        score({}, {})


@pytest.mark.parametrize(
    ("key", "response"),
    [
        (Corpus([Document("x", KEY), Document("x", KEY)]), {"x": KEY}),
        ({"x": KEY}, Corpus([Document("x", KEY), Document("x", RESPONSE)])),
        ({1: KEY, "1": RESPONSE}, {1: KEY}),
    ],
)
def test_a_document_that_stands_twice_on_a_side_is_refused(key, response):
    with pytest.raises(DataError, match="repeated-document"):
        score(key, response)


def test_sides_without_a_common_document_are_refused_with_the_nearest_names():
    with pytest.raises(DataError, match="no-common-document") as caught:
        score({"story-1": KEY}, {"story_1": KEY})
    assert "'story-1' and 'story_1'" in str(caught.value)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(DataError, match="unreadable") as caught:
        score(tmp_path / "no.conll", KEY)
    assert str(tmp_path / "no.conll") in str(caught.value)


def test_an_entity_without_mentions_counts_nothing():
    assert all_scores(score([[], *KEY], [*RESPONSE, []])) == all_scores(score(KEY, RESPONSE))


# Options


def test_options_are_fields_of_the_recipe():
    result = score(KEY, RESPONSE, metrics=["lea", "bcub"], singletons="drop")
    assert result.recipe == Recipe(metrics=["lea", "b3"], singletons="drop")
    assert list(result) == ["lea", "b3"]
    assert result.sums("b3")[1] == 3


def test_options_change_a_recipe():
    recipe = Recipe(metrics="b3")
    assert score(KEY, RESPONSE, recipe).recipe == recipe
    assert score(KEY, RESPONSE, recipe, singletons="drop").recipe == recipe.replace(
        singletons="drop"
    )


def test_a_signature_repeats_a_run():
    result = score(KEY, RESPONSE, metrics=["blanc", "lea"], blanc="luo2014", singletons="drop-key")
    again = score(KEY, RESPONSE, Recipe.parse(result.signature))
    assert all_scores(again) == all_scores(result)


def test_an_unknown_option_is_refused_with_a_hint():
    with pytest.raises(OptionError, match="unknown option 'metric'; did you mean 'metrics'"):
        score(KEY, RESPONSE, metric="lea")
    with pytest.raises(OptionError, match="unknown option 'keep_singletons'"):
        Scorer(keep_singletons=True)


@pytest.mark.parametrize(
    ("call", "given", "meant"),
    [
        (lambda **given: score(KEY, RESPONSE, **given), "metric", "metrics"),
        (lambda **given: score(KEY, RESPONSE, **given), "singleton", "singletons"),
        (lambda **given: score(KEY, RESPONSE, **given), "stricts", "strict"),
        (lambda **given: score(KEY, **given), "respones", "response"),
        (lambda **given: corefmeter.compare(KEY, {}, **given), "trail", "trials"),
        (lambda **given: corefmeter.compare(KEY, {}, **given), "singelton", "singletons"),
        (lambda **given: corefmeter.compare(KEY, **given), "system", "systems"),
        (lambda **given: corefmeter.analyse(KEY, KEY, **given), "pronoun", "pronouns"),
        (lambda **given: corefmeter.analyse(KEY, KEY, **given), "function", "functions"),
        (
            lambda **given: corefmeter.analyse(KEY, KEY, **given),
            "ceaf_similarty",
            "ceaf_similarity",
        ),
        (Scorer, "metrics_", "metrics"),
        (lambda **given: Scorer().update(KEY, KEY, **given), "nmae", "name"),
        (lambda **given: Scorer().merge(Scorer(), **given), "duplicate", "duplicates"),
        (lambda **given: corefmeter.read("x", **given), "fromat", "format"),
        (lambda **given: corefmeter.read_inline("x", "y", **given), "styl", "style"),
        (lambda **given: corefmeter.read_results(**given), "pth", "path"),
        pytest.param(
            lambda **given: corefmeter.align_objects([], [], len, **given),
            "candidate",
            "candidates",
            marks=pytest.mark.wings,
        ),
        (Recipe, "metric", "metrics"),
        (Recipe().replace, "overlap_treshold", "overlap_threshold"),
        (lambda **given: Recipe.preset("corefud2024", **given), "singleton", "singletons"),
        (lambda **given: Document("x", [], **given), "token", "tokens"),
        (lambda **given: Corpus([], **given), "problem", "problems"),
        (lambda **given: score(KEY, KEY).to_dict(**given), "bye", "by"),
        (lambda **given: score(KEY, KEY).by(**given), "groups", "group"),
    ],
)
def test_a_misspelt_keyword_is_refused_with_the_one_that_was_meant(call, given, meant):
    with pytest.raises(OptionError, match=f"option '{given}'; did you mean '{meant}'"):
        call(**{given: 1})


@pytest.mark.parametrize(
    "call",
    [
        lambda: score(KEY, KEY, "muc"),
        lambda: corefmeter.compare(KEY, [KEY, KEY], ["muc"]),
        lambda: corefmeter.analyse(KEY, KEY, "conll2012"),
        lambda: corefmeter.Scorer("conll"),
    ],
)
def test_what_is_no_recipe_is_refused_with_how_to_say_it(call):
    with pytest.raises(OptionError, match=r"is not a Recipe; give metrics as metrics=.*preset"):
        call()


def test_several_responses_of_a_system_need_names():
    with pytest.raises(
        OptionError, match=r"'ours' has several responses.* runs={'ours': \[NAME, …\]}"
    ):
        corefmeter.compare(KEY, {"ours": ["1.conll", "2.conll"], "base": KEY})


@pytest.mark.parametrize(
    "name",
    ["score", "compare", "analyse", "read", "read_inline", "read_results", "Recipe", "Scorer",
     "Document", "Corpus", pytest.param("align_objects", marks=pytest.mark.wings)],
)  # fmt: skip
def test_of_every_keyword_of_every_call_the_nearest_is_meant(name):
    call = getattr(corefmeter, name)
    parameters = inspect.signature(call).parameters.values()
    names = [one.name for one in parameters if one.kind != one.VAR_KEYWORD]
    if len(names) < len(parameters):
        names += [option.name for option in dataclasses.fields(Recipe)]
    for name in names:
        with pytest.raises(OptionError, match=f"'{name}_'; did you mean '{name}'"):
            call(**{f"{name}_": 1})


def test_strict_compares_words(path, tmp_path):
    other = tmp_path / "other.conll"
    other.write_text(FILE.replace("dog", "cat"), encoding="utf-8")
    assert score(path, other).lea.f1 == 1
    with pytest.raises(DataError, match="words-differ") as caught:
        score(path, other, strict=True)
    assert f"{other}:5" in str(caught.value)


# Scorer


def test_a_scorer_scores_as_score_does():
    documents = {"x": (entities("abc d"), entities("ab cd")), "y": (entities("ab"), entities("a"))}
    scorer = Scorer(metrics="all")
    for name, (key, response) in documents.items():
        scorer.update(key, response, name)
    together = score(
        {name: key for name, (key, _) in documents.items()},
        {name: response for name, (_, response) in documents.items()},
        metrics="all",
    )
    result = scorer.compute()
    assert result.statistics == together.statistics
    assert result.units == together.units
    assert all_scores(result) == all_scores(together)


def test_a_scorer_reports_what_score_reports():
    scorer = Scorer(metrics="rand")
    scorer.update(entities("abc"), entities("ab x"), "document")
    together = score(entities("abc"), entities("ab x"), metrics="rand")
    assert [p.code for p in scorer.compute().problems] == [p.code for p in together.problems]


def test_a_scorer_may_be_asked_at_any_time():
    scorer = Scorer(metrics="muc")
    assert scorer.compute().documents == 0
    scorer.update(entities("ab"), entities("ab"))
    first = scorer.compute()
    scorer.update(entities("abc"), entities("a"))
    assert first.sums("muc") == (1, 1, 1, 1)
    assert scorer.compute().sums("muc") == (1, 3, 1, 1)


def test_documents_without_a_name_are_numbered():
    scorer = Scorer(metrics="muc")
    for name in (None, "x", None):
        scorer.update(KEY, RESPONSE, name)
    assert [unit.name for unit in scorer.compute().units] == ["document 1", "x", "document 3"]


def test_a_part_of_a_document_has_a_name_and_a_number():
    # Links of the parts: 2 of 2 and 0 of 1.
    parts = {("bc/x", 0): (entities("abc"), entities("abc")), ("bc/x", 1): (entities("ab"), [])}
    scorer, named = Scorer(metrics="muc"), Scorer(metrics="muc")
    for name, (key, response) in parts.items():
        scorer.update(key, response, name=name)
        named.update(Document("bc/x", key, part=name[1]), Document("bc/x", response))
    result = score(
        {name: key for name, (key, _) in parts.items()},
        {name: response for name, (_, response) in parts.items()},
        metrics="muc",
    )
    assert scorer.compute() == named.compute() == result
    assert list(result.by("part")) == ["(bc/x); part 000", "(bc/x); part 001"]
    assert {name: part.sums("muc") for name, part in result.by("document").items()} == {
        "bc/x": (2, 3, 2, 2)
    }


def test_a_name_that_is_there_already_is_refused_or_asked_for():
    scorer = Scorer(metrics="muc")
    scorer.update(entities("ab"), entities("aab"), "x")
    with pytest.raises(DataError, match="repeated-document") as caught:
        scorer.update(entities("abc"), entities("abca"), "x")
    assert caught.value.problems[0].document == "x"
    with pytest.raises(OptionError, match="unknown value of duplicates 'last'"):
        scorer.update(KEY, KEY, "y", duplicates="last")
    assert scorer.compute().sums("muc") == (1, 1, 1, 1)
    assert [problem.code for problem in scorer.compute().problems] == ["repeated-mention"]
    scorer.update(entities("abc"), entities("abca"), "x", duplicates="first")
    assert scorer.compute().sums("muc") == (1, 1, 1, 1)
    codes = [problem.code for problem in scorer.compute().problems]
    assert codes == ["repeated-mention", "repeated-document"]
    scorer.update(entities("abc"), entities("abc"), "x", duplicates="keep")
    assert scorer.compute().sums("muc") == (3, 3, 3, 3)


def test_an_automatic_name_gives_way_to_one_that_was_given():
    scorer = Scorer(metrics="muc")
    for name in ("document 2", None, None, "document 3"):
        scorer.update(entities("ab"), entities("aab"), name)
    result = scorer.compute()
    names = ["document 2", "document 4", "document 5", "document 3"]
    assert [unit.label for unit in result.units] == names
    assert [problem.document for problem in result.problems] == names


def test_reset_forgets_all_documents():
    scorer = Scorer(metrics="muc")
    scorer.update(entities("ab"), entities("aab"))
    scorer.reset()
    assert scorer.compute().documents == 0
    assert scorer.compute().problems == []
    scorer.update(KEY, RESPONSE)
    assert scorer.compute().sums("muc") == (1, 2, 1, 2)


def test_scorers_merge():
    whole, one, other = (Scorer() for _ in range(3))
    for i, (key, response) in enumerate([(KEY, RESPONSE), (KEY, KEY), (RESPONSE, KEY)]):
        whole.update(key, response, f"d{i}")
        (one if i < 2 else other).update(key, response, f"d{i}")
    one.merge(other)
    assert one.compute().statistics == whole.compute().statistics
    assert one.compute().units == whole.compute().units
    assert other.compute().documents == 1


@pytest.mark.parametrize("sent", [lambda scorer: scorer, lambda s: pickle.loads(pickle.dumps(s))])
def test_merged_scorers_are_as_one_scorer_of_all_documents(sent):
    """Bit for bit, with the same names and problems; two processes of four documents each."""
    documents = [(KEY, RESPONSE), (entities("ab"), entities("aab")), (RESPONSE, KEY), (KEY, KEY)]
    whole, one, other = (Scorer(metrics="all") for _ in range(3))
    for i, (key, response) in enumerate(documents * 2):
        for scorer in (whole, one if i < 4 else other):
            scorer.update(key, response)
    one.merge(sent(other))
    assert one.compute() == whole.compute()
    assert one.compute().problems == whole.compute().problems
    assert [problem.document for problem in one.compute().problems if problem.document] == [
        "document 2", "document 6",
    ]  # fmt: skip


def test_a_document_of_both_scorers_is_refused_or_asked_for():
    # 30 documents on four processes: the sampler pads with two, and 32 are scored.
    documents = {f"d{i}": (KEY, RESPONSE if i % 3 else KEY) for i in range(30)}
    padded = [*documents, "d0", "d1"]
    whole = Scorer(metrics="muc")
    for name, (key, response) in documents.items():
        whole.update(key, response, name)

    def shards():
        made = [Scorer(metrics="muc") for _ in range(4)]
        for i, name in enumerate(padded):
            made[i % 4].update(*documents[name], name)
        return made

    first, *rest = shards()
    with pytest.raises(DataError, match="repeated-document"):
        first.merge(rest[1])
    for shard in rest:
        first.merge(shard, duplicates="first")
    result = first.compute()
    assert result.documents == 30
    assert result.sums("muc") == whole.compute().sums("muc")
    assert [p.document for p in result.problems] == ["d0", "d1"]
    first, *rest = shards()
    for shard in rest:
        first.merge(shard, duplicates="keep")
    assert first.compute().documents == 32


def test_a_scorer_does_not_merge_with_itself():
    scorer = Scorer(metrics="muc")
    scorer.update(KEY, KEY)
    with pytest.raises(DataError, match="repeated-document"):
        scorer.merge(scorer)
    assert scorer.compute().documents == 1


def test_nothing_is_merged_where_one_document_is_refused():
    one, other = Scorer(metrics="muc"), Scorer(metrics="muc")
    one.update(KEY, KEY, "x")
    for name in ("y", "x"):
        other.update(KEY, KEY, name)
    with pytest.raises(DataError, match="repeated-document"):
        one.merge(other)
    assert [unit.label for unit in one.compute().units] == ["x"]
    one.merge(other, duplicates="keep")
    assert [unit.label for unit in one.compute().units] == ["x", "y", "x"]


def test_scorers_with_different_recipes_do_not_merge():
    with pytest.raises(OptionError, match="different recipes"):
        Scorer().merge(Scorer(singletons="drop"))


def test_a_scorer_takes_lists_as_mentions_and_reports_repeated_ones():
    scorer = Scorer(metrics="muc")
    scorer.update([[[0, 1], [2, 3]]], [[[0, 1], [2, 3], [0, 1]]], "x")
    result = scorer.compute()
    assert result.muc.f1 == 1
    assert [problem.code for problem in result.problems] == ["repeated-mention"]
    assert result.problems[0].document == "x"


def test_a_document_that_is_refused_leaves_a_scorer_as_it_was():
    scorer = Scorer(metrics="muc", repeated="error")
    scorer.update(KEY, KEY)
    before = json.dumps(scorer.state_dict())
    for bad in ([5], entities("aab")):
        with pytest.raises(DataError):
            scorer.update(bad, KEY)
    assert scorer.compute().documents == 1
    assert scorer.compute().problems == []
    assert json.dumps(scorer.state_dict()) == before


def test_a_scorer_goes_on_from_a_state_that_was_saved():
    """With all that it told, numbered and left out."""
    scorer = Scorer(metrics="all", singletons="drop")
    documents = [(KEY, RESPONSE), (entities("ab c"), entities("aab d")), (RESPONSE, KEY)]
    for key, response in documents:
        scorer.update(key, response)
    state = scorer.state_dict()
    assert json.loads(json.dumps(state, allow_nan=False)) == state
    again = Scorer(metrics="all", singletons="drop")
    again.update(KEY, KEY, "gone")
    again.load_state_dict(state)
    other = pickle.loads(pickle.dumps(scorer))
    for one in (scorer, again):
        one.update(KEY, KEY)
        one.merge(other)
    assert again.compute() == scorer.compute()
    assert again.compute().problems == scorer.compute().problems
    codes = {problem.code for problem in again.compute().problems}
    assert {"repeated-mention", "singletons-dropped"} <= codes
    other.update(KEY, KEY, "x")
    again.load_state_dict(other.state_dict())
    with pytest.raises(DataError, match="repeated-document"):
        again.update(KEY, KEY, "x")


def test_a_state_knows_why_hardly_any_mention_is_the_same():
    """Ends that one side counts as a part of the mention, and the other not."""
    scorer, again = Scorer(metrics="muc"), Scorer(metrics="muc")
    scorer.update([[(i, i + 2) for i in range(9)]], [[(i, i + 1) for i in range(9)]])
    again.load_state_dict(scorer.state_dict())
    (problem,) = again.compute().problems
    assert (problem.code, problem.hint is None) == ("no-common-mention", False)
    assert scorer.compute().problems == [problem]


def test_a_state_that_does_not_fit_is_refused_and_changes_nothing():
    scorer = Scorer(metrics="muc")
    scorer.update(KEY, KEY)
    before = scorer.state_dict()
    with pytest.raises(OptionError, match="another recipe or version"):
        scorer.load_state_dict(Scorer(metrics="muc", singletons="drop").state_dict())
    with pytest.raises(OptionError, match="another recipe or version"):
        scorer.load_state_dict({"signature": "corefmeter:0.0.1|metrics:muc", "counted": [{}]})
    one = before["counted"][0]
    for bad in (
        {}, [], before | {"problems": [{"text": "x"}]}, before | {"counted": [{}]},
        before | {"counted": [one | {"rows": []}]}, before | {"counted": [one | {"unit": []}]},
    ):  # fmt: skip
        with pytest.raises(DataError, match="not the state of a Scorer"):
            scorer.load_state_dict(bad)
    assert scorer.state_dict() == before


@pytest.mark.parametrize("wrong", [KeyboardInterrupt, ZeroDivisionError])
def test_an_exception_in_update_leaves_a_scorer_as_it_was(wrong):
    def importance(entity):
        if len(entity) == 3:
            raise wrong
        return len(entity)

    scorer = Scorer(metrics=["muc", "lea"], lea_importance=importance)
    scorer.update(entities("ab"), entities("aab"), "x")
    before = scorer.compute()
    with pytest.raises(wrong):
        scorer.update(entities("abc"), entities("abca"), "y")
    assert scorer.compute() == before
    assert scorer.compute().problems == before.problems
    scorer.update(entities("ab"), entities("ab"), "y")  # the name is not taken
    assert scorer.compute().sums("muc") == (2, 2, 2, 2)


def test_a_scorer_cannot_join_documents():
    with pytest.raises(OptionError, match="one by one"):
        Scorer(as_one_document=True)


def test_a_scorer_can_be_pickled_and_goes_on():
    scorer = Scorer(metrics="all", lea_importance=len)
    scorer.update(KEY, RESPONSE)
    again = pickle.loads(pickle.dumps(scorer))
    again.update(KEY, KEY)
    scorer.update(KEY, KEY)
    assert again.compute().statistics == scorer.compute().statistics


# Errors


def test_errors_can_be_pickled():
    """A worker process must be able to send them home."""
    problem = Problem("bad-cell", "cannot be read", "error", path="x.conll", line=3, column=7)
    for error in (DataError([problem, problem]), OptionError("unknown metric 'x'")):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == str(error)
    assert pickle.loads(pickle.dumps(DataError(problem))).problems == [problem]
    assert pickle.loads(pickle.dumps(problem)) == problem


def test_every_error_of_ours_has_one_base():
    assert issubclass(DataError, corefmeter.CorefmeterError)
    assert issubclass(OptionError, corefmeter.CorefmeterError)


def test_a_data_error_prints_the_first_twenty_problems_and_keeps_all():
    error = DataError([Problem("bad-cell", f"number {i}", "error") for i in range(30)])
    assert len(error.problems) == 30
    assert len(str(error).splitlines()) == 21
    assert str(error).endswith("... and 10 more")


# The public names


@pytest.mark.wings
def test_the_public_names_are_there():
    for name in corefmeter.__all__:
        assert getattr(corefmeter, name) is not None
    assert set(corefmeter.__all__) <= set(dir(corefmeter))


def test_what_is_not_public_is_no_attribute():
    with pytest.raises(AttributeError, match="no attribute 'evaluate'"):
        _ = corefmeter.evaluate


def test_every_metric_can_be_asked_for_by_score():
    for name in METRICS:
        options = {"ceaf_similarity": "builtins:min"} if name == "ceaf" else {}
        assert score(KEY, RESPONSE, metrics=name, **options)[name].f1 <= 1


# The import budget: nothing but the standard library and click


def third_party_modules(code: str) -> set[str]:
    """Packages outside the standard library that are loaded after running code in a new process."""
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        f"{code}\n"
        "loaded = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "names = sys.stdlib_module_names | {'__main__'}\n"
        "print('LOADED', *sorted(loaded - names), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("LOADED")]
    return set(line.split()[1:])


def test_importing_the_package_imports_nothing_else():
    assert third_party_modules("import corefmeter") == {"corefmeter"}


def test_scoring_in_python_imports_nothing_else(path):
    code = f"import corefmeter; corefmeter.score({str(path)!r}, {str(path)!r}, metrics='all')"
    assert third_party_modules(code) == {"corefmeter"}


@pytest.mark.parametrize("arguments", [["-f", "json"], ["-f", "json", "--by", "document"]])
def test_scoring_on_the_command_line_imports_click_alone(path, tmp_path, arguments):
    output = tmp_path / "result.json"
    command = ["corefmeter", "score", str(path), str(path), "-o", str(output), *arguments]
    code = (
        f"sys.argv = {command!r}\n"
        "from corefmeter.cli.main import main\n"
        "try:\n    main()\n"
        "except SystemExit as done:\n    assert not done.code, done.code\n"
    )
    assert third_party_modules(code) <= {"corefmeter", "click"}
    entry = json.loads(output.read_text("utf-8"))["results"][0]
    assert entry["scores"]["conll"]["f1"] == 1


def test_the_budget_test_would_notice(path):
    """It sees a package that is imported on the way."""
    assert "click" in third_party_modules("import click")


@pytest.mark.parametrize("side", ["key", "response"])
@pytest.mark.parametrize(
    ("pairs", "alone", "others", "told"),
    [(9, 1, 10, True), (9, 1, 9, False), (10, 1, 11, False), (8, 1, 10, False), (0, 10, 10, True)],
)
def test_singletons_of_one_side_are_noticed(side, pairs, alone, others, told):
    """A tenth of at least ten entities, where the other side has ten and no singletons."""
    with_them = [[(i, i + 1), (i + 50, i + 51)] for i in range(pairs)]
    with_them += [[(i + 100, i + 101)] for i in range(alone)]
    without = [[(i, i + 1), (i + 50, i + 51)] for i in range(others)]
    sides = (with_them, without) if side == "key" else (without, with_them)
    found = [p for p in score(*sides).problems if p.code == "singletons-differ"]
    assert len(found) == told
    blind = score(*sides, metrics=["muc", "links"]).problems
    assert "singletons-differ" not in {p.code for p in blind}
    if told:
        message = f"{alone} of {pairs + alone} entities of the {side} are singletons, but none of"
        assert found[0].message.startswith(message)
        problems = score(*sides, singletons="drop").problems
        assert "singletons-differ" not in {p.code for p in problems}
