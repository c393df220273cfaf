"""What the page calls: the commands `score` and `report`, on files that were dropped."""

import io
import os
import shlex
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout

sys.path.insert(0, "/packages")


def run(key, responses, options):
    """Score responses against a key.

    Parameters
    ----------
    key, responses
        The name and the bytes of a file, and of each of some files.
    options
        Options as on the command line.

    Returns
    -------
    dict
        The exit `status`, the `table`, the `messages`, and the `page` of the report or None.
    """
    os.environ["COLUMNS"] = "110"
    shutil.rmtree("/data", ignore_errors=True)
    paths = [_written("key", key), *(_written("response", one) for one in responses)]
    try:
        given = shlex.split(options)
    except ValueError as error:
        return {"status": 2, "table": "", "messages": f"options: {error}", "page": None}
    status, table, messages = _called("score", *paths, *given)
    page = None
    if status == 0:
        made, _, told = _called("report", *paths, *given, "-o", "report.html", "--quiet")
        if made == 0:
            with open("report.html", encoding="utf-8") as stream:
                page = stream.read()
        else:
            messages += f"no report: {told}"
    return {"status": status, "table": table, "messages": messages, "page": page}


def _written(side, file):
    """The path of a file that was dropped; the program runs in the folder above.

    Names stay, since some formats call a document as its file: of two files of one name, the second
    has a folder of its own.
    """
    name, data = file
    os.makedirs("/data", exist_ok=True)
    os.chdir("/data")
    folder, number = side, 1
    while os.path.exists(os.path.join(folder, name)):
        number += 1
        folder = f"{side} {number}"
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as stream:
        stream.write(data.to_bytes() if hasattr(data, "to_bytes") else data)
    return f"{folder}/{name}"


def _called(*arguments):
    """The exit status of a command, and what it writes to its two streams."""
    from corefmeter.cli.main import main

    out, errors = io.StringIO(), io.StringIO()
    sys.argv = ["corefmeter", *arguments]
    try:
        with redirect_stdout(out), redirect_stderr(errors):
            main()
    except SystemExit as end:
        return end.code or 0, out.getvalue(), errors.getvalue()
