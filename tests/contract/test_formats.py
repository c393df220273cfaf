"""A format is a contract: what each declares is true, documented, and shown by files.

Runs over all formats that are registered, those of wings and of other packages included. For each
there is a folder of files that were written for this test: ``ordinary``, ``tricky`` (legal), and
``broken-CODE``, of which reading says that code first.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

import corefmeter
from corefmeter.codes import CODES
from corefmeter.corpus.model import Corpus
from corefmeter.doors import offered
from corefmeter.formats import (
    Format,
    format_named,
    in_order,
    names,
    read_corpus,
    recognised,
    recognised_in,
    without_companions,
    writer,
)
from corefmeter.formats.conversion import format_by_ending
from corefmeter.formats.source import Source
from corefmeter.problems import DataError, OptionError

from ..plugin.installed import place

ROOT = Path(__file__).parents[2]

place()
offered.cache_clear()

NAMES = names()
FOLDERS = [
    folder / name
    for folder in sorted((ROOT / "tests").glob("**/fixtures"))
    for name in NAMES
    if (folder / name).is_dir()
]
FILES = {
    name: [Path(f) for folder in FOLDERS if folder.name == name
           for f in without_companions(sorted(map(str, folder.iterdir())))]
    for name in NAMES
}  # fmt: skip
#: Name of a format and a file of it that is in order.
SOUND = [(n, f) for n in NAMES for f in FILES[n] if not f.name.startswith("broken-")]
BROKEN = [(n, f) for n in NAMES for f in FILES[n] if f.name.startswith("broken-")]
WRITTEN = [name for name in NAMES if format_named(name).write]


def label(value: object) -> str:
    return f"{value.parent.name}/{value.name}" if isinstance(value, Path) else str(value)


def quiet(path: Path, format: str | None = None) -> Corpus:
    """The corpus of a file, whatever is warned of."""
    return read_corpus(str(path), format, details=True)


# What is declared


@pytest.mark.parametrize("name", NAMES)
def test_a_format_is_found_by_its_name_and_says_that_name(name):
    format = format_named(name)
    assert isinstance(format, Format)
    assert format.name == name == name.lower()
    assert set(format.units) <= {"tokens", "characters", "names"}
    assert format.units
    assert bool(format.write) != bool(format.unwritten)


def test_no_two_formats_have_a_title_or_an_ending_in_common():
    for values in ([[f.title] for f in in_order()], [f.endings for f in in_order()]):
        every = [value for some in values for value in some]
        assert len(set(every)) == len(every)


@pytest.mark.parametrize("name", NAMES)
def test_an_ending_tells_the_format(name):
    for ending in format_named(name).endings:
        assert format_by_ending(f"out/x{ending}") == name


def test_guesses_are_asked_last():
    asked = list(in_order())
    assert sorted(asked, key=lambda format: format.guess) == asked
    assert {format.name for format in asked} == set(NAMES)


@pytest.mark.parametrize(("name", "file"), SOUND, ids=label)
def test_a_format_says_whether_names_of_identity_change_what_is_read(name, file):
    asked = []

    class Asked(Source):
        @property
        def identity(self):
            asked.append(self.path)
            return frozenset()

        @identity.setter
        def identity(self, _):
            pass

    with Asked(str(file)) as source:
        format_named(name).read(source)
    assert bool(asked) == format_named(name).identity


def pages() -> str:
    """The pages on formats, and what a package of another says of its own."""
    docs = ROOT / "docs"
    files = [*docs.glob("formats*.md"), docs / "ace.md", *(ROOT / "tests/plugin").glob("*.md")]
    return "\n".join(file.read_text("utf-8") for file in files)


@pytest.mark.parametrize("name", NAMES)
def test_a_format_is_described_on_a_page(name):
    assert f"`{name}`" in pages()


@pytest.mark.parametrize("name", NAMES)
def test_a_format_says_in_one_line_by_what_it_is_recognised(name):
    evidence = format_named(name).evidence
    assert 10 < len(evidence) < 120
    assert "\n" not in evidence
    assert evidence[-1].isalnum() or evidence[-1] in "`)"
    assert "<!-- generated: evidence -->" in (ROOT / "docs/formats.md").read_text("utf-8")


def test_formats_that_answer_yes_or_no_claim_all_or_nothing():
    yes, no = (format_named("conll")._replace(sniff=lambda *_, a=a: a) for a in (True, False))
    assert yes.claim(b"", "") == (1.0, None)
    assert no.claim(b"", "") is None


def test_a_certain_claim_of_a_core_format_imports_no_other():
    code = (
        "import sys; from corefmeter.formats import recognised; "
        f"assert recognised({str(ROOT / 'examples/key.conll')!r}).name == 'conll'; "
        "print(*(m for m in sys.modules if m.startswith('corefmeter.')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "corefmeter.formats.conll" in loaded
    assert not loaded & {f"corefmeter.formats.{name}" for name in ("craft", "semeval", "conllu")}


@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("*.conll")), ids=label)
def test_the_examples_are_recognised(file):
    assert recognised(str(file)).name == "conll"


# Files


@pytest.mark.parametrize("name", NAMES)
def test_there_is_an_ordinary_a_tricky_and_a_broken_file(name):
    assert {file.name.partition(".")[0].partition("-")[0] for file in FILES[name]} == {
        "ordinary", "tricky", "broken"
    }  # fmt: skip


@pytest.mark.parametrize(("name", "file"), SOUND + BROKEN, ids=label)
def test_a_file_is_recognised_and_claimed_by_no_other_that_is_sure(name, file):
    with Source(str(file)) as source:
        claims = {f.name: f.claim(source.head, source.path) for f in in_order()}
        held = [f.name for f in in_order() if claims[f.name] and not f.guess]
        assert held in ([name], [])
        assert claims[name].coverage > 0.5
        assert recognised_in(source).name == name


@pytest.mark.parametrize(("name", "file"), SOUND, ids=label)
def test_a_file_is_read_in_the_units_that_are_declared(name, file):
    corpus = quiet(file)
    assert corpus.format == name
    assert any(document.entities for document in corpus)
    assert {document.unit for document in corpus} <= set(format_named(name).units)
    assert all(len(d.entities) == len(d.entity_names) for d in corpus)
    counted = read_corpus(str(file))
    assert [d.entities for d in counted] == [d.entities for d in corpus]
    assert corefmeter.score(file, file, metrics="mentions").mentions.f1 == 1


@pytest.mark.parametrize(("name", "file"), BROKEN, ids=label)
def test_a_broken_file_is_refused_with_its_code(name, file):
    with pytest.raises(DataError) as caught:
        quiet(file, name)
    first = caught.value.problems[0]
    assert f"broken-{first.code}" == file.name.partition(".")[0]
    assert first.line is not None


# Damage


def outcome(format: Format, path: Path, content: bytes) -> None:
    """Reading gives documents or problems with known codes, and nothing else."""
    path.write_bytes(content)
    for details in (False, True):
        try:
            with Source(str(path)) as source:
                format.sniff(source.head, source.path)
                found, problems = format.read(source, details=details)
        except DataError as error:
            found, problems = [], error.problems
        for document in found:
            assert len(document.entities) == len(document.entity_names)
        assert found or {problem.severity for problem in problems} == {"error"}
        assert {problem.code for problem in problems} <= set(CODES)
        assert all(problem.line is None or problem.line >= 1 for problem in problems)


@pytest.fixture(params=SOUND, ids=lambda pair: label(pair[1]))
def sound(request, tmp_path) -> tuple[Format, Path, bytes]:
    """A format, a place for a damaged file beside what belongs to it, and a sound file."""
    name, file = request.param
    for other in file.parent.glob(f"{file.name.partition('.')[0]}[._]*"):
        (tmp_path / other.name).write_bytes(other.read_bytes())
    return format_named(name), tmp_path / file.name, file.read_bytes()


def test_a_file_that_is_cut_off(sound):
    format, path, content = sound
    for end in range(0, len(content), 1 + len(content) // 150):
        outcome(format, path, content[:end])


@pytest.mark.slow
def test_lines_in_another_order_or_doubled(sound):
    format, path, content = sound
    lines = content.splitlines(keepends=True)
    chance = random.Random(7)
    for _ in range(60):
        outcome(format, path, b"".join(chance.choices(lines, k=len(lines))))
        chance.shuffle(lines)
        outcome(format, path, b"".join(lines))


@pytest.mark.slow
def test_damaged_bytes(sound):
    format, path, content = sound
    signs = b'\t|()[]{}<>@=-_0123456789,":\n \\\xff\x00*#'
    chance = random.Random(11)
    for _ in range(150):
        damaged = bytearray(content)
        for _ in range(chance.randint(1, 6)):
            damaged[chance.randrange(len(damaged))] = chance.choice(signs)
        outcome(format, path, bytes(damaged))


def test_a_bit_that_is_flipped(sound):
    format, path, content = sound
    for at in range(0, len(content), 1 + len(content) // 100):
        damaged = bytearray(content)
        damaged[at] ^= 1 << at % 8
        outcome(format, path, bytes(damaged))


# Writing; what is written, `test_round_trips` reads again


@pytest.mark.parametrize("name", sorted(set(NAMES) - set(WRITTEN)))
def test_what_is_not_written_says_what_to_choose(name):
    format = format_named(name)
    with pytest.raises(OptionError, match=f"{name} cannot be written") as caught:
        writer(format)
    assert any(choice in str(caught.value) for choice in WRITTEN)
