"""Comparing the words of key and response, which a strict run does."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from corefmeter import DataError, score

#: The same three words as every layout writes them.
LAYOUTS = {
    "2": "{word}\t{cell}",
    "2, blanks": "{word} {cell}",
    "3": "{n}\t{word}\t{cell}",
    "3, word first": "{word}\tNN\t{cell}",
    "4": "x\t{n}\t{word}\t{cell}",
    "4, word first": "{word} w NN {cell}",
    "5": "x\t0\t{n}\t{word}\t{cell}",
    "6, word first": "{word}\tw\tNN\t*\t-\t{cell}",
    "12": "x   0   {n}   {word}   NN   (NP*)   -   -   -   Speaker#1   *   {cell}",
    "TABs at the end": "x\t0\t{n}\t{word}\t{cell}\t",
}


def document(words: str, layout: str = "5", name: str = "x") -> str:
    lines = [
        LAYOUTS[layout].format(word=word, n=n, cell="(1)" if n % 2 else "-")
        for n, word in enumerate(words.split(" "))
    ]
    return f"#begin document ({name}); part 000\n" + "\n".join(lines) + "\n#end document\n"


def differences(key: str, response: str) -> list:
    with pytest.raises(DataError) as caught:
        score(key, response, strict=True)
    return caught.value.problems


@pytest.mark.parametrize("key", LAYOUTS)
@pytest.mark.parametrize("response", LAYOUTS)
def test_the_same_words_in_any_columns(file, key, response):
    words = "Ann saw it ."
    key, response = file(document(words, key), "key"), file(document(words, response), "response")
    result = score(key, response, strict=True)
    assert [p for p in result.problems if p.code != "same-file"] == []
    assert result.muc.f1 == 1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_first_difference_is_an_error_with_both_places(file, layout):
    key = file("\n# remark\n" + document("Ann saw it .", layout), "key")
    response = file(document("Ann saw her !", layout), "response")
    (problem,) = differences(key, response)
    assert (problem.code, problem.path, problem.line) == ("words-differ", response, 4)
    assert "'her' is 'it' in the key" in problem.message
    assert f"{key}:6" in problem.message


def test_a_difference_in_each_document_is_an_error(file):
    key = file(document("a b") + document("c d", name="y") + document("e f", name="z"), "key")
    response = file(
        document("a B") + document("c d", name="y") + document("e F", name="z"), "response"
    )
    assert [p.line for p in differences(key, response)] == [3, 11]


def test_words_are_found_behind_comments_blank_lines_and_crlf(file):
    key = file(document("Ann saw it ."), "key")
    text = document("Ann saw it !").replace("\nx\t0\t2", "\n\n# remark -\n#\n\nx\t0\t2")
    response = file("\ufeff\n" + text.replace("\n", "\r\n"), "response")
    (problem,) = differences(key, response)
    assert problem.line == 10
    assert "'!' is '.' in the key" in problem.message


def test_words_that_begin_with_a_hash_are_compared(file):
    key, response = (
        file(document("#a b #c", "2"), "key"),
        file(document("#a b #d", "2"), "response"),
    )
    (problem,) = differences(key, response)
    assert "'#d' is '#c' in the key" in problem.message


@pytest.mark.parametrize(("longer", "line"), [("key", 4), ("response", 4)])
def test_a_word_too_many_is_an_error_at_that_word(file, longer, line):
    paths = {
        side: file(document("Ann saw it" if side == longer else "Ann saw"), side)
        for side in ("key", "response")
    }
    (problem,) = differences(paths["key"], paths["response"])
    assert (problem.code, problem.path, problem.line) == ("words-differ", paths[longer], line)
    assert "'it'" in problem.message


def test_a_response_document_without_tokens_differs(file):
    empty = "#begin document (x); part 000\n#end document\n"
    key, response = file(document("Ann saw"), "key"), file(empty, "response")
    (problem,) = differences(key, response)
    assert (problem.code, problem.path, problem.line) == ("words-differ", key, 2)


def test_a_document_that_is_missing_has_no_words_to_compare(file):
    key = file(document("a b") + document("c d", name="y"), "key")
    result = score(key, file(document("a b"), "response"), strict=True)
    assert [p.code for p in result.problems] == ["missing-document"]


def test_bytes_that_are_no_utf8_are_compared_as_bytes(file):
    key = file(document("caf? is").encode().replace(b"?", b"\xe9"), "key")
    (problem,) = score(key, file(Path(key).read_bytes(), "same"), strict=True).problems
    assert problem.code == "same-file"
    other = file(document("caf? is").encode().replace(b"?", b"\xe8"), "other")
    (problem,) = differences(key, other)
    assert "xe8" in problem.message


def test_a_file_without_words_is_a_warning(file):
    """One column: nothing but the cells."""
    key = file("#begin document (x); part 000\n-\n(1)\n#end document\n", "key")
    response = file(document("Ann saw"), "response")
    (problem,) = score(key, response, strict=True).problems
    assert (problem.code, problem.path, problem.severity) == ("no-words", response, "warning")


def test_documents_without_words_are_one_warning_with_their_number(file):
    text = "".join(f"#begin document (x); part {n}\n(1)\n#end document\n" for n in range(3))
    _, problem = score(file(text, "key"), file(text, "response"), strict=True).problems
    assert (problem.code, problem.count) == ("no-words", 3)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_words_of_a_pipe_are_compared_since_it_is_read_once(file, tmp_path):
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    text = document("Ann sees").encode()

    def feed():
        with open(pipe, "wb") as stream:
            stream.write(text)

    feeder = threading.Thread(target=feed)
    feeder.start()
    with pytest.raises(DataError, match="'sees' is 'saw' in the key"):
        score(file(document("Ann saw"), "key"), pipe, strict=True)
    feeder.join()


def test_words_of_documents_that_were_concatenated(file):
    key = file(document("a b") + document("c d"), "key")
    response = file(document("a b") + document("c D"), "response")
    with pytest.raises(DataError) as caught:
        score(key, response, strict=True, documents="concatenate")
    (problem,) = caught.value.problems
    assert (problem.line, problem.message[:25]) == (7, "the word 'D' is 'd' in th")


def test_words_of_documents_that_were_joined_out_of_files_are_compared(file, tmp_path):
    file(document("a b"), "corpus/1")
    file(document("c d"), "corpus/2")
    response = file(document("a b c d"), "response")
    options = {"strict": True, "documents": "concatenate"}
    assert score(tmp_path / "corpus", response, **options).problems == []
    with pytest.raises(DataError, match="the word 'D' is 'd' in the key"):
        score(tmp_path / "corpus", file(document("a b c D"), "other"), **options)


def test_compressed_files_have_words_too(file):
    import gzip

    key = file(gzip.compress(document("Ann saw").encode()), "key")
    (problem,) = differences(key, file(document("Ann sees"), "response"))
    assert "'sees' is 'saw' in the key" in problem.message


def test_a_run_that_is_not_strict_compares_no_words(file):
    key, response = file(document("a b"), "key"), file(document("c d"), "response")
    assert score(key, response).problems == []
