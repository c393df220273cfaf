"""MMAX2 projects."""

from __future__ import annotations

from functools import partial

import pytest

import corefmeter
from corefmeter.formats import writer
from corefmeter.problems import DataError, OptionError
from corefmeter.wings.traditions.formats import mmax2

from ....formats.reading import errors_by, read_by

# Ids neither ascend nor follow each other: positions count.
WORDS = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE words SYSTEM "words.dtd">
<words>
<word id="word_1">The</word>
<word id="word_2">old</word>
<word id="word_30">man</word>
<word id="word_4">saw</word>
<word id="word_9">Bo &amp; Al</word>
<word id="word_6">and</word>
<word id="word_7">he</word>
<word id="word_8">left</word>
</words>
"""

LEVEL = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE markables SYSTEM "markables.dtd">
<markables xmlns="www.eml.org/NameSpaces/coref">
{}
</markables>
"""

PROJECT = """\
<?xml version="1.0" encoding="UTF-8"?>
<mmax_project>
<words>{}</words>
<views><stylesheet>x.xsl</stylesheet></views>
</mmax_project>
"""

MARKABLES = """\
<markable id="markable_2" span="word_7" coref_class="set_4" type="pron"/>
<markable id="markable_1" span="word_1..word_30" coref_class="set_4" min_ids="word_30"/>
<markable id="markable_3" span="word_9" coref_class="empty"/>"""


@pytest.fixture
def project(file):
    """Writes a project with some markables and returns its path."""

    def write(markables: str = MARKABLES, words: str = WORDS, name: str = "story_words.xml") -> str:
        file(words, "story_words.xml")
        file(LEVEL.format(markables), "story_coref_level.xml")
        return file(PROJECT.format(name), "story.mmax")

    return write


read = partial(read_by, mmax2)


def entities(path: str):
    (document,), problems = read(path)
    return document.entities, [problem.code for problem in problems]


errors = partial(errors_by, mmax2)


def test_a_project_is_read(project):
    path = project()
    assert corefmeter.read(path).format == "mmax2"
    (document,), problems = read(path, details=True)
    assert problems == []
    assert (document.name, document.tokens, document.unit) == ("story", 8, "tokens")
    assert document.entity_names == ["set_4", "markable_3"]
    assert document.entities == [[(0, 3), (6, 7)], [(4, 5)]]
    assert document.text.words[2:5] == ["man", "saw", "Bo & Al"]
    assert [detail.minimum for detail in document.details[0]] == [(2, 3), None]
    assert document.details[0][1].attributes["type"] == "pron"


def test_entities_are_the_same_without_details(project):
    (document,), _ = read(project())
    assert document.entities == [[(0, 3), (6, 7)], [(4, 5)]]
    assert (document.details, document.text) == (None, None)


def test_files_may_lie_in_folders_of_their_own(file):
    file(WORDS, "Basedata/story_words.xml")
    file(LEVEL.format(MARKABLES), "Markables/story_coref_level.xml")
    path = file(PROJECT.format("story_words.xml"), "story.mmax")
    assert entities(path)[0] == [[(0, 3), (6, 7)], [(4, 5)]]


def test_common_paths_name_the_level(file):
    file(WORDS, "Basedata/story_words.xml")
    file(LEVEL.format(MARKABLES), "Markables/story_c.xml")
    level = '<level name="coref">$_c.xml</level>'
    file(f"<common_paths><annotations>{level}</annotations></common_paths>", "common_paths.xml")
    path = file(PROJECT.format("story_words.xml"), "story.mmax")
    assert entities(path)[0] == [[(0, 3), (6, 7)], [(4, 5)]]


def test_a_folder_is_read_by_its_project_or_else_by_its_level(project, tmp_path):
    path = project()
    corpus = corefmeter.read(str(tmp_path))
    assert [document.name for document in corpus] == ["story"]
    (tmp_path / "story.mmax").unlink()
    corpus = corefmeter.read(str(tmp_path))
    assert [(d.name, len(d.entities)) for d in corpus] == [("story", 2)]
    assert path.endswith("story.mmax")


def test_a_level_whose_name_has_nothing_before_its_ending_is_no_project():
    level = LEVEL.format("").encode()
    assert mmax2.sniff(level, "story_coref_level.xml")
    assert not mmax2.sniff(level, "_coref_level.xml")


# Tricky but legal


@pytest.mark.parametrize(
    ("span", "mention"),
    [
        ("word_1..word_30,word_6", ((0, 3), (5, 6))),
        ("word_6,word_1..word_30", ((0, 3), (5, 6))),
        ("word_1..30", (0, 3)),
        ("word_9..word_8", (4, 8)),  # by position, though 9 is more than 8
        ("word_1,word_2", (0, 2)),
    ],
)
def test_spans_are_resolved_by_position(project, span, mention):
    path = project(f'<markable id="m" span="{span}" coref_class="set_1"/>')
    assert entities(path) == ([[mention]], [])


def test_pointers_join_also_several_at_once(project):
    path = project(
        '<markable id="m1" span="word_1" ref="empty"/><markable id="m2" span="word_4"/>'
        '<markable id="m3" span="word_7" antecedent="m1;m2"/><markable id="m4" span="word_8"/>'
    )
    assert entities(path) == ([[(0, 1), (3, 4), (6, 7)], [(7, 8)]], [])


def test_a_pointer_joins_a_markable_without_a_set_to_one_with_it(project):
    path = project(
        '<markable id="m1" span="word_1" coref_class="set_2"/>'
        '<markable id="m2" span="word_4" ref="coref:m1"/>'
    )
    (document,), _ = read(path)
    assert (document.entity_names, document.entities) == (["set_2"], [[(0, 1), (3, 4)]])


def test_sets_of_other_levels_are_not_mixed_in(project, file):
    path = project()
    file(
        LEVEL.format('<markable id="x" span="word_8" coref_class="set_4"/>'),
        "story_phrase_level.xml",
    )
    assert entities(path)[0] == [[(0, 3), (6, 7)], [(4, 5)]]


def test_a_set_may_be_called_as_a_markable_of_none(project):
    path = project(
        '<markable id="m1" span="word_1" coref_class="m3"/>'
        '<markable id="m2" span="word_4" coref_class="m3"/><markable id="m3" span="word_7"/>'
    )
    assert entities(path) == ([[(0, 1), (3, 4)], [(6, 7)]], [])


def test_a_circle_of_pointers_is_one_entity_and_told(project):
    path = project(
        '<markable id="m1" span="word_1" ref="m2"/><markable id="m2" span="word_4" ref="m1"/>'
    )
    assert entities(path) == ([[(0, 1), (3, 4)]], ["bad-link"])


# Malformed


@pytest.mark.parametrize(
    ("markables", "expected"),
    [
        ('<markable id="m" span="word_99"/>', ("bad-span", 4, 1)),
        ('<markable id="m" span="word_8..word_1"/>', ("bad-span", 4, 1)),
        ('<markable id="m"/>', ("bad-span", 4, 1)),
        ('<markable span="word_1"/>', ("missing-field", 4, 1)),
        (
            '<markable id="m" span="word_1"/>\n<markable id="m" span="word_2"/>',
            ("repeated-id", 5, 1),
        ),
        ('<markable id="m" span="word_1" ref="n"/>', ("unknown-mention", 4, 1)),
        (
            '<markable id="m" span="word_1" coref_class="a"/>'
            '\n<markable id="n" span="word_2" coref_class="b" ref="m"/>',
            ("two-entities", 5, 1),
        ),
        (
            '<markable id="m" span="word_1" coref_class="a"/>'
            '<markable id="n" span="word_2" coref_class="b"/>'
            '\n<markable id="o" span="word_30" ref="m;n"/>',
            ("two-entities", 4, 1),
        ),
        ('<markable id="m" span="word_1">', ("bad-xml", 5, 3)),
        ("&nbsp;", ("bad-xml", 4, 1)),
    ],
)
def test_broken_levels_are_errors_with_their_place(project, markables, expected):
    assert errors(project(markables)) == [expected]


def test_broken_words_are_errors_of_their_file(project):
    path = project(
        words='<words>\n<word id="a">x</word>\n<word id="a">y</word><word>z</word></words>'
    )
    assert errors(path) == [("repeated-id", 3, 1), ("missing-field", 3, 22)]


def test_words_outside_of_the_folder_are_not_read(project):
    assert errors(project(name="../story_words.xml")) == [("bad-field", 3, 1)]
    assert errors(project(name="/story_words.xml")) == [("bad-field", 3, 1)]


def test_missing_files_are_told(file):
    path = file(PROJECT.format("story_words.xml"), "story.mmax")
    assert errors(path) == [("missing-text", None, None)]
    assert errors(file("<mmax_project/>", "y.mmax")) == [("missing-field", 1, 1)]
    assert errors(file("<other/>", "z.mmax")) == [("bad-xml", 1, 1)]


def test_a_minimum_outside_of_the_markable_is_left_out_and_told(project):
    path = project('<markable id="m" span="word_1..word_30" min_ids="word_7"/>')
    (document,), (problem,) = read(path, details=True)
    assert (document.details[0][0].minimum, problem.code) == (None, "bad-span")
    assert "outside the markable" in problem.message


def test_the_files_of_a_project_are_no_documents_of_a_folder(project, file, tmp_path):
    project()
    file("<!ELEMENT words ANY>", "words.dtd")
    corpus = corefmeter.read(tmp_path)
    assert [d.name for d in corpus] == ["story"]
    assert corpus.problems == []
    with pytest.raises(DataError) as caught:
        corefmeter.read(file(WORDS, "other_words.xml"))
    assert "give the file NAME.mmax" in caught.value.problems[0].hint


def test_a_minimum_with_gaps_is_left_out_and_told(project):
    path = project('<markable id="m" span="word_1..word_30" min_ids="word_1,word_30"/>')
    (document,), (problem,) = read(path, details=True)
    assert (document.details[0][0].minimum, problem.code) == (None, "bad-span")


def test_it_cannot_be_written():
    with pytest.raises(OptionError, match="choose"):
        writer(mmax2.FORMAT)


# Attributes and levels of other names.


def found_in(path: str, **options) -> list:
    (document,) = corefmeter.read(path, **options)
    return sorted(document.entities)


OF_POTSDAM = """\
<markable id="markable_1" span="word_1..word_30" anaphor_antecedent="empty"/>
<markable id="markable_2" span="word_7" anaphor_antecedent="markable_1"/>
<markable id="markable_3" span="word_9"/>"""


def test_the_pointers_of_the_potsdam_commentary_corpus_are_read(project):
    assert found_in(project(OF_POTSDAM)) == [[(0, 3), (6, 7)], [(4, 5)]]


def levels(file, **texts: str) -> str:
    """A project with levels of one's own; its path."""
    listed = "".join(f'<level name="{name}">$_{name}_level.xml</level>' for name in texts)
    file(f"<common_paths><annotations>{listed}</annotations></common_paths>", "common_paths.xml")
    file(WORDS, "story_words.xml")
    for name, text in texts.items():
        file(LEVEL.format(text), f"story_{name}_level.xml")
    return file(PROJECT.format("story_words.xml"), "story.mmax")


PLAIN = '<markable id="markable_8" span="word_1..word_8"/>'


def test_the_level_in_which_an_attribute_joins_markables_is_read(file):
    path = levels(file, primmark=OF_POTSDAM, sentence=PLAIN)
    assert found_in(path) == [[(0, 3), (6, 7)], [(4, 5)]]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"sentence": PLAIN, "mention": PLAIN},
         "of the levels sentence, mention none joins markables"),
        ({"one": OF_POTSDAM, "two": OF_POTSDAM},
         "of the levels one, two several join markables: one, two"),
    ],
)  # fmt: skip
def test_no_level_or_several_that_join_markables_are_an_error(file, other, said):
    with pytest.raises(DataError) as error:
        corefmeter.read(levels(file, **other))
    (problem,) = error.value.problems
    assert problem.code == "no-coreference"
    assert problem.message == f"there is no level coref, and {said}"


def test_a_level_of_any_name_can_be_given(file, tmp_path):
    levels(file, one=OF_POTSDAM, two=PLAIN)
    path = str(tmp_path / "story_one_level.xml")
    assert found_in(path, format="mmax2") == [[(0, 3), (6, 7)], [(4, 5)]]


OWN = """\
<markable id="markable_1" span="word_1..word_30" chain="set_1" bridge="empty"/>
<markable id="markable_2" span="word_7" chain="set_1" back="markable_1"/>
<markable id="markable_3" span="word_9" bridge="markable_1"/>"""


def test_attributes_that_join_markables_and_are_not_read_are_named(project):
    corpus = corefmeter.read(project(OWN))
    assert sorted(corpus.documents[0].entities) == [[(0, 3)], [(4, 5)], [(6, 7)]]
    found = {problem.message.split("'")[1]: problem.count for problem in corpus.problems}
    assert found == {"chain": 2, "back": 1, "bridge": 1}


@pytest.mark.parametrize("identity", ["chain", "BACK", "chain+back"])
def test_the_attributes_of_identity_can_be_named(project, identity):
    assert found_in(project(OWN), identity=identity) == [[(0, 3), (6, 7)], [(4, 5)]]


def test_attributes_that_are_named_take_the_place_of_the_known_ones(project):
    markables = MARKABLES.replace("/>", ' mine="empty"/>', 2)
    assert len(found_in(project(markables), identity="mine")) == 3


# Schemes.


@pytest.fixture
def schemed(file):
    """Writes a project of a level whose scheme declares attributes, each NAME:TYPE."""

    def write(
        markables: str, *declared: str, level: str = "coref", at: str = "Schemes", named: str = ""
    ) -> str:
        attributes = "".join(
            '<attribute id="{0}" name="{0}" type="{1}"><value id="v" name="none"/></attribute>'
            .format(*one.split(":", 1)) for one in declared
        )  # fmt: skip
        file(f"<annotationscheme>{attributes}</annotationscheme>", f"{at}/own.xml")
        file(
            f"<common_paths><scheme_path>{named or at + '/'}</scheme_path><annotations>"
            f'<level name="{level}" schemefile="own.xml">$_{level}_level.xml</level>'
            "</annotations></common_paths>",
            "common_paths.xml",
        )
        file(WORDS, "story_words.xml")
        file(LEVEL.format(markables), f"story_{level}_level.xml")
        return file(PROJECT.format("story_words.xml"), "story.mmax")

    return write


def named_in(path: str, **options) -> dict[str, int]:
    """The attributes that join markables and are not read, with their counts."""
    problems = corefmeter.read(path, **options).problems
    assert {problem.code for problem in problems} <= {"unknown-relation"}
    assert all("with identity" in problem.hint for problem in problems)
    return {problem.message.split("'")[1]: problem.count for problem in problems}


ODD = """\
<markable id="markable_1" span="word_1..word_30" chain="A" kind="set_1"/>
<markable id="markable_2" span="word_7" chain="A" kind="markable_1" back="the man"/>
<markable id="markable_3" span="word_9" chain="empty"/>"""


@pytest.mark.parametrize(
    ("declared", "named"),
    [
        ([], {"kind": 2}),  # by the values
        (["chain:markable_set"], {"chain": 2, "kind": 2}),
        (["Chain: Markable_Set", "back:markable_pointer:from"], {"chain": 2, "back": 1, "kind": 2}),
        (["kind:nominal_list"], {}),
        (["kind:nominal_button", "chain:freetext"], {}),
        (["kind:freetext"], {"kind": 2}),
        (["kind:nominal_list", "kind:markable_set"], {"kind": 2}),
        (["kind:something"], {"kind": 2}),
    ],
)
def test_a_scheme_says_which_attributes_that_are_not_read_are_sets_and_pointers(
    schemed, declared, named
):
    path = schemed(ODD, *declared)
    assert found_in(path) == [[(0, 3)], [(4, 5)], [(6, 7)]]
    assert named_in(path) == named


# By its values `chain` is a pointer, and `back` a set.
TURNED = """\
<markable id="markable_1" span="word_1..word_30" chain="markable_3"/>
<markable id="markable_2" span="word_7" chain="markable_3"/>
<markable id="markable_3" span="word_9"/>
<markable id="markable_4" span="word_4" back="x:markable_3"/>
<markable id="markable_5" span="word_6" back="x:markable_3"/>"""


def test_a_set_is_one_although_its_values_are_ids_of_markables(schemed):
    pointing = [[(0, 3), (4, 5), (6, 7)], [(3, 4)], [(5, 6)]]
    assert found_in(schemed(TURNED), identity="chain") == pointing
    setting = [[(0, 3), (6, 7)], [(3, 4)], [(4, 5)], [(5, 6)]]
    assert found_in(schemed(TURNED, "chain:markable_set"), identity="chain") == setting


def test_a_pointer_is_one_although_what_it_names_is_not_there(schemed):
    markables = TURNED.replace("x:markable_3", "markable_9")
    setting = [[(0, 3)], [(3, 4), (5, 6)], [(4, 5)], [(6, 7)]]
    assert found_in(schemed(markables), identity="back") == setting
    with pytest.raises(DataError) as caught:
        corefmeter.read(schemed(markables, "back:markable_pointer"), identity="back")
    assert [problem.code for problem in caught.value.problems] == ["unknown-mention"] * 2


def test_known_names_are_what_their_scheme_says(schemed):
    sets = OF_POTSDAM.replace("markable_1", "x").replace('id="x"', 'id="markable_1"')
    with pytest.raises(DataError, match="unknown-mention"):
        corefmeter.read(schemed(sets))
    path = schemed(sets.replace('"empty"', '"x"'), "anaphor_antecedent:markable_set")
    assert found_in(path) == [[(0, 3), (6, 7)], [(4, 5)]]


def test_a_known_name_that_is_neither_set_nor_pointer_is_not_read(schemed):
    markables = MARKABLES.replace("/>", ' coref="yes"/>')
    with pytest.raises(DataError, match="unknown-mention"):
        corefmeter.read(schemed(markables))
    path = schemed(markables, "coref:nominal_button")
    assert (found_in(path), named_in(path)) == ([[(0, 3), (6, 7)], [(4, 5)]], {})
    path = schemed(MARKABLES, "coref_class:nominal_list")  # but its values look like sets
    assert (found_in(path), named_in(path)) == ([[(0, 3)], [(4, 5)], [(6, 7)]], {"coref_class": 2})
    assert found_in(path, identity="coref_class") == [[(0, 3), (6, 7)], [(4, 5)]]


def test_a_known_name_of_free_text_is_known_by_its_values(schemed):
    path = schemed(MARKABLES, "coref_class:freetext")
    assert (found_in(path), named_in(path)) == ([[(0, 3), (6, 7)], [(4, 5)]], {})


def test_the_only_set_of_a_level_is_named_and_not_guessed_to_be_identity(schemed):
    chains = ODD.replace("kind", "type")
    path = schemed(chains, "chain:markable_set", "type:nominal_list")
    assert (len(found_in(path)), named_in(path)) == (3, {"chain": 2})


def test_without_a_level_coref_the_sets_of_the_others_are_named(schemed):
    path = schemed(ODD, "chain:markable_set", level="entities")
    with pytest.raises(DataError) as caught:
        corefmeter.read(path)
    (problem,) = caught.value.problems
    assert (problem.code, "chain of entities" in problem.hint) == ("no-coreference", True)
    assert found_in(path, identity="chain") == [[(0, 3), (6, 7)], [(4, 5)]]


def test_a_level_joins_markables_by_what_its_scheme_says(file, schemed, tmp_path):
    path = schemed(PLAIN.replace("/>", ' coref="yes"/>'), "coref:nominal_list", level="sentence")
    common = tmp_path / "common_paths.xml"
    level = '<level name="primmark">$_primmark_level.xml</level></annotations>'
    common.write_text(common.read_text().replace("</annotations>", level))
    file(LEVEL.format(OF_POTSDAM), "story_primmark_level.xml")
    assert found_in(path) == [[(0, 3), (6, 7)], [(4, 5)]]


@pytest.mark.parametrize(
    ("places", "named"),
    [
        ({}, {"chain": 2, "kind": 2}),
        ({"at": "other/of it"}, {"chain": 2, "kind": 2}),
        ({"named": "elsewhere"}, {"chain": 2, "kind": 2}),
        ({"at": ".", "named": "elsewhere"}, {"chain": 2, "kind": 2}),
        ({"at": "other", "named": "elsewhere"}, {"kind": 2}),  # it is not there
        ({"at": "other", "named": "x/../other"}, {"kind": 2}),  # only below the project
    ],
)
def test_where_schemes_lie(schemed, places, named):
    assert named_in(schemed(ODD, "chain:markable_set", **places)) == named


def test_a_level_that_is_given_alone_has_its_scheme(schemed, tmp_path):
    schemed(ODD, "chain:markable_set", "kind:nominal_list", level="own")
    path = str(tmp_path / "story_own_level.xml")
    assert named_in(path, format="mmax2") == {"chain": 2}


@pytest.mark.parametrize("text", ["<annotationscheme>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "-"])
def test_a_scheme_that_is_no_xml_is_an_error_of_its_file(schemed, tmp_path, text):
    path = schemed(MARKABLES)
    (tmp_path / "Schemes/own.xml").write_text(text)
    with pytest.raises(DataError) as caught:
        corefmeter.read(path)
    (problem,) = caught.value.problems
    assert problem.code == "bad-xml"
    assert problem.path.endswith("own.xml")


def test_a_broken_scheme_does_not_change_which_level_is_read(file, schemed, tmp_path):
    path = schemed(MARKABLES, level="np")
    (tmp_path / "Schemes/own.xml").write_text("<bad")
    common = tmp_path / "common_paths.xml"
    level = '<level name="primmark">$_primmark_level.xml</level></annotations>'
    common.write_text(common.read_text().replace("</annotations>", level))
    file(LEVEL.format(MARKABLES), "story_primmark_level.xml")
    with pytest.raises(DataError) as caught:
        corefmeter.read(path)
    (problem,) = caught.value.problems
    assert (problem.code, problem.path) == ("bad-xml", str(tmp_path / "Schemes/own.xml"))


@pytest.mark.parametrize("folder", ["", "Markables/"])
@pytest.mark.parametrize("text", ["<bad", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "-"])
def test_a_level_that_is_given_alone_needs_no_list_of_levels(file, tmp_path, folder, text):
    file(WORDS, "Markables/story_words.xml")
    path = file(LEVEL.format(MARKABLES), "Markables/story_coref_level.xml")
    common = file(text, f"{folder}common_paths.xml")
    corpus = corefmeter.read(path)
    assert [document.entities for document in corpus] == [[[(0, 3), (6, 7)], [(4, 5)]]]
    (problem,) = corpus.problems
    assert (problem.code, problem.severity, problem.path) == ("bad-xml", "warning", common)
    assert problem.hint == "The level is read without its scheme."
    file(PROJECT.format("story_words.xml"), "story.mmax")
    if not folder:  # a project may need it
        with pytest.raises(DataError, match="bad-xml"):
            corefmeter.read(str(tmp_path / "story.mmax"))


# Sets of several attributes.

SEVERAL = """\
<markable id="m1" span="word_1" a="set_1" b="set_9"/>
<markable id="m2" span="word_2" a="set_1"/>
<markable id="m3" span="word_30" b="set_9"/>
<markable id="m4" span="word_4" B="set_1"/>"""


@pytest.mark.parametrize("declared", [[], ["a:markable_set", "b:markable_set"]])
def test_a_markable_joins_its_sets_of_several_attributes(schemed, declared):
    path = schemed(SEVERAL, *declared)
    assert found_in(path, identity="a") == [[(0, 1), (1, 2)], [(2, 3)], [(3, 4)]]
    assert found_in(path, identity="b") == [[(0, 1), (2, 3)], [(1, 2)], [(3, 4)]]
    (document,) = corefmeter.read(path, identity="a+b")
    assert document.entities == [[(0, 1), (1, 2), (2, 3)], [(3, 4)]]
    assert document.entity_names == ["set_1", "set_1'"]


def test_the_known_sets_of_a_markable_are_joined_too(project):
    path = project(
        '<markable id="m1" span="word_1" coref_class="set_1" coref_set="set_1"/>'
        '<markable id="m2" span="word_2" coref_class="set_1"/>'
        '<markable id="m3" span="word_30" coref_set="set_1"/>'
        '<markable id="m4" span="word_4" coref_set="set_2" coref_class="set_3"/>'
        '<markable id="m5" span="word_9" coref_class="set_2"/>'
        '<markable id="m6" span="word_6" coref_class="set_3"/>'
    )
    assert entities(path) == ([[(0, 1), (1, 2), (2, 3)], [(3, 4), (5, 6)], [(4, 5)]], [])


def test_a_pointer_may_lead_into_a_set_of_another_attribute(project):
    path = project(
        '<markable id="m1" span="word_1" coref_class="x"/>'
        '<markable id="m2" span="word_2" coref_set="y" ref="m1"/>'
    )
    assert entities(path) == ([[(0, 1), (1, 2)]], [])


def test_two_sets_of_one_attribute_that_another_attribute_joins_are_an_error(project):
    path = project(
        '<markable id="m1" span="word_1" a="set_1" b="set_9"/>\n'
        '<markable id="m2" span="word_2" a="set_2" b="set_9"/>'
    )
    with pytest.raises(DataError) as caught:
        corefmeter.read(path, identity="a+b")
    (problem,) = caught.value.problems
    assert (problem.code, problem.line, problem.column) == ("two-entities", 4, 1)
    assert "'set_1' and 'set_2' of 'a'" in problem.message
    assert found_in(path, identity="b") == [[(0, 1), (1, 2)]]
