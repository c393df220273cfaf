"""Wheels of what is installed here, of Python files alone, so that they run on any platform.

A scoring program runs without a network, and its image may have nothing but Python.
"""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

#: Distributions that scoring and its page need; each has one package of its name.
NEEDED = ("corefmeter", "click", "jinja2", "markupsafe")

#: Files of a package that are compiled or only needed to compile; packages here do without.
_COMPILED = (".c", ".pyc", ".pyd", ".so")


def wheel_of(name: str) -> tuple[str, bytes]:
    """The name and the bytes of a wheel of an installed distribution; equal files, equal bytes.

    Parameters
    ----------
    name
        The distribution, whose package has the same name.

    Examples
    --------
    >>> name, _ = wheel_of("click")
    >>> name.startswith("click-"), name.endswith("-py3-none-any.whl")
    (True, True)
    """
    about = distribution(name)
    folder = f"{name}-{about.version}.dist-info"
    files = dict(_package(name))
    files[f"{folder}/METADATA"] = (about.read_text("METADATA") or "").encode()
    if points := about.read_text("entry_points.txt"):
        files[f"{folder}/entry_points.txt"] = points.encode()
    files[f"{folder}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: corefmeter\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    lines = [f"{path},sha256={_hash(data)},{len(data)}" for path, data in files.items()]
    files[f"{folder}/RECORD"] = "\n".join([*lines, f"{folder}/RECORD,,", ""]).encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
    return f"{name}-{about.version}-py3-none-any.whl", stream.getvalue()


def _package(name: str) -> list[tuple[str, bytes]]:
    """The files of a package by their paths in a wheel."""
    spec = find_spec(name)
    assert spec is not None  # it is imported here
    (root,) = map(Path, spec.submodule_search_locations or ())
    found = sorted(path for path in root.rglob("*") if path.is_file())
    return [
        (path.relative_to(root.parent).as_posix(), path.read_bytes())
        for path in found
        if path.suffix not in _COMPILED and "__pycache__" not in path.parts
    ]


def _hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
