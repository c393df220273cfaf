"""Pages of help: one screen, grouped options, three examples, nothing left out."""

from __future__ import annotations

import json

import click
import pytest
from click.testing import CliRunner

from corefmeter.analysis.card.made import METRICS
from corefmeter.cli.main import program
from corefmeter.cli.spelling import settable
from corefmeter.recipe import Recipe

from ..command import run
from .counted import leaves, options

#: What fits on one screen.
LINES, COLUMNS = 42, 80


OF_ALL = leaves()


def page(*arguments: str) -> str:
    done = CliRunner().invoke(program, arguments, prog_name="corefmeter", terminal_width=COLUMNS)
    assert done.exit_code == 0
    return done.output


def sections(text: str) -> dict[str, str]:
    """What is below each heading, as one line."""
    found: dict[str, str] = {}
    heading = ""
    for line in text.splitlines():
        if line.endswith(":") and not line.startswith(" "):
            heading = line[:-1]
        elif not line.startswith(" ") and line:
            heading = ""
        found[heading] = f"{found.get(heading, '')} {' '.join(line.split())}".strip()
    return found


@pytest.mark.parametrize("command", OF_ALL)
def test_the_short_page_is_one_screen(command):
    lines = page(*command.split(), "-h").splitlines()
    assert len(lines) <= LINES
    assert [line for line in lines if len(line) > COLUMNS] == []
    assert not any(line.endswith("-") for line in lines), "names are not broken"


def test_help_shows_few_options():
    """Rarely used ones are set by --set, and "corefmeter list policies" explains them."""
    assert sum(len(options(one)) for one in OF_ALL.values()) <= 300
    assert len(page("compare", "--help").splitlines()) <= 80


@pytest.mark.parametrize("command", OF_ALL)
def test_options_that_help_leaves_to_set_are_named(command):
    known = {name: one for name, one in settable(OF_ALL[command]).items() if one.hidden}
    text = page(*command.split(), "--help").replace(",", " ").replace(".", " ").split()
    policies = json.loads(run("list", "policies", "-f", "json").stdout)["policies"]
    listed = {entry["name"] for entry in policies}
    assert set(known) <= set(text)
    assert set(known) <= listed


@pytest.mark.parametrize("command", OF_ALL)
def test_a_page_has_three_examples(command):
    lines = page(*command.split(), "-h").splitlines()
    start = lines.index("  Examples:") + 1
    examples = lines[start : start + 3]
    assert all(f"{line} ".startswith(f"    corefmeter {command} ") for line in examples)
    assert not lines[start + 3 :] or not lines[start + 3]


@pytest.mark.parametrize("command", OF_ALL)
def test_every_option_is_below_a_heading_and_named_on_both_pages(command):
    short, full = page(*command.split(), "-h"), page(*command.split(), "--help")
    below = sections(full)
    for option in options(OF_ALL[command]):
        assert option.group != "Options"
        name = max(option.opts, key=len)
        assert name in below[option.group]
        assert name in short or option.group.lower() in sections(short)[""]


@pytest.mark.parametrize("command", OF_ALL)
def test_choices_and_their_default_are_shown(command):
    text = " ".join(page(*command.split(), "--help").split())
    for option in options(OF_ALL[command]):
        if isinstance(option.type, click.Choice):
            for choice in option.type.choices:
                assert f" {choice}" in text
            if option.usual is not None:
                assert f" {option.usual} (default)" in text


def test_a_card_names_the_metrics_that_it_has_without_asking():
    assert f"(default: {', '.join(METRICS)})" in sections(page("card", "--help"))["What to compute"]


@pytest.mark.parametrize(("given", "missing"), [((), "KEY"), (("key.conll",), "RESPONSE…")])
def test_the_argument_that_is_missing_is_named(given, missing):
    assert f"Missing argument '{missing}'.\n" in run("score", *given).stderr


def test_the_defaults_are_those_of_the_recipe():
    below = sections(page("score", "--help"))
    recipe = Recipe()
    assert f"(default: {', '.join(recipe.metrics)})" in below["What to compute"]
    assert "--match NAME Which mentions are the same: exact (default), head" in below["Matching"]
    assert (
        "--repeated NAME A mention that occurs twice on one side: first (default), error, "
        in (below["Policies"])
    )


def test_the_short_page_of_score_has_what_most_need():
    below = sections(page("score", "-h"))
    assert list(below) == [
        "", "What to compute", "Matching", "Policies", "Input", "Output",
    ]  # fmt: skip
    assert "--align" not in below["Matching"]
    assert '"corefmeter score --help" explains all options, also' in below[""]
    assert "also --recipe, --set, " in below[""]


def test_a_command_that_is_not_known_is_guessed():
    done = run("scroe")
    assert done.returncode == 2
    assert "did you mean 'score'?" in done.stderr


def test_an_option_that_is_not_known_is_guessed():
    done = run("score", "--singelton", "drop", "a", "b")
    assert done.returncode == 2
    assert "--singletons" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "guess"),
    [
        (
            ["score", "--singletons", "dorp", "a", "b"],
            "value of --singletons 'dorp'; did you mean 'd",
        ),
        (["score", "-f", "josn", "a", "b"], "value of --format 'josn'; did you mean 'json'?"),
        (["list", "metric"], "value 'metric'; did you mean 'metrics'?"),
    ],
)
def test_a_value_that_is_not_known_is_guessed(arguments, guess):
    done = run(*arguments)
    assert done.returncode == 2
    assert f"Error: unknown {guess}" in done.stderr


def test_a_value_that_is_not_given_is_asked_for_once():
    assert run("completion").stderr.count("zsh") == 2  # in the usage and in the error, no more


def test_the_groups_of_a_page_are_in_one_order():
    """What is done comes first, then what is read, and what is written last."""
    for command in ("score", "compare", "errors", "card", "report", "match", "convert", "stats"):
        assert [*sections(page(command, "-h"))][-2:] == ["Input", "Output"], command


def test_the_overview_names_every_command():
    text = page("-h")
    assert text == page("--help")
    for name in program.list_commands(click.Context(program)):
        assert f"\n  {name} " in text


def test_the_overview_groups_commands_a_line_each_and_says_where_to_start():
    text = page("--help")
    below = sections(text)
    for command, heading in [
        ("score", "Score"), ("errors", "Understand"), ("compare", "Compare"),
        ("convert", "Files"), ("cite", "Reference"),
    ]:  # fmt: skip
        assert f" {command} " in f" {below[heading]}"
    assert all(len(line) <= COLUMNS for line in text.splitlines())
    assert "Start with: corefmeter score key.conll response.conll" in below[""]
    without = run()
    assert "Understand:\n  errors " in without.stdout + without.stderr


@pytest.mark.wings
def test_the_headings_of_the_overview_are_in_order_and_a_command_has_one_line():
    text = page("--help")
    assert list(sections(text)) == [
        "", "Options", "Score", "Understand", "Compare", "Annotators", "Files", "Platforms",
        "Research", "Reference",
    ]  # fmt: skip
    lines = text[text.index("Score:") : text.index("  Exit status")].splitlines()
    assert all(line[2] != " " for line in lines if line.startswith("  "))


@pytest.mark.wings
@pytest.mark.parametrize(
    ("command", "heading"),
    [
        ("clusters", "Score"), ("agree", "Annotators"), ("stitch", "Files"),
        ("codabench", "Platforms"), ("lab", "Research"), ("correlate", "Research"),
    ],
)  # fmt: skip
def test_commands_of_wings_are_below_the_headings_that_they_name(command, heading):
    assert f" {command} " in f" {sections(page('--help'))[heading]}"
