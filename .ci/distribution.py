"""Check the wheel and the source distribution in a folder: what is in them, and what they say."""

from __future__ import annotations

import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

PROJECT = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
#: All files of the package: modules, templates, py.typed.
SOURCES = {
    str(path.relative_to("src"))
    for path in Path("src/corefmeter").rglob("*")
    if path.is_file() and "__pycache__" not in path.parts
}


def check(holds: bool, what: str) -> None:
    """End with what is wrong."""
    if not holds:
        sys.exit(f"distribution: {what}")


def check_wheel(path: Path) -> None:
    """The package with its types, and nothing else."""
    with zipfile.ZipFile(path) as wheel:
        names = {name for name in wheel.namelist() if not name.endswith("/")}
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        said = message_from_bytes(wheel.read(metadata))
    package = {name for name in names if ".dist-info/" not in name}
    check("corefmeter/py.typed" in SOURCES, "src/corefmeter has no py.typed")
    check(package >= SOURCES, f"the wheel lacks {sorted(SOURCES - package)}")
    foreign = sorted(name for name in package if not name.startswith("corefmeter/"))
    check(not foreign, f"the wheel has {foreign}")
    check(any(name.endswith("/licenses/LICENSE") for name in names), "the wheel has no licence")
    check(said["Requires-Python"] == PROJECT["requires-python"], "Requires-Python differs")
    urls = {url.partition(", ")[0] for url in said.get_all("Project-URL", [])}
    check(urls == set(PROJECT["urls"]), f"the wheel has the addresses {sorted(urls)}")
    needed = {line for line in said.get_all("Requires-Dist", []) if "extra ==" not in line}
    check(len(needed) == len(PROJECT["dependencies"]), f"the wheel needs {sorted(needed)}")


def check_source(path: Path) -> None:
    """The package, its tests, and what a reader of them needs."""
    with tarfile.open(path) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    needed = {f"src/{name}" for name in SOURCES} | {
        "pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE",
        "tests/conftest.py", "tests/golden/values.tsv", "examples/key.conll", "changes/gather.py",
    }  # fmt: skip
    check(names >= needed, f"the source distribution lacks {sorted(needed - names)}")


def main() -> None:
    """Check the one wheel and the one source distribution of the folder that is given."""
    folder = Path(sys.argv[1])
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    check_wheel(wheel)
    check_source(source)
    print(f"{wheel.name}, {source.name}: as they should be")


if __name__ == "__main__":
    main()
