"""``python -m tests.fuzz.guided READER [SECONDS]``: files made by atheris, which follows the code.

It starts from the seeds of a reader and keeps each file that reaches code which none reached
before. What becomes of a file is judged as in `trial.py`; the first fault ends the run with the
file. atheris is no dependency of the project: ``pip install atheris``.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

FOLLOWED = ["corefmeter.formats", "corefmeter.wings.traditions.formats", "corefmeter.corpus"]


def main(reader: str, seconds: int) -> None:
    """Feed the reader for so many seconds."""
    import atheris

    with atheris.instrument_imports(include=FOLLOWED):  # before anything else imports these
        from .mutants import seeds
        from .trial import tried

    sound = seeds(reader)
    (name, _), *beside = sound[0].items()
    folder = Path(tempfile.mkdtemp())
    start = folder / "start"
    start.mkdir()
    for number, files in enumerate(sound):
        (start / str(number)).write_bytes(next(iter(files.values())))

    def feed(data: bytes) -> None:
        files = {name: data, **dict(beside)}
        kind = tried(reader, files, folder, random.Random(data)).kind
        if kind not in ("read", "typed"):
            print(f"{reader}: {kind}\n{data!r}")
            raise SystemExit(1)

    options = [
        f"-max_total_time={seconds}", "-max_len=4096", "-verbosity=0", "-print_final_stats=1",
        f"-artifact_prefix={folder}/",
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *options, str(start)], feed)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60)
