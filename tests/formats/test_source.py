"""Where bytes come from: compression, standard input, blocks, digests."""

from __future__ import annotations

import bz2
import errno
import gzip
import hashlib
import io
import lzma
import os
import subprocess
import sys
import tarfile
import threading
import zipfile

import pytest

from corefmeter import DataError, read
from corefmeter.formats import source
from corefmeter.formats.source import Source

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def zstd_with_checksum(data: bytes) -> bytes:
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})


COMPRESS = {"gzip": gzip.compress, "xz": lzma.compress, "zstd": zstd_with_checksum}

TEXT = "#begin document (story); part 000\nthe\t(1\ndog\t1)\nit\t(1)\n#end document\n"
LONG = (
    "#begin document (story); part 000\n"
    + "".join(f"w{i * i}\t({i * 7919 % 1000})\n" for i in range(30_000))
    + "#end document\n"
)


def content(path: str) -> bytes:
    with Source(path) as opened:
        return b"".join(opened.blocks())


def code(path: str) -> str:
    with pytest.raises(DataError) as caught:
        read(path)
    (problem,) = caught.value.problems
    assert problem.path == path
    return problem.code


@pytest.fixture(params=COMPRESS)
def compress(request):
    return COMPRESS[request.param]


# Compression


@pytest.mark.parametrize("text", [TEXT, LONG], ids=["short", "long"])
def test_compression_is_recognised_by_content(file, compress, text):
    corpus, plain = read(file(compress(text.encode()), "story.conll")), read(file(text, "plain"))
    assert [d.entities for d in corpus] == [d.entities for d in plain]
    assert corpus.problems == []


def test_the_digest_is_of_the_file_as_it_is_stored(file, compress):
    for data in (TEXT.encode(), compress(TEXT.encode()), compress(LONG.encode())):
        path = file(data)
        assert read(path).digests == {path: hashlib.sha256(data).hexdigest()}


def test_compressed_files_may_be_put_together(file, compress):
    data = compress(TEXT.encode()) + compress(TEXT.replace("story", "other").encode())
    path = file(data)
    corpus = read(path)
    assert [d.name for d in corpus] == ["story", "other"]
    assert corpus.digests == {path: hashlib.sha256(data).hexdigest()}


def test_a_member_may_begin_anywhere_in_a_block(file, compress, monkeypatch):
    one, two = compress(TEXT.encode()), compress(TEXT.replace("story", "other").encode())
    path = file(one + two)
    for head in range(len(one) - 3, len(one) + 4):
        monkeypatch.setattr(source, "HEAD", head)
        for block in (1, 3, 1000):
            monkeypatch.setattr(source, "BLOCK", block)
            assert [d.name for d in read(path)] == ["story", "other"]


def test_a_byte_order_mark_may_be_compressed(file, compress):
    assert [d.name for d in read(file(compress(b"\xef\xbb\xbf" + TEXT.encode())))] == ["story"]


def test_a_truncated_file_is_an_error_with_the_line_that_breaks_off(file, compress):
    data = compress(LONG.encode())
    path = file(data[: len(data) // 2])
    with pytest.raises(DataError) as caught:
        read(path)
    (problem,) = caught.value.problems
    assert (problem.code, problem.path) == ("truncated", path)
    assert problem.hint


def test_truncation_anywhere_is_an_error(file, compress):
    data = compress(TEXT.encode())
    for length in range(6, len(data)):
        with pytest.raises(DataError) as caught:
            read(file(data[:length]))
        assert {p.code for p in caught.value.problems} == {"truncated"}


def test_damage_anywhere_is_an_error_or_harmless(file, compress):
    data = compress(TEXT.encode())
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 0x55
        try:
            corpus = read(file(bytes(damaged)))
        except DataError:
            continue
        assert [d.entities for d in corpus] == [[[(0, 2), (2, 3)]]]


def test_what_is_compressed_may_be_no_text(file, compress):
    assert code(file(compress(b"\0\1\2"))) == "not-text"
    assert code(file(compress(b""))) == "no-document"


def zipped(data: bytes | None) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        if data is not None:
            archive.writestr("story.conll", data)
    return stream.getvalue()


def archived(data: bytes) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        entry = tarfile.TarInfo("story.conll")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("pack", "hint"),
    [
        (bz2.compress, "bunzip2"),
        (zipped, "unzip"),
        (archived, "tar -xf"),
        (lambda data: gzip.compress(archived(data)), "tar -xf"),
        (lambda data: gzip.compress(gzip.compress(data)), "Decompress it once"),
        (lambda data: lzma.compress(gzip.compress(data)), "Decompress it once"),
        (lambda data: gzip.compress(lzma.compress(data)), "Decompress it once"),
        (lambda data: lzma.compress(data, lzma.FORMAT_ALONE), "unlzma"),
        # By the specifications of their formats; there is nothing here that writes them.
        (lambda data: b"7z\xbc\xaf\x27\x1c\0\4" + data, "7z x"),
        (lambda data: b"Rar!\x1a\x07\1\0" + data, "unrar"),
        (lambda data: b"\x04\x22\x4d\x18" + data, "unlz4"),
        (lambda data: b"\x1f\x9d\x90" + data, "uncompress"),
        (lambda data: zipped(None), "Pack the files"),
    ],
)
@pytest.mark.parametrize("text", [TEXT, LONG], ids=["short", "long"])
def test_archives_are_not_read_and_it_is_said_what_to_do(file, pack, hint, text):
    with pytest.raises(DataError) as caught:
        read(file(pack(text.encode())))
    (problem,) = caught.value.problems
    assert problem.code == "not-text"
    assert hint in problem.hint


def test_a_text_may_begin_like_an_archive(file):
    assert read(file("#begin document (ustar)\nBZh\t(1)\nPK\t(1)\n#end document\n"))


@pytest.mark.parametrize("rest", [b"something else", b"something else" * 10_000])
def test_what_follows_a_compressed_stream_is_refused(file, compress, rest):
    assert code(file(compress(TEXT.encode()) + rest)) == "truncated"


@pytest.mark.slow
@pytest.mark.parametrize("text", [TEXT, LONG], ids=["short", "long"])
def test_a_second_stream_that_is_damaged_is_refused(file, compress, text):
    """Or else half of the key would be scored without a word."""
    second = compress(text.replace("story", "other").encode())
    for place in (len(second) // 2, 2 * len(second) // 3, len(second) - 7):
        damaged = bytearray(second)
        damaged[place] ^= 0xFF
        with pytest.raises(DataError):
            read(file(compress(text.encode()) + damaged))


def test_streams_of_xz_may_be_padded(file):
    one, two = (lzma.compress(t.encode()) for t in (TEXT, TEXT.replace("story", "other")))
    corpus = read(file(one + b"\0" * 8 + two + b"\0" * 4))
    assert [d.name for d in corpus] == ["story", "other"]


# Blocks


@pytest.mark.parametrize("head", [1, 2, 5, 40, 64, 1000])
def test_blocks_make_no_difference(file, monkeypatch, head):
    text = "\n# remark\n" + TEXT.replace("it\t(1)\n", "it\t(1)\n\n#a\t-\n# b -\n") * 1 + "\n"
    for variant in (text, text.replace("\n", "\r\n"), text.rstrip("\n"), "\ufeff" + text):
        path = file(variant)
        (whole,) = read(path, "conll")
        with monkeypatch.context() as patched:
            patched.setattr(source, "HEAD", head)
            for block in (1, 2, 3, 5, 8, 13, 100):
                patched.setattr(source, "BLOCK", block)
                (parts,) = read(path, "conll")
                assert (parts.entities, parts.tokens, parts.breaks, parts.line) == (
                    whole.entities, whole.tokens, whole.breaks, whole.line
                )  # fmt: skip


def test_blocks_are_made_of_whole_lines(file, monkeypatch):
    path = file(LONG)
    monkeypatch.setattr(source, "BLOCK", 100)
    with Source(path) as opened:
        blocks = list(opened.blocks())
    assert b"".join(blocks) == LONG.encode()
    assert all(block.endswith(b"\n") for block in blocks)
    assert max(map(len, blocks[1:])) < 130


def test_the_last_line_gets_an_end(file):
    assert content(file("a\nb")) == b"a\nb\n"
    assert content(file("a\nb\n")) == b"a\nb\n"
    assert content(file("")) == b""


# What cannot be read


def test_a_file_that_is_not_there(tmp_path):
    assert code(str(tmp_path / "no.conll")) == "unreadable"


def test_a_path_that_cannot_be():
    for path in ("a\0b", "x" * 5000, "\ud800"):
        assert code(path) == "unreadable"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_file_that_must_not_be_read(file):
    path = file(TEXT)
    os.chmod(path, 0)
    assert code(path) == "unreadable"


def test_a_directory_where_a_file_is_expected(tmp_path):
    with pytest.raises(DataError) as caught:
        Source(str(tmp_path))
    assert [p.code for p in caught.value.problems] == ["unreadable"]


def test_a_disk_that_fails_is_no_damaged_file(file):
    class Failing:
        def read(self, size: int) -> bytes:
            raise OSError(errno.EIO, "Input/output error")

    with Source(file(LONG)) as opened:
        opened._stored.raw = Failing()
        blocks = opened.blocks()
        next(blocks)
        with pytest.raises(DataError, match="cannot be read: Input/output error") as caught:
            next(blocks)
    assert [p.code for p in caught.value.problems] == ["unreadable"]


def test_many_short_lines_are_no_long_one(file, monkeypatch):
    monkeypatch.setattr(source, "LONGEST_LINE", 40)
    assert len(TEXT) > 40 > max(map(len, TEXT.splitlines()))
    assert content(file(TEXT)) == TEXT.encode()


def test_progress_is_called_after_each_of_several_files():
    told = []
    with source.recording_inputs(lambda *numbers: told.append(numbers)):
        for files in (["a"], ["a", "b"], ["a", "b", "c"]):
            assert [*source.one_by_one(files)] == files
    assert told == [(1, 2), (2, 2), (1, 3), (2, 3), (3, 3)]


def test_a_line_that_never_ends(file, monkeypatch):
    monkeypatch.setattr(source, "LONGEST_LINE", 1 << 20)
    assert code(file(TEXT + "x" * (1 << 21))) == "not-text"


# Standard input and pipes


def run(code: str, data: bytes) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], input=data, capture_output=True, check=False
    )
    return done.stdout.decode() + done.stderr.decode()


SHOW = "import corefmeter; print([d.entities for d in corefmeter.read('-')])"


def test_a_dash_is_standard_input():
    assert run(SHOW, TEXT.encode()).strip() == "[[[(0, 2), (2, 3)]]]"


def test_standard_input_may_be_compressed(compress):
    assert run(SHOW, compress(TEXT.encode())).strip() == "[[[(0, 2), (2, 3)]]]"


def test_empty_standard_input_is_an_error():
    assert "-: error: the file is empty [no-document]" in run(SHOW, b"")


@pytest.mark.parametrize("how", ["sys.stdin = None", "sys.stdin.close()"])
def test_no_standard_input_is_an_error(how):
    text = run(f"import sys; {how}; {SHOW}", b"")
    assert "-: error: standard input is closed [unreadable]\n  Name a file, or redirect" in text


def test_zstd_needs_a_module_that_may_be_missing(tmp_path, monkeypatch):
    """The images of platforms have none before Python 3.14."""
    path = tmp_path / "a.zst"
    path.write_bytes(zstd.compress(TEXT.encode()))
    for module in ("backports", "compression"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DataError, match=r"by zstd, which this Python cannot read \[not-text\]\n"):
        read(str(path))


@pytest.mark.wings
@pytest.mark.parametrize("format", ["conll", "conllu", "conllua", "semeval"])
def test_a_nul_byte_is_the_error_whatever_is_open_there(tmp_path, format):
    """A mention is open, and the byte is in another line: it is never closed only by the cut."""
    cells = {
        "conll": ("#begin document (d)\nd 0 0 a (1\nd 0 1 b 1)\n#end document\n", "b 1"),
        "conllu": (
            "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
            + "".join(
                f"{n}\tw{n}" + "\t_" * 7 + f"\tEntity={cell}\n"
                for n, cell in ((1, "(e1--1-"), (2, "e1)"))
            ),
            "w2",
        ),
        "conllua": (
            "# global.columns = ID FORM IDENTITY\n# newdoc id = d\n"
            "1\ta\t(EntityID=1|MarkableID=m1\n2\tb\t)\n",
            "2\tb",
        ),
        "semeval": (
            "#begin document d\n1\ta"
            + "\t_" * 14
            + "\t(1\n2\tb"
            + "\t_" * 14
            + "\t1)\n#end document d\n",
            "2\tb",
        ),
    }
    text, within = cells[format]
    path = tmp_path / f"a.{format}"
    path.write_text(text)
    assert [d.entities for d in read(str(path), format)] == [[[(0, 2)]]]
    path.write_text(text.replace(within, within + "\0"))
    with pytest.raises(DataError) as caught:
        read(str(path), format)
    line = text[: text.index(within)].count("\n") + 1
    assert [(p.code, p.line) for p in caught.value.problems] == [("not-text", line)]
    assert "a NUL byte" in caught.value.problems[0].message


@pytest.mark.parametrize("kind", ["plain", *COMPRESS])
def test_a_stream_may_give_one_byte_at_a_time(monkeypatch, kind):
    """Also of the header, by which the format is recognised."""
    pack = COMPRESS.get(kind, bytes)
    data = pack(TEXT.encode()) + pack(TEXT.replace("story", "other").encode())

    class Slow(io.BytesIO):
        def read(self, size=-1):
            return super().read(min(size, 1))

    monkeypatch.setattr(source, "HEAD", 20)
    monkeypatch.setattr(source, "_open_stream", lambda path: Slow(data))
    corpus = read("-")
    assert [d.entities for d in corpus] == [[[(0, 2), (2, 3)]]] * 2
    assert corpus.digests == {"-": hashlib.sha256(data).hexdigest()}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_may_give_its_bytes_in_small_portions(tmp_path):
    path = str(tmp_path / "pipe")
    os.mkfifo(path)

    def feed():
        with open(path, "wb", buffering=0) as pipe:
            for byte in TEXT.encode():
                pipe.write(bytes([byte]))

    feeder = threading.Thread(target=feed)
    feeder.start()
    corpus = read(path)
    feeder.join()
    assert [d.entities for d in corpus] == [[[(0, 2), (2, 3)]]]
