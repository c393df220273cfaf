"""Other ways to write options: --set NAME=VALUE, and the names that options had before."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import click
import pytest

from corefmeter.cli.main import program
from corefmeter.recipe import Recipe

from .. import command
from ..whole.counted import leaves
from .test_completion import words

EXAMPLES = Path(__file__).parents[2] / "examples"
KEY, A, B = "key.conll", "system-a.conll", "system-b.conll"

run = partial(command.run, folder=EXAMPLES)


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (("--overlap-threshold", "0.7"), ("--set", "overlap_threshold=0.7")),
        (("--undefined", "one"), ("--set", "undefined=one")),
        (("--lea-importance", "one"), ("--set", "lea-importance=one")),
        (("--shared-ids",), ("--set", "shared_ids=yes")),
        (
            ("--shared-ids", "--blanc", "luo2014"),
            ("--set", "blanc=luo2014", "--set", "shared-ids=yes"),
        ),
        (("--singletons", "drop"), ("--set", "singletons=drop")),
        ((), ("--set", "shared_ids=no")),
    ],
)
def test_set_is_the_option_that_it_names(before, now):
    usual = ("--match", "overlap", "--as-one-document")
    outputs = [run("score", KEY, A, *usual, *given, "-f", "json") for given in (before, now)]
    assert [one.returncode for one in outputs] == [0, 0]
    assert outputs[0] == outputs[1]
    for name, value in (text.split("=") for text in now if "=" in text):
        if value != "no":
            assert re.search(f'\\|{name.replace("-", "_")}:{value}[|"]', outputs[1].stdout)


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (("--alpha", "0.2", "--seed", "7"), ("--set", "alpha=0.2", "--set", "seed=7")),
        (("--unit", "part"), ("--set", "unit=part")),
        (("--part", "linking"), ("--set", "part=linking")),
    ],
)
def test_set_has_the_options_of_a_comparison(before, now):
    usual = ("compare", KEY, A, B, "-m", "conll", "-f", "json")
    assert run(*usual, *now) == run(*usual, *before)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["undefinde=one"], "unknown option 'undefinde'; did you mean 'undefined'?"),
        (["undefined=noe"], "unknown value of undefined 'noe'; did you mean 'one'?"),
        (["shared_ids=maybe"], "unknown value of shared_ids 'maybe'"),
        (["overlap_threshold=much"], "overlap_threshold: 'much' is not a number"),
        (["undefined"], "--set undefined: write NAME=VALUE"),
        (["undefined=one", "--undefined", "zero"], "undefined is given twice"),
        (["undefined=one", "--set", "undefined=one"], "undefined is given twice"),
        (["overlap_threshold=0.7"], "overlap_threshold has no effect without match 'overlap'"),
    ],
)
def test_what_set_does_not_know_is_refused(arguments, message):
    done = run("score", KEY, A, "--set", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"Error: {message}" in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("alpha=x", "alpha: 'x' is not a valid float"),
        ("seed=-1", "seed: -1 is not in the range x>=0"),
        ("alpah=1", "unknown option 'alpah'; did you mean 'alpha'?"),
    ],
)
def test_what_set_does_not_know_of_a_comparison_is_refused(text, message):
    done = run("compare", KEY, A, B, "--set", text)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_command_has_what_its_own_options_are():
    """Annotators agree without a direction, so that documents of one side only are no question."""
    done = run("match", KEY, A, "--set", "undefined=one")
    assert done.returncode == 2
    assert "unknown option 'undefined'" in done.stderr


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("corefmeter score --set un", ["undefined="]),
        (
            "corefmeter score --set undefined=",
            ["undefined=zero", "undefined=one", "undefined=skip"],
        ),
        ("corefmeter score --set shared-ids=y", ["shared_ids=yes"]),
        ("corefmeter compare --set inter", ["interval="]),
        ("corefmeter compare --set interval=b", ["interval=bca"]),
    ],
)
def test_names_and_values_are_completed(line, expected):
    assert words(line) == expected


#: The names that options had, with what uses them and the part of the output that shows it.
FORMER = {
    "compare --by": ("--by", "part", KEY, A, B, "-m", "conll"),
    "errors --by": ("--by", "span", KEY, A),
    "card --by": ("--by", "tokens", KEY, A),
    "report --by": ("--by", "span", KEY, A, "-o", "-"),
    "agree --by": ("--by", "tokens", A, B),
    "score --option": ("--option", "ace_weights=ace2007+type:*=1", KEY, A, "-m", "ace"),
    "lab experiment --draws": ("--draws", "2", "luo-sweep", KEY),
    "lab experiment --write-format": ("luo-figure1", "--write-format", "e2e", "--write", "OUT"),
    "lab damage --samples": ("--samples", "2", KEY, "--kind", "split", "-m", "b3"),
    "clusters --worst-to": ("--worst-to", "OUT", *["TABLE"] * 2, "-m", "b3"),
}


@pytest.mark.wings
@pytest.mark.parametrize("case", FORMER)
def test_a_former_name_works_with_a_warning(case, tmp_path):
    (tmp_path / "TABLE").write_text("id,cluster\n1,a\n2,a\n3,b\n")
    places = {"TABLE": str(tmp_path / "TABLE")}
    name, old = case.rsplit(" ", 1)
    (option,) = (o for o in leaves()[name].params if old in getattr(o, "formerly", ()))
    new = max(option.opts, key=len)
    outputs = []
    for spelling in (old, new):
        places["OUT"] = str(tmp_path / f"out{len(outputs)}")
        given = [spelling if word == old else places.get(word, word) for word in FORMER[case]]
        outputs.append(run(*name.split(), *given))
    assert [one.returncode for one in outputs] == [0, 0], outputs[0].stderr
    assert outputs[0].stdout == outputs[1].stdout
    warning = f"warning: {old} is now {new}; the old name will be removed\n"
    assert outputs[0].stderr == warning + outputs[1].stderr


def test_a_former_name_may_have_its_value_behind_an_equals_sign():
    usual = ("compare", KEY, A, B, "-m", "conll")
    assert run(*usual, "--by=part").stdout == run(*usual, "--unit=part").stdout


@pytest.mark.wings
def test_a_command_that_is_now_another_works_with_a_warning():
    old, new = (
        run("lab", *name, KEY, "-m", "b3") for name in (["sweep"], ["experiment", "luo-sweep"])
    )
    assert (old.returncode, old.stdout) == (0, new.stdout)
    assert old.stderr == f"warning: sweep is now experiment luo-sweep\n{new.stderr}"


def test_a_former_name_is_silent_where_warnings_are_not_wanted():
    assert run("compare", KEY, A, B, "-m", "conll", "--by", "part", "--quiet").stderr == ""


def test_what_follows_two_dashes_is_no_option():
    assert "--by" in run("compare", KEY, A, "--", "--by").stderr
    assert "is now" not in run("compare", KEY, A, "--", "--by").stderr


@pytest.mark.wings
def test_each_former_name_is_tried_above():
    """Where several commands share an option, one of them is enough."""
    options = [option for one in leaves().values() for option in one.params]
    known = {old for option in options for old in getattr(option, "formerly", ())}
    assert known == {case.rsplit(" ", 1)[1] for case in FORMER}


@pytest.mark.wings
def test_one_name_means_one_thing():
    """--by is for groups of documents, --trials for how often something random is done."""
    with_by = {name for name, one in leaves().items() for o in one.params if "--by" in o.opts}
    assert with_by == {"score", "clusters"}
    names = {n for one in leaves().values() for o in one.params for n in o.opts}
    assert not names & {"--draws", "--samples", "--option", "--worst-to", "--write-format"}
    assert not [n for n in names if re.fullmatch("--(out|outfile|output-file|to-file)", n)]


def test_every_policy_can_be_set_by_its_old_name():
    """What scripts use is still an option of its own, though help leaves it to --set."""
    names = {name for o in leaves()["score"].params for name in o.opts}
    for name in vars(Recipe()):
        if name not in ("metrics", "others", "noise"):
            assert "--" + name.replace("_", "-") in names
    assert isinstance(program, click.Group)
