"""The same corpus in every variant of the format is read as the same corpus.

The writer here shares no code with the package. It knows where it puts every token, so the lines of
mentions are checked as well.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corefmeter import Corpus, Document, read
from corefmeter.formats import source

from ..strategies import corpora

WORDS = ["the", "dog", "#", "#metoo", "(1)", ":)", "a|b", "-", "人", "é", "*", "_", "(", "1)"]

COMMENTS = ["#", "# a remark", "# a remark that ends -", "# text = it was (1)", "#a b c (2)"]

HEADERS = ["#begin document ({name}); part {part:03d}", "# begin document ({name}); part {part}",
           "#begin document({name}); part {part}", "#Begin Document ({name}) part {part:06d}",
           "#begin  document   ({name})  ;  part {part}  "]  # fmt: skip

UNNUMBERED = ["#begin document ({name});", "#begin document({name});", "# begin document ({name})"]

ENDS = ["#end document", "# end document", "#end document ({name})", "#END document x -"]

#: How many columns, from the name of the document, the number and the word.
COLUMNS = {
    2: ["{word}"],
    3: ["{number}", "{word}"],
    4: ["d", "{number}", "{word}"],
    5: ["d", "0", "{number}", "{word}"],
    12: ["d", "0", "{number}", "{word}", "NN", "(NP*)", "-", "-", "-", "Speaker#1", "(PERSON)"],
    14: ["d", "0", "{number}", "{word}", "NN", "(NP*)", "-", "-", "-", "A B", "*", "(V*)", "(A0*"],
}


def chunks(document: Document, token: int) -> list[str]:
    """Closes, innermost first; opens, longest first; whole mentions."""
    found = []
    for name, entity in zip(document.entity_names, document.entities, strict=True):
        for start, end in entity:
            if end == start + 1:
                if start == token:
                    found.append((2, 0, f"({name})"))
            elif start == token:
                found.append((1, -end, f"({name}"))
            elif end == token + 1:
                found.append((0, -start, f"{name})"))
    return [chunk for _, _, chunk in sorted(found)]


@st.composite
def files(draw, corpus: Corpus) -> tuple[str, list[list[int]]]:
    """A file, and the lines of the tokens of each document."""
    gap = draw(st.sampled_from(["\t", " ", "    "]))
    columns = COLUMNS[draw(st.sampled_from(sorted(COLUMNS)))]
    nones = draw(st.lists(st.sampled_from(["-", "_", "*"]), min_size=1, max_size=3))
    bar = draw(st.booleans())
    rest = draw(st.sampled_from(["", "", " ", "\t", "  "]))
    lines: list[str] = []
    tokens = []

    def some(extra: list[str]) -> None:
        lines.extend(draw(st.lists(st.sampled_from(extra), max_size=2)))

    some(["", *COMMENTS])
    for document in corpus:
        header = draw(st.sampled_from(HEADERS if document.part is not None else UNNUMBERED))
        lines.append(header.format(name=document.name, part=document.part))
        numbers = []
        for token in range(document.tokens):
            some(["", "", *COMMENTS])
            found = chunks(document, token)
            separators = ["|" if bar or draw(st.booleans()) else "" for _ in found[1:]] + [""]
            cell = "".join(map(str.__add__, found, separators)) or draw(st.sampled_from(nones))
            word = draw(st.sampled_from(WORDS))
            fields = [field.format(number=token, word=word) for field in columns]
            if gap != "\t":
                fields = [field.replace(" ", "_") for field in fields]
            lines.append(gap.join([*fields, cell]) + rest)
            numbers.append(len(lines))
        tokens.append(numbers)
        some(["", *COMMENTS])
        if draw(st.booleans()):
            lines.append(draw(st.sampled_from(ENDS)).format(name=document.name))
            some(["", *COMMENTS])
    end = draw(st.sampled_from(["\n", "\r\n"]))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return mark + end.join(lines) + draw(st.sampled_from(["", end])), tokens


@given(st.data(), corpora(), st.sampled_from([1, 3, 17, 100, source.BLOCK]))
def test_every_variant_is_read_as_the_same(tmp_path_factory, data, corpus, block):
    import pytest

    text, lines = data.draw(files(corpus))
    path = tmp_path_factory.mktemp("variant") / "x.conll"
    path.write_text(text, "utf-8", newline="")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(source, "BLOCK", block)
        patched.setattr(source, "HEAD", max(block, 50))
        found = read(path, "conll")
    assert [d.id for d in found] == [d.id for d in corpus]
    for read_back, document, numbers in zip(found, corpus, lines, strict=True):
        assert read_back.tokens == document.tokens
        assert dict(
            zip(read_back.entity_names, map(sorted, read_back.entities), strict=True)
        ) == dict(zip(document.entity_names, map(sorted, document.entities), strict=True))
        assert [read_back.line_at(token) for token in range(document.tokens)] == numbers
