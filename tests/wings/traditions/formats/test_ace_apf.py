"""ACE APF XML: what is read, and what is refused, with its place."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import corefmeter
from corefmeter.formats import source as source_module
from corefmeter.formats import writer
from corefmeter.problems import DataError, OptionError
from corefmeter.wings.traditions.formats import ace_apf
from corefmeter.wings.traditions.metrics.ace import ace_corpora

from ....formats.reading import problems_by, read_by

#: Without tags: "\n a \n\nAnn Lee works for AT&amp;T .\nShe likes\nit .\n\n\n"; Ann is at 6, Lee at
#: 10, "AT&amp;T" is 24 to 31, "She" 35 to 37, "She likes\nit" 35 to 46.
SGM = """<DOC>
<DOCID> a </DOCID>
<TEXT>
Ann Lee works for AT&amp;T .
She likes
it .
</TEXT>
</DOC>
"""


def charseq(tag: str, start: int, end: int, text: str) -> str:
    return f'<{tag}><charseq START="{start}" END="{end}">{text}</charseq></{tag}>'


def mention(id: str, type: str, extent: tuple, head: tuple | None = None) -> str:
    inside = charseq("extent", *extent) + (charseq("head", *head) if head else "")
    return f'<entity_mention ID="{id}" TYPE="{type}" LDCTYPE="{type}P">{inside}</entity_mention>'


def entity(id: str, *mentions: str, type: str = "PER") -> str:
    return (
        f'<entity ID="{id}" TYPE="{type}" SUBTYPE="Individual" CLASS="SPC">'
        + "\n".join(mentions) + "</entity>"
    )  # fmt: skip


def apf(*parts: str, docid: str = "a") -> str:
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE source_file SYSTEM "apf.v5.1.1.dtd">\n'
        '<source_file URI="a.sgm" SOURCE="newswire" TYPE="text">\n'
        f'<document DOCID="{docid}">\n' + "\n".join(parts) + "\n</document>\n</source_file>\n"
    )


ANN = mention("a-E1-1", "NAM", (6, 12, "Ann Lee"), (10, 12, "Lee"))
SHE = mention("a-E1-2", "PRO", (35, 37, "She"), (35, 37, "She"))
ATT = mention("a-E2-1", "NAM", (24, 31, "AT&amp;amp;T"), (24, 31, "AT&amp;amp;T"))
ORDINARY = apf(entity("a-E1", ANN, SHE), entity("a-E2", ATT, type="ORG"))


@pytest.fixture
def place(tmp_path: Path):
    """Write a file with its source; the path of the file."""

    def write(content: str, sgm: str | None = SGM, name: str = "a.apf.xml") -> str:
        if sgm is not None:
            (tmp_path / "a.sgm").write_text(sgm, "utf-8", newline="")
        (tmp_path / name).write_text(content, "utf-8", newline="")
        return str(tmp_path / name)

    return write


def test_sources_beside_their_files_are_no_documents_of_a_folder(place, tmp_path):
    """The .sgm is read together with the .apf.xml; another .sgm is left out, and that is told."""
    place(ORDINARY)
    corpus = corefmeter.read(tmp_path, details=True)
    assert [(d.name, len(d.entities)) for d in corpus] == [("a", 2)]
    assert corpus.problems == []
    (tmp_path / "b.sgm").write_text("<DOC><TEXT>words</TEXT></DOC>", "utf-8")
    assert [p.path for p in corefmeter.read(tmp_path).problems] == [str(tmp_path / "b.sgm")]


read = partial(read_by, ace_apf)


def errors(path: str) -> list[tuple[str, int | None]]:
    problems = problems_by(ace_apf, path)
    assert all(problem.hint for problem in problems)
    return [(p.code, p.line) for p in problems]


def test_an_ordinary_file_is_read(place):
    (document,), problems = read(place(ORDINARY), details=True)
    assert problems == []
    assert (document.name, document.unit, document.line, document.tokens) == (
        "a", "characters", 4, 52
    )  # fmt: skip
    assert document.entity_names == ["a-E1", "a-E2"]
    assert document.entities == [[(6, 13), (35, 38)], [(24, 32)]]
    first = document.details[0][0]
    assert (first.head, first.minimum, first.kind, first.entity_type) == (
        10, (10, 13), "name", "PER"
    )  # fmt: skip
    assert first.attributes == {
        "id": "a-E1-1", "level": "NAM", "ldctype": "NAMP", "subtype": "Individual",
        "class": "SPC", "text": "Ann Lee", "head": (10, 13), "head_text": "Lee",
        "role": "PER", "style": "LITERAL",
    }  # fmt: skip
    assert [d.kind for d in document.details[0]] == ["name", "pronoun"]
    assert document.text.string((6, 13)) == "Ann Lee"


def test_it_is_recognised_and_read_by_the_package(place):
    corpus = corefmeter.read(place(ORDINARY))
    assert (corpus.format, len(corpus)) == ("ace-apf", 1)
    assert corpus.documents[0].details is None


def test_without_details_nothing_but_entities_is_kept(place):
    (document,), _ = read(place(ORDINARY))
    assert (document.details, document.text, document.attributes) == (None, None, {})


def test_a_reference_counts_as_one_character_where_the_offsets_say_so(place):
    """Then "AT&T" is 24 to 27, and all that follows is 4 earlier: "She" is 31 to 33."""
    att = mention("m1", "NAM", (24, 27, "AT&amp;T"), (24, 27, "AT&amp;T"))
    she = mention("m2", "PRO", (31, 33, "She"), (31, 33, "She"))
    (document,), problems = read(place(apf(entity("e1", att), entity("e2", she))), details=True)
    assert problems == []
    assert document.entities == [[(24, 28)], [(31, 34)]]
    assert document.text.string((24, 28)) == "AT&T"


def test_a_reference_may_be_in_upper_case(place):
    att = mention("m1", "NAM", (24, 31, "AT&amp;T"), (24, 31, "AT&amp;T"))
    path = place(apf(entity("e1", att)), SGM.replace("&amp;", "&AMP;"))
    assert read(path)[1] == []


def test_offsets_of_five_characters_may_show_the_text_decoded(place):
    att = mention("m1", "NAM", (24, 31, "AT&amp;T"), (24, 31, "AT&amp;T"))
    she = mention("m2", "PRO", (35, 37, "She"), (35, 37, "She"))
    (document,), problems = read(place(apf(entity("e1", att), entity("e2", she))))
    assert (problems, document.entities) == ([], [[(24, 32)], [(35, 38)]])


def test_the_head_may_be_the_extent_and_hold_a_newline(place):
    """The characters of "likes", newline, "it" are 39 to 46."""
    one = mention("m1", "NOM", (39, 46, "likes\nit"), (39, 46, "likes\nit"))
    (document,), problems = read(place(apf(entity("e1", one))), details=True)
    assert (problems, document.entities) == ([], [[(39, 47)]])
    assert document.details[0][0].attributes["head"] == (39, 47)


def test_an_entity_without_names_and_a_vehicle_are_in_order(place):
    extra = (
        '<entity_attributes><name NAME="Ann Lee">'
        + charseq("x", 6, 12, "Ann Lee")
        + "</name></entity_attributes>"
    )
    (document,), problems = read(
        place(apf(entity("e1", ANN, extra), entity("e2", SHE, type="VEH"))), details=True
    )
    assert problems == []
    assert [d[0].entity_type for d in document.details] == ["PER", "VEH"]
    assert document.entities == [[(6, 13)], [(35, 38)]]


def test_a_file_of_2002_is_read_into_the_names_of_later_ones(place):
    old = (
        '<entity ID="e1"><entity_type GENERIC="FALSE">PERSON</entity_type>'
        '<entity_mention ID="m1" TYPE="NAME" REFERENCE="LITERAL"><extent><charseq>'
        '<!-- string = "Ann Lee" --><start>6</start><end>12</end></charseq></extent>'
        "<head><charseq><start>10</start><end>12</end></charseq></head></entity_mention></entity>"
        '<entity ID="e2"><entity_type GENERIC="TRUE">FACILITY</entity_type>'
        '<entity_mention ID="m2" TYPE="PRONOUN"><extent><charseq><start>35</start><end>37</end>'
        "</charseq></extent></entity_mention></entity>"
    )
    (document,), problems = read(place(apf(old)), details=True)
    assert [p.code for p in problems] == ["no-heads"]
    assert document.entities == [[(6, 13)], [(35, 38)]]
    found = [(d[0].entity_type, d[0].attributes["class"], d[0].attributes["level"])
             for d in document.details]  # fmt: skip
    assert found == [("PER", "SPC", "NAM"), ("FAC", "GEN", "PRO")]
    assert document.details[0][0].attributes["head"] == (10, 13)


def test_a_level_of_early_2005_is_kept(place):
    one = mention("m1", "PRE", (6, 12, "Ann Lee"), (10, 12, "Lee"))
    (document,), problems = read(place(apf(entity("e1", one))), details=True)
    detail = document.details[0][0]
    assert (problems, detail.kind, detail.attributes["level"]) == ([], "other", "PRE")


def test_an_unknown_level_is_kept_with_a_warning(place):
    one = mention("m1", "XYZ", (6, 12, "Ann Lee"), (10, 12, "Lee"))
    (document,), problems = read(place(apf(entity("e1", one))), details=True)
    assert [(p.code, p.line) for p in problems] == [("bad-field", 5)]
    assert document.details[0][0].attributes["level"] == "XYZ"


def test_relations_times_and_values_are_kept_as_objects(place):
    relation = (
        '<relation ID="r1" TYPE="ORG-AFF" SUBTYPE="Employment" TENSE="Present">'
        '<relation_argument REFID="a-E1" ROLE="Arg-1"/>'
        '<relation_argument REFID="a-E2" ROLE="Arg-2"/>'
        '<relation_mention ID="r1-1" LEXICALCONDITION="Verbal">'
        + charseq("extent", 6, 31, "Ann Lee works for AT&amp;amp;T")
        + '<relation_mention_argument REFID="a-E1-1" ROLE="Arg-1"/></relation_mention></relation>'
    )
    time = '<timex2 ID="t1" VAL="2001"><timex2_mention ID="t1-1">' + charseq(
        "extent", 35, 37, "She"
    ) + "</timex2_mention></timex2>"  # fmt: skip
    value = '<value ID="v1" TYPE="Numeric"/>'
    path = place(apf(entity("a-E1", ANN), entity("a-E2", ATT), value, time, relation))
    (document,), _ = read(path, details=True)
    (found,) = ace_apf.relations(path)
    assert document.attributes["relations"] == [found]
    assert (found.id, found.type, found.subtype) == ("r1", "ORG-AFF", "Employment")
    assert found.arguments == (("Arg-1", "a-E1"), ("Arg-2", "a-E2"))
    assert found.attributes == {"TENSE": "Present"}
    (where,) = found.mentions
    assert (where.span, where.arguments) == ((6, 32), (("Arg-1", "a-E1-1"),))
    assert [t.attributes for t in document.attributes["times"]] == [{"VAL": "2001"}]
    assert [v.type for v in document.attributes["values"]] == ["Numeric"]


def test_relations_of_2003_name_entities_and_mentions(place):
    relation = (
        '<relation ID="r1" TYPE="AT" SUBTYPE="LOCATED"><rel_entity_arg ENTITYID="e1" ARGNUM="1"/>'
        '<relation_mentions><relation_mention ID="r1-1">'
        '<rel_mention_arg MENTIONID="m1" ARGNUM="1"/>'
        "</relation_mention></relation_mentions></relation>"
    )
    (found,) = ace_apf.relations(place(apf(entity("e1", ANN), relation)))
    assert found.arguments == (("1", "e1"),)
    assert found.mentions[0].arguments == (("1", "m1"),)


def test_relations_are_scored_as_objects(place):
    relation = '<relation ID="{}" TYPE="{}"><relation_argument REFID="e1" ROLE="A"/></relation>'
    key = ace_apf.relations(place(apf(relation.format("r1", "X"), relation.format("r2", "Y"))))
    response = ace_apf.relations(place(apf(relation.format("r9", "Y")), name="b.apf.xml"))
    found = corefmeter.align_objects(key, response, lambda a, b: int(a.type == b.type))
    assert found.pairs == ((1, 0, 1),)
    assert (found.recall, found.precision) == (0.5, 1.0)


# What is refused


def test_an_end_before_the_start(place):
    one = mention("m1", "NAM", (12, 6, "Ann Lee"), (10, 12, "Lee"))
    assert errors(place(apf(entity("e1", one)))) == [("bad-span", 5)]


@pytest.mark.parametrize("start", ["", "x", "-1", "1.5", "٣", "9" * 5000])
def test_an_offset_that_is_none(start, place):
    one = mention("m1", "NAM", (start, 12, "Ann Lee"))
    assert errors(place(apf(entity("e1", one)))) == [("bad-span", 5)]


def test_a_text_that_is_not_that_of_the_source(place):
    one = mention("m1", "NAM", (7, 12, "Ann Lee"), (10, 12, "Lee"))
    assert errors(place(apf(entity("e1", one)))) == [("text-differs", 5)]


def test_an_extent_beyond_the_text(place):
    one = mention("m1", "NAM", (6, 99, "Ann Lee"), (10, 12, "Lee"))
    assert errors(place(apf(entity("e1", one)))) == [("bad-span", 5)]


@pytest.mark.parametrize(
    "text",
    [
        "<charseq START='6' END='999999999999'>Ann Lee</charseq>",
        "<charseq><start>6</start><end>99999</end></charseq>",
    ],
)
def test_an_extent_that_is_too_long_without_a_source(text, place):
    one = f'<entity_mention ID="m1" TYPE="NAM"><extent>{text}</extent></entity_mention>'
    assert errors(place(apf(entity("e1", one)), sgm=None)) == [("bad-span", 5)]


def test_the_docid_of_another_source(place):
    assert errors(place(apf(entity("e1", ANN), docid="b"))) == [("text-differs", 4)]


def test_a_mention_without_an_extent_and_ids_that_are_missing_or_stand_twice(place):
    parts = [
        '<entity ID="e1"><entity_mention ID="m1" TYPE="NAM"/></entity>',
        entity("e1", ANN.replace("a-E1-1", "m2")),
        '<entity><entity_mention ID="m3"><extent/></entity_mention></entity>',
    ]
    assert errors(place(apf(*parts))) == [
        ("missing-field", 5), ("repeated-id", 6), ("missing-field", 7), ("missing-field", 7)
    ]  # fmt: skip


def test_a_file_without_a_document_and_one_of_another_kind(place):
    assert errors(place("<source_file/>")) == [("no-document", 1)]
    assert errors(place("<deft_ere/>")) == [("missing-field", 1)]


def test_entities_of_xml_are_refused(place):
    bomb = '<!DOCTYPE source_file [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><source_file>&b;'
    assert errors(place(bomb + "</source_file>"))[0][0] == "bad-xml"
    outside = '<!DOCTYPE source_file [<!ENTITY a SYSTEM "file:///etc/passwd">]><source_file>&a;'
    assert errors(place(outside + "</source_file>"))[0][0] == "bad-xml"


def test_a_name_that_leads_elsewhere_is_not_followed(place, tmp_path):
    """Only the last part of a URI is used, so only the folder of the file is looked into."""
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "b.sgm").write_text("secret")
    path = inner / "x.apf.xml"
    path.write_text(apf(entity("e1", ANN)).replace('URI="a.sgm"', 'URI="../b.sgm"'))
    _, problems = read(str(path))
    assert [p.code for p in problems] == ["missing-text"]


# What is decided with a warning


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [(6, 13, "Ann Lee"), (6, 13, "Ann Lee "), (5, 12, "Ann Lee"), (4, 13, "Ann Lee")],
)
def test_white_space_at_the_ends_of_a_mention_is_no_part_of_it(start, end, said, place):
    """An end that is exclusive is a mention with a space, which its text does not have."""
    one = mention("m1", "NAM", (start, end, said), (10, 12, "Lee"))
    for details in (False, True):
        (document,), problems = read(place(apf(entity("e1", one))), details=details)
        assert problems == []
        assert document.entities == [[(6, 13)]]


def test_without_the_source_mentions_are_read_as_they_are(place):
    (document,), problems = read(place(ORDINARY, sgm=None), details=True)
    assert [p.code for p in problems] == ["missing-text"]
    assert document.entities == [[(6, 13), (35, 38)], [(24, 32)]]
    assert (document.text, document.tokens) == (None, None)


def test_a_mention_without_a_head(place):
    one = mention("m1", "NAM", (6, 12, "Ann Lee"))
    (document,), problems = read(place(apf(entity("e1", one))), details=True)
    assert [(p.code, p.line) for p in problems] == [("no-heads", 5)]
    detail = document.details[0][0]
    assert (detail.head, detail.minimum, detail.attributes["head"]) == (6, (6, 13), (6, 13))


def test_an_extent_that_is_taken_for_a_head_is_one_for_the_ace_value(place, tmp_path):
    """The key's head is the whole extent of the response, which names no head: 100."""
    wide = mention("m1", "NAM", (6, 31, "Ann Lee works for AT&amp;amp;T"), (6, 12, "Ann Lee"))
    narrow = mention("m1", "NAM", (6, 12, "Ann Lee"))
    sides = [corefmeter.read(place(apf(entity("e1", one))), details=True) for one in (wide, narrow)]
    assert ace_corpora(*sides, "ace2007")[0].value == 100


def test_elements_of_different_kinds_may_have_the_same_id(place):
    """As in 2004, where mentions of entities and of relations are both numbered."""
    relation = (
        '<relation ID="1" TYPE="PHYS"><relation_mention ID="1-1">'
        + charseq("ldc_extent", 6, 12, "Ann Lee") + "</relation_mention></relation>"
    )  # fmt: skip
    one = mention("1-1", "NAM", (6, 12, "Ann Lee"), (10, 12, "Lee"))
    (document,), problems = read(place(apf(entity("1", one), relation)), details=True)
    assert problems == []
    assert document.attributes["relations"][0].mentions[0].span == (6, 13)
    assert errors(place(apf(entity("1", one, one)))) == [("repeated-id", 6)]


def test_the_trigger_of_an_event_is_kept_and_compared(place):
    event = (
        '<event ID="v1" TYPE="Life"><event_mention ID="v1-1">'
        + charseq("extent", 6, 12, "Ann Lee") + charseq("anchor", 10, 12, "{}")
        + "</event_mention></event>"
    )  # fmt: skip
    (document,), _ = read(place(apf(entity("e", ANN), event.format("Lee"))), details=True)
    assert document.attributes["events"][0].mentions[0].anchor == (10, 13)
    assert [code for code, _ in errors(place(apf(entity("e", ANN), event.format("Bob"))))] == [
        "text-differs"
    ]


def test_a_source_that_is_too_large_is_refused(place, monkeypatch):
    monkeypatch.setattr(source_module, "LONGEST_TEXT", 20)
    assert [code for code, _ in errors(place(ORDINARY))] == ["too-large"]


def test_a_head_outside_of_the_extent(place):
    one = mention("m1", "NAM", (6, 8, "Ann"), (10, 12, "Lee"))
    _, problems = read(place(apf(entity("e1", one))))
    assert [(p.code, p.line) for p in problems] == [("bad-head", 5)]


def test_an_entity_without_mentions_and_a_document_without_a_name(place):
    content = apf('<entity ID="e1"/>', entity("e2", ANN)).replace(' DOCID="a"', "")
    (document,), problems = read(place(content))
    assert [p.code for p in problems] == ["unnamed-document", "empty-entity"]
    assert (document.name, document.entity_names) == ("a", ["e2"])


def test_a_source_of_brackets_takes_no_time(place):
    """Quadratic work on a million characters would not end."""
    sgm = SGM + "<!-- " * 100_000 + "<DOCID>" * 60_000
    (document,), problems = read(place(ORDINARY, sgm=sgm))
    assert (problems, len(document.entities)) == ([], 2)


def test_writing_is_refused():
    with pytest.raises(OptionError, match="cannot be written"):
        writer(ace_apf.FORMAT)


def test_damaged_files_give_problems_and_nothing_else(place):
    for cut in range(0, len(ORDINARY), 37):
        for damaged in (ORDINARY[:cut], ORDINARY[:cut] + "7" + ORDINARY[cut + 1 :]):
            try:
                (document,), _ = read(place(damaged), details=True)
            except DataError:
                continue
            assert len(document.entities) == len(document.details)
