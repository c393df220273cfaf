"""Wheels of installed distributions, without compiled files, so that they run on any platform.

A scoring program runs without a network, and its image may have only Python.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.resources import files
from typing import Any

from corefmeter.problems import DataError, Problem

#: Distributions that scoring and its page need; each has one package, with the same name.
NEEDED = ("corefmeter", "click", "jinja2", "markupsafe")

#: Endings of compiled files and their sources.
_COMPILED = (".c", ".pyc", ".pyd", ".so")

#: Paths of license texts.
_LICENSE = re.compile(r"(licen[cs]e|copying|notice|authors)\b|licenses/", re.IGNORECASE)


def wheel_of(name: str) -> tuple[str, bytes]:
    """Return the name and the content of a wheel of an installed distribution.

    The same files give the same bytes.
    """
    try:
        about = distribution(name)
    except PackageNotFoundError:
        raise _not_found(f"the distribution {name}") from None
    folder = f"{name}-{about.version}.dist-info"
    contents = dict(_package_files(files(name), name))  # by path, in the order of the wheel
    if f"{name}/__init__.py" not in contents:
        raise _not_found(f"the code of {name}")
    contents[f"{folder}/METADATA"] = (about.read_text("METADATA") or "").encode()
    if entry_points := about.read_text("entry_points.txt"):
        contents[f"{folder}/entry_points.txt"] = entry_points.encode()
    contents.update((f"{folder}/{path}", data) for path, data in _license_files(about))
    contents[f"{folder}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: corefmeter\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    # RECORD lists all files before it, and itself without a hash.
    lines = [f"{path},sha256={_hash(data)},{len(data)}" for path, data in contents.items()]
    contents[f"{folder}/RECORD"] = "\n".join([*lines, f"{folder}/RECORD,,", ""]).encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in contents.items():
            # ZipInfo has a fixed date.
            archive.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
    return f"{name}-{about.version}-py3-none-any.whl", stream.getvalue()


def _package_files(folder: Any, path: str) -> Iterator[tuple[str, bytes]]:
    """Yield the paths in a wheel and the content of the files of a package."""
    for entry in sorted(folder.iterdir(), key=lambda entry: str(entry.name)):
        place = f"{path}/{entry.name}"
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _package_files(entry, place)
        elif not entry.name.endswith(_COMPILED):
            yield place, entry.read_bytes()


def _license_files(about: Distribution) -> Iterator[tuple[str, bytes]]:
    """Yield the paths, in the folder of metadata, and the texts of the licenses."""
    for file in about.files or ():
        folder, _, path = file.as_posix().partition("/")
        if folder.endswith(".dist-info") and _LICENSE.match(path):
            yield path, (about.read_text(path) or "").encode()


def _not_found(what: str) -> DataError:
    hint = "Install corefmeter with pip, and write the bundle again."
    return DataError(Problem("unreadable", f"{what} is not found", "error", hint=hint))


def _hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
