"""A recipe prints as a signature, parses back to an equal one, and refuses unknown values."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, fields

import pytest

from corefmeter import DataError, OptionError, Recipe, __version__, score
from corefmeter.metrics import DEFAULT, METRICS
from corefmeter.recipe import usual_signature
from corefmeter.signature import Change, check_version


def overlap_share(common: int, key_size: int, response_size: int) -> float:
    return 2 * common / (key_size + response_size)


class Weights:
    """An importance that is an attribute of a class."""

    @staticmethod
    def root(entity) -> float:
        return len(entity) ** 0.5


#: For each field, values beside its default.
VALUES = {
    "metrics": [("lea",), ("muc", "conll"), ("mela",), ("b3", "ceafe", "blanc")],
    "match": ["head", "partial", "overlap", "minspan", "craft"],
    "overlap_threshold": [0.75, 1, "0.1"],
    "align": ["characters"],
    "zeros": ["dependency"],
    "singletons": ["drop", "drop-key", "drop-response"],
    "repeated": ["error", "merge", "distinct", "official"],
    "documents": ["strict", "concatenate"],
    "identity": ["Same_As", "Same_As+coref", ["Same_As", "coref"], "a,b"],
    "as_one_document": [True],
    "shared_ids": [True],
    "layer": ["deixis"],
    "split_antecedents": [True],
    "noise": ["-1", -1, "none", "no cluster", "a:b"],
    "average": ["macro"],
    "undefined": ["one", "skip"],
    "blanc": ["luo2014", "corefud", "recasens2011"],
    "lea_importance": ["one", "builtins:len", len, "os.path:basename"],
    "ceaf_similarity": ["builtins:max", max],
    "nmi_mean": ["geometric", "min", "max"],
    "gmd_cost": ["pairs", "information"],
    "mela_weights": [
        (("muc", 1.0), ("lea", 2.0)), {"b3": 0.5}, "muc=1+b3=2.5",
        pytest.param(
            {"muc": 1 / 3, "b3": 2 / 3},
        ),
        pytest.param(
            {"muc": 1, "b3": 0},
        ),
    ],
}  # fmt: skip


def plain(value):
    """The value of a parameter, with or without marks."""
    return value.values[0] if hasattr(value, "marks") else value


def given_again(read: Recipe, recipe: Recipe) -> Recipe:
    """A recipe that was read, with the functions of the one that was written: none is imported."""
    functions = {
        option.name: value
        for option in fields(Recipe)
        if callable(value := getattr(recipe, option.name))
    }
    for name, function in functions.items():
        assert getattr(read, name) == f"{function.__module__}:{function.__qualname__}"
    return read.replace(**functions)


def test_every_field_is_tried_here():
    """A new field of the recipe needs values in `VALUES`."""
    assert list(VALUES) == [option.name for option in fields(Recipe) if option.name != "others"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param(name, plain(value), marks=getattr(value, "marks", ()))
        for name, values in VALUES.items()
        for value in values
    ],
)
def test_a_signature_parses_back_to_an_equal_recipe(name, value):
    recipe = Recipe(**{name: value})
    assert given_again(Recipe.parse(recipe.signature()), recipe) == recipe
    assert f"|{name}:" in recipe.signature()
    if isinstance(value, dict):
        assert dict(recipe.mela_weights) == value


def test_all_fields_at_once_parse_back():
    last = {name: plain(values[0]) for name, values in VALUES.items()}
    recipe = Recipe(**last)
    assert given_again(Recipe.parse(recipe.signature()), recipe) == recipe


@pytest.mark.parametrize("option", [option.name for option in fields(Recipe)])
def test_every_choice_is_listed_and_accepted(option):
    choices = Recipe.__dataclass_fields__[option].metadata["choices"]
    for choice in choices:
        assert getattr(Recipe(**{option: choice}), option) == choice
    assert not choices or set(VALUES.get(option, ())) <= set(choices)


def names(signature: str) -> list[str]:
    return [part.partition(":")[0] for part in signature.split("|")]


def test_a_signature_starts_with_the_version():
    assert Recipe().signature().startswith(f"corefmeter:{__version__}|metrics:")


def test_a_signature_names_every_option_that_can_change_a_number():
    everything = Recipe(
        metrics=["all", "mela", "ceaf"],
        match="overlap",
        as_one_document=True,
        ceaf_similarity=max,
        identity="coref",
        noise="-1",
    )
    assert names(everything.signature()) == ["corefmeter", *VALUES]
    always = {
        "corefmeter", "metrics", "match", "singletons", "repeated", "documents", "as_one_document",
        "average", "undefined",
    }  # fmt: skip
    for metric, option in {
        "blanc": "blanc", "lea": "lea_importance", "mela": "mela_weights", "nmi": "nmi_mean",
        "gmd": "gmd_cost",
    }.items():  # fmt: skip
        assert {*always, option} <= set(names(Recipe(metrics=metric).signature()))
    assert always <= set(names(Recipe(metrics="muc").signature()))


@pytest.mark.parametrize(
    ("weights", "option"),
    [({"lea": 1, "muc": 1}, "lea_importance"), ({"blanc": 1, "muc": 1}, "blanc")],
)
def test_an_option_of_a_part_of_an_average_is_named_too(weights, option):
    recipe = Recipe(metrics="mela", mela_weights=weights)
    assert option in names(recipe.signature())


def test_a_signature_is_one_line_without_blanks():
    signature = Recipe(metrics="all").signature()
    assert signature.split() == [signature]


def test_the_defaults_are_those_of_the_official_scorer():
    recipe = Recipe()
    assert recipe.metrics == DEFAULT
    assert (recipe.match, recipe.singletons, recipe.repeated) == ("exact", "keep", "first")
    assert (recipe.documents, recipe.average, recipe.undefined) == ("official", "pooled", "zero")
    assert (recipe.blanc, recipe.lea_importance) == ("official", "size")
    assert (recipe.as_one_document, recipe.shared_ids) == (False, False)


def test_fields_that_a_signature_does_not_name_have_their_defaults():
    assert Recipe.parse("singletons:drop") == Recipe(singletons="drop")
    assert Recipe.parse("corefmeter:0.1.0|metrics:lea\n") == Recipe(metrics="lea")


@pytest.mark.parametrize(
    ("signature", "recipe"),
    [
        # Before matching was an option, all others stood there, whatever was asked for.
        (
            "corefmeter:0.1.0|metrics:lea|match:exact|singletons:keep|repeated:first|"
            "documents:official|as_one_document:no|shared_ids:no|average:pooled|undefined:zero|"
            "blanc:official|lea_importance:size|ceaf_similarity:none|"
            "mela_weights:muc=1+b3=1+ceafe=1",
            Recipe(metrics="lea"),
        ),
        (
            "corefmeter:0.1.0|metrics:mela+lea|match:exact|singletons:keep|repeated:first|"
            "documents:official|as_one_document:yes|shared_ids:yes|average:pooled|undefined:zero|"
            "blanc:luo2014|lea_importance:builtins:len|ceaf_similarity:none|"
            "mela_weights:muc=2+b3=0.5",
            Recipe(metrics=["mela", "lea"], as_one_document=True, shared_ids=True, blanc="luo2014",
                   lea_importance=len, mela_weights={"muc": 2, "b3": 0.5}),
        ),
        # Other spellings of the same values.
        (
            "corefmeter:0.1.0|metrics:MUC+bcub|match:overlap|overlap_threshold:0.50",
            Recipe(metrics=["muc", "b3"], match="overlap"),
        ),
    ],
)  # fmt: skip
def test_signatures_of_old_are_read(signature, recipe):
    assert given_again(Recipe.parse(signature), recipe) == recipe
    # What they carry without effect does not stand in the way of other metrics.
    assert recipe.asked(metrics="muc").metrics == ("muc",)


@pytest.mark.parametrize("version", ["0.0.9", "0.1.0", "0.2.0.dev0", "0.2.0", "next"])
def test_a_signature_of_another_version_warns(version):
    with pytest.warns(UserWarning, match=f"of corefmeter {version}, but this is {__version__}"):
        assert Recipe.parse(f"corefmeter:{version}|metrics:lea") == Recipe(metrics="lea")
    noticed = []
    Recipe.parse(f"corefmeter:{version}|metrics:lea", noticed)
    assert [problem.code for problem in noticed] == ["other-version"]
    assert ("newer" in str(noticed[0])) == (version == "0.2.0")
    Recipe.parse(f"corefmeter:{__version__}|metrics:lea", noticed)
    Recipe.parse("metrics:lea", noticed)
    assert len(noticed) == 1


def test_development_versions_are_in_order(monkeypatch):
    """0.2.0.dev1 < 0.2.0.dev2 < 0.2.0.dev10 < 0.2.0 < 0.10.0.dev1."""
    order = ["0.1.0", "0.2.0.dev1", "0.2.0.dev2", "0.2.0.dev10", "0.2.0", "0.10.0.dev1"]
    for n, changed in enumerate(order):
        monkeypatch.setattr("corefmeter.signature.CHANGES", (Change(changed, "all", {}),))
        for m, version in enumerate(order[:-1]):
            now, signature = f"corefmeter:{order[-1]}", f"corefmeter:{version}"
            if m < n:
                with pytest.raises(DataError, match="since then numbers changed: all"):
                    check_version(signature, now)
            else:
                assert len(check_version(signature, now)) == 1


def test_a_signature_is_refused_where_numbers_changed_since(monkeypatch):
    changes = (
        Change("0.0.5", "LEA of repeated mentions", {"metrics": ["lea"], "repeated": ["first"]}),
        Change("9.0", "all", {}),
    )
    monkeypatch.setattr("corefmeter.signature.CHANGES", changes)
    for text in ("corefmeter:0.0.4|metrics:muc+lea", "corefmeter:0.0.4.dev1|metrics:lea"):
        with pytest.raises(DataError, match="LEA of repeated mentions") as refused:
            Recipe.parse(text, [])
        assert [problem.code for problem in refused.value.problems] == ["other-version"]
    for text in (
        "corefmeter:0.0.5|metrics:lea",
        "corefmeter:0.0.4|metrics:muc",
        "corefmeter:0.0.4|metrics:lea|repeated:merge",
        "metrics:lea",
    ):
        Recipe.parse(text, [])


#: Options that change nothing by themselves, what they need, and with what they do.
WITHOUT_EFFECT = [
    ({"overlap_threshold": 0.7}, "match 'overlap'", {"match": "overlap"}),
    ({"shared_ids": True}, "as_one_document", {"as_one_document": True}),
    ({"blanc": "luo2014", "metrics": "muc"}, "the metric blanc", {"metrics": "blanc"}),
    ({"lea_importance": "one", "metrics": "muc"}, "the metric lea", {"metrics": "lea"}),
    ({"ceaf_similarity": max}, "the metric ceaf", {"metrics": "ceaf"}),
    ({"mela_weights": {"muc": 1}}, "the metric mela", {"metrics": "mela"}),
]


@pytest.mark.parametrize(("options", "needed", "also"), WITHOUT_EFFECT)
def test_an_option_of_a_call_that_changes_nothing_is_refused(options, needed, also):
    with pytest.raises(OptionError, match=f"has no effect without {needed}"):
        Recipe().asked(**options)
    assert Recipe().asked(**options | also) == Recipe(**options | also)
    # A recipe may carry it.
    assert Recipe(**options).asked(singletons="drop").replace(metrics="b3").metrics == ("b3",)


@pytest.mark.wings
@pytest.mark.parametrize("option", [{"shared_ids": True}, {"identity": "Same_As"}])
def test_every_call_refuses_options_without_effect(option):
    from corefmeter import Scorer, agree, analyse, card, compare, report, score, score_text

    key = [["a", "b"]]
    for call in (
        lambda: score(key, key, **option),
        lambda: Scorer(**option),
        lambda: analyse(key, key, **option),
        lambda: card(key, key, **option),
        lambda: report(key, {"a": key}, **option),
        lambda: agree([key, key], **option),
        lambda: compare(key, {"a": key, "b": key}, **option),
        lambda: score_text("[Ann]_1 saw [her]_1", "[Ann]_1", **option),
    ):
        with pytest.raises(OptionError, match=f"{next(iter(option))} has no effect"):
            call()
    with pytest.raises(OptionError, match="shared_ids has no effect"):
        Recipe.preset("litbank", shared_ids=True)


@pytest.mark.parametrize(
    "options",
    [
        {"shared_ids": False}, {"ceaf_similarity": None}, {"zeros": "dependency"},
        {"metrics": "mela", "mela_weights": {"lea": 1}, "lea_importance": "one"},
    ],
)  # fmt: skip
def test_what_asks_for_nothing_or_works_through_an_average_is_allowed(options):
    assert Recipe().asked(**options) == Recipe(**options)


def test_zeros_by_position_are_asked_for_where_they_can_be_told_from_others():
    with pytest.raises(OptionError, match="zeros has no effect without a match other"):
        Recipe().asked(zeros="position")
    for recipe in (Recipe(match="head"), Recipe(metrics="zero"), Recipe(zeros="dependency")):
        assert recipe.asked(zeros="position").zeros == "position"


def test_a_recipe_is_a_value():
    assert Recipe(metrics="muc") == Recipe(metrics=["muc"]) == Recipe(metrics=("MUC",))
    assert hash(Recipe(metrics="muc")) == hash(Recipe(metrics=["muc"]))
    assert Recipe() != Recipe(singletons="drop")
    with pytest.raises(FrozenInstanceError):
        Recipe().singletons = "drop"


@pytest.mark.parametrize(
    "recipe", [Recipe(), Recipe(lea_importance=Weights.root, ceaf_similarity=overlap_share)]
)
def test_a_recipe_can_be_pickled(recipe):
    assert pickle.loads(pickle.dumps(recipe)) == recipe


# Metrics


@pytest.mark.parametrize(
    "metrics",
    [
        ("muc", "b3", "ceafe"), ["MUC", "bcub", "CEAF_e"], "muc+b3+ceafe", "muc,bcub,ceaf_phi4",
        "muc, b3, ceafe", ["muc", "b3", "muc", "bcubed", "ceafe"],
    ],
)  # fmt: skip
def test_metrics_are_named_in_one_way(metrics):
    assert Recipe(metrics=metrics).metrics == ("muc", "b3", "ceafe")


def test_all_means_every_metric_that_needs_no_option():
    everything = Recipe(metrics="all").metrics
    assert everything[: len(DEFAULT)] == DEFAULT
    assert set(everything) == {*METRICS, "conll"} - {"ceaf"}
    assert Recipe(metrics=["all", "mela"]).metrics == (*everything, "mela")


def test_the_components_of_an_average_are_computed():
    assert Recipe(metrics="conll").base_metrics() == ["muc", "b3", "ceafe"]
    assert Recipe(metrics=["b3", "conll"]).base_metrics() == ["b3", "muc", "ceafe"]
    weights = {"lea": 1, "blanc": 1}
    assert Recipe(metrics="mela", mela_weights=weights).base_metrics() == ["lea", "blanc"]


def test_a_recipe_asks_for_a_metric():
    with pytest.raises(OptionError, match="no metric"):
        Recipe(metrics=[])


# What does not exist is refused, with the nearest thing that does


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": "cefae"}, "unknown metric 'cefae'; did you mean 'ceafe'?"),
        ({"metrics": ["muc", "lee"]}, "unknown metric 'lee'; did you mean 'lea'?"),
        ({"singletons": "dropp"}, "unknown value of singletons 'dropp'; did you mean 'drop'?"),
        ({"repeated": "frist"}, "unknown value of repeated 'frist'; did you mean 'first'?"),
        ({"documents": "strictly"}, "unknown value of documents 'strictly'; did you mean 'strict'"),
        ({"average": "micro"}, "unknown value of average 'micro'; did you mean 'macro'?"),
        ({"undefined": "zeros"}, "unknown value of undefined 'zeros'; did you mean 'zero'?"),
        ({"blanc": "luo"}, "unknown value of blanc 'luo'; did you mean 'luo2014'?"),
        ({"match": "exactly"}, "unknown value of match 'exactly'; did you mean 'exact'?"),
        ({"match": None}, "unknown value of match None"),
        ({"lea_importance": "sise"}, "unknown value of lea_importance 'sise'; did you mean 'size'"),
        ({"ceaf_similarity": "phi3"}, "unknown value of ceaf_similarity 'phi3'"),
        ({"mela_weights": {"muk": 1}}, "unknown metric 'muk'; did you mean 'muc'?"),
    ],
)
def test_an_unknown_value_is_refused_with_the_nearest_one(options, message):
    with pytest.raises(OptionError) as caught:
        Recipe(**options)
    assert message in str(caught.value)


def test_the_message_for_an_unknown_value_lists_all_there_are():
    with pytest.raises(OptionError) as caught:
        Recipe(repeated="last")
    known = Recipe.__dataclass_fields__["repeated"].metadata["choices"]
    assert {"first", "error", "merge", "official"} <= set(known)
    assert f"Known: {', '.join(known)}" in str(caught.value)


def test_an_unknown_option_is_refused_with_the_nearest_one():
    with pytest.raises(OptionError, match=r"'singleton'; did you mean 'singletons'\?"):
        Recipe().replace(singleton="drop")


def test_a_metric_in_place_of_a_recipe_is_refused_with_both_forms():
    with pytest.raises(OptionError, match=r"'muc' is not a Recipe; give metrics as metrics=\["):
        score([], [], recipe="muc")


def test_the_old_name_of_replace_warns():
    with pytest.warns(DeprecationWarning, match=r"Recipe\.but is now Recipe\.replace"):
        assert Recipe().but(singletons="drop") == Recipe(singletons="drop")


def test_replace_changes_some_options():
    assert Recipe(metrics="lea").replace(singletons="drop") == Recipe(
        metrics="lea", singletons="drop"
    )
    with pytest.raises(OptionError):
        Recipe().replace(blanc="none")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("os.path:no_such_function", "cannot be imported"),
        ("no_such_module:function", "cannot be imported"),
        ("os:sep", "is not a function"),
        (":f", "cannot be imported"),
        (".a:f", "cannot be imported"),
        ("os:", "cannot be imported"),
        ("os:path..join", "cannot be imported"),
    ],
)
@pytest.mark.parametrize("option", ["lea_importance", "ceaf_similarity"])
def test_a_function_that_cannot_be_had_is_refused(option, value, message):
    with pytest.raises(OptionError, match=message) as caught:
        Recipe(**{option: value})
    assert option in str(caught.value)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("muc=x", "not a number"),
        ({"muc": -1}, "not 0 or more"),
        ({"muc": float("nan")}, "not 0 or more"),
        ({"muc": float("inf")}, "not 0 or more"),
        ("muc=0", "all weights are 0"),
        ({"conll": 1}, "itself an average"),
        ({"muc": 10**400}, "not a number"),
        ({"muc": 1e308, "b3": 1e308}, "more than a number can be"),
        ({}, "all weights are 0"),
    ],
)
def test_weights_that_mean_nothing_are_refused(weights, message):
    with pytest.raises(OptionError, match=message):
        Recipe(mela_weights=weights)


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("", "not a signature"),
        ("MUC 71.2", "not a signature"),
        ("corefmeter:0.1.0|lea", "not a signature: 'lea' does not have the form name:value"),
        ("singleton:drop", "unknown option 'singleton'; did you mean 'singletons'?"),
        ("singletons:remove", "unknown value of singletons 'remove'"),
        ("metrics:muc+cefae", "unknown metric 'cefae'; did you mean 'ceafe'?"),
        ("shared_ids:true", "unknown value of shared_ids 'true'"),
        ("blanc:none", "unknown value of blanc None"),
        ("singletons:drop|metrics:lea|singletons:keep", "it names singletons twice"),
        ("overlap_threshold:" + "9" * 400, "is not above 0 and at most 1"),
        ("mela_weights:muc=1e308+b3=1e308", "more than a number can be"),
        ("mela_weights:muc=" + "9" * 400, "is not 0 or more"),
    ],
)
def test_what_is_no_signature_is_refused(signature, message):
    with pytest.raises(OptionError) as caught:
        Recipe.parse(signature)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"as_one_document": "no"}, "as_one_document"),
        ({"shared_ids": 1}, "shared_ids"),
        ({"lea_importance": 5}, "lea_importance"),
        ({"lea_importance": None}, "lea_importance"),
        ({"ceaf_similarity": 5}, "ceaf_similarity"),
        ({"metrics": None}, "metric"),
        ({"metrics": ["muc", 3]}, "metric"),
        ({"mela_weights": 3}, "mela_weights"),
        ({"mela_weights": [("muc", None, 1)]}, "mela_weights"),
        ({"mela_weights": {"muc": [1]}}, "mela_weights"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(options, name):
    with pytest.raises(OptionError) as caught:
        Recipe(**options)
    assert name in str(caught.value)


def test_an_option_error_is_a_value_error_too():
    """So that callers who know nothing of this package can catch it."""
    with pytest.raises(ValueError, match="unknown"):
        Recipe(blanc="x")


def test_a_function_without_a_name_works_and_must_be_given_again():
    recipe = Recipe(lea_importance=lambda entity: 1)
    assert "<lambda>" in recipe.signature()
    read = Recipe.parse(recipe.signature())
    assert read.signature() == recipe.signature()
    with pytest.raises(OptionError, match="these are never imported"):
        read.lea_importance(["a"])
    with pytest.raises(OptionError, match="must have a name of its own"):
        Recipe(lea_importance=str(read.lea_importance))


def test_the_usual_signature_is_that_of_the_default_recipe():
    assert usual_signature() == Recipe().signature()
