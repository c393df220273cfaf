"""XML that is meant to do harm, and XML that is not."""

from __future__ import annotations

import tracemalloc

import pytest

from corefmeter.formats.source import Source
from corefmeter.problems import DataError
from corefmeter.wings.traditions.formats import xml_safe


def parsed(path: str) -> xml_safe.Element:
    with Source(path) as source:
        return xml_safe.parse(source)


def refused(path: str) -> tuple[str, int | None, int | None]:
    with pytest.raises(DataError) as caught:
        parsed(path)
    (problem,) = caught.value.problems
    assert (problem.severity, problem.path) == ("error", path)
    return problem.code, problem.line, problem.column


BOMB = (
    '<?xml version="1.0"?>\n<!DOCTYPE a [\n<!ENTITY a0 "lol">\n'
    + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">\n' for i in range(1, 10))
    + "]>\n<a>&a9;</a>\n"
)


def test_a_tree_has_text_attributes_and_places(file):
    root = parsed(file('<?xml version="1.0"?>\n<a>\n é <b x="1&lt;" y="2">u<c/>v</b>w\n</a>'))
    (b,) = root.children()
    assert (root.tag, root.place) == ("a", (2, 1))
    assert (b.tag, b.place) == ("b", (3, 4))
    assert b.attributes == {"x": "1<", "y": "2"}
    assert (b.get("x"), b.get("z")) == ("1<", None)
    assert root.text == "\n é uvw\n"
    assert [element.tag for element in root.walk()] == ["a", "b", "c"]
    assert [element.tag for element in root.walk("c")] == ["c"]
    assert root.child("b") is b
    assert root.child("c") is None
    assert root.children("c") == []


def test_characters_and_the_five_entities_are_read(file):
    assert (
        parsed(file("<a>&amp;&lt;&gt;&quot;&apos;&#233;&#x1F600;</a>")).text == "&<>\"'é\U0001f600"
    )


def test_cdata_and_comments_are_read_as_xml_says(file):
    assert parsed(file("<a><![CDATA[<&]]><!-- no --><?no?>b</a>")).text == "<&b"


def test_a_named_dtd_is_not_fetched(file, tmp_path):
    (tmp_path / "a.dtd").write_text('<!ENTITY x "from the DTD">', encoding="utf-8")
    assert parsed(file('<!DOCTYPE a SYSTEM "a.dtd">\n<a>b</a>')).text == "b"
    assert refused(file('<!DOCTYPE a SYSTEM "a.dtd">\n<a>&x;</a>')) == ("bad-xml", 2, 4)


def test_defaults_of_a_dtd_are_left_out(file):
    text = '<!DOCTYPE a [\n<!ELEMENT a ANY>\n<!ATTLIST a x CDATA "1">\n]>\n<a y="2"/>'
    assert parsed(file(text)).attributes == {"y": "2"}


def test_declared_encodings_are_read(file):
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<a>é</a>'
    assert parsed(file(text.encode("latin-1"))).text == "é"
    assert parsed(file(b"\xef\xbb\xbf<a>b</a>")).text == "b"
    unknown = '<?xml version="1.0" encoding="no-such"?>\n<a>b</a>'
    assert refused(file(unknown))[0] == "bad-xml"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (BOMB, (3, 13)),
        ('<!DOCTYPE a [\n<!ENTITY x "y">\n]>\n<a/>', (2, 12)),
        ('<!DOCTYPE a [\n<!ENTITY x SYSTEM "file:///etc/passwd">\n]>\n<a>&x;</a>', (2, 39)),
        ('<!DOCTYPE a [\n<!ENTITY % x SYSTEM "x.dtd"> %x;\n]>\n<a/>', (2, 28)),
        (
            '<!DOCTYPE a [\n<!NOTATION n SYSTEM "n">\n<!ENTITY x SYSTEM "y" NDATA n>\n]>\n<a/>',
            (3, 29),
        ),
        ("<a>\n &nbsp;</a>", (2, 2)),
        ("<a>\n<b></a>", (2, 6)),
        ("<a>\n<b>", (3, 1)),
        ("<a x=1/>", (1, 6)),
        ('<a x="1" x="2"/>', (1, 10)),
        ("<a/>\n<b/>", (2, 1)),
        ("no XML\n", (1, 1)),
        ("\n", (2, 1)),
    ],
)
def test_bad_xml_is_an_error_with_its_place(file, text, place):
    assert refused(file(text)) == ("bad-xml", *place)


def test_deep_nesting_is_refused(file):
    deepest = xml_safe.DEPTH
    assert len(list(parsed(file("<a>" * deepest + "</a>" * deepest)).walk())) == deepest
    assert refused(file("<a>" * 1_000_000)) == ("bad-xml", 1, 3 * deepest + 1)


def test_too_many_elements_or_bytes_are_refused(file, monkeypatch):
    monkeypatch.setattr(xml_safe, "ELEMENTS", 4)
    assert len(parsed(file('<a><b x="1"/><c/></a>')).children()) == 2
    assert refused(file('<a><b x="1"/><c/><d/></a>')) == ("bad-xml", 1, 18)
    monkeypatch.setattr(xml_safe, "SIZE", 1 << 20)
    assert refused(file("<a>" + "b\n" * (1 << 20)))[0] == "bad-xml"


@pytest.mark.parametrize("text", [BOMB, "<a>" * 300_000])
def test_an_attack_takes_little_memory(file, text):
    path = file(text)
    tracemalloc.start()
    try:
        refused(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20


def test_a_binary_file_is_no_text(file):
    assert refused(file(b"<a>\0</a>"))[0] == "not-text"


@pytest.mark.parametrize(
    ("head", "tag"),
    [
        (b"<words>", "words"),
        (b'<?xml version="1.0"?>\n<!-- x --><!DOCTYPE a [<!ELEMENT a ANY>]>\n<a b="c">', "a"),
        (b"words", None),
        (b"", None),
    ],
)
def test_the_root_is_known_from_the_first_bytes(head, tag):
    assert xml_safe.root_tag(head) == tag


def test_many_blanks_before_text_that_is_no_xml_take_no_time():
    """Doubling the blanks of a prologue once doubled the time for each of them."""
    assert xml_safe.root_tag(b" " * 5_000 + b"no XML") is None
    assert xml_safe.root_tag(b" " * 5_000 + b"<words>") == "words"
