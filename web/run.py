"""The calls of the page: the commands `report` and `score`, on the files that it was given."""

import gc
import io
import os
import shlex
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout

sys.path.insert(0, "/packages")

#: The options and files of the last report.
_last = []


def make_report(key, responses, words, more):
    """Write the files, and make the report of them.

    Parameters
    ----------
    key, responses
        A file, and several: each with its `file` name and `data`; responses also have a `name`.
    words, more
        Options in words of the command line, and in one text.

    Returns
    -------
    dict
        The exit `status`, the `output` or None, the `messages`, and the `command` that prints the
        scores.
    """
    os.chdir("/")
    shutil.rmtree("/data", ignore_errors=True)
    os.makedirs("/data")
    os.chdir("/data")
    try:
        options = [*words, *shlex.split(more)]
    except ValueError as error:
        return {"status": 2, "messages": f"Error: other options: {error}", "output": None}
    files = [_write_file("key", key)]
    files += [f"{one.name}={_write_file('response', one)}" for one in responses]
    _last[:] = options, files
    named = [one.file if one.name == one.file else f"{one.name}={one.file}" for one in responses]
    command = shlex.join(["corefmeter", "score", *options, key.file, *named])
    return _run("report", "report.html") | {"command": command}


def save_scores(name):
    """Return the file of scores that `score` writes; the ending of its name sets the format."""
    return _run("score", name)


def _write_file(side, one):
    """Return the path of a file that was written.

    The name stays, since some formats call a document like its file. Two files with one name are in
    different folders.
    """
    folder, number = side, 1
    while os.path.exists(f"{folder}/{one.file}"):
        number += 1
        folder = f"{side} {number}"
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/{one.file}", "wb") as stream:
        stream.write(one.data.to_bytes())
    return f"{folder}/{one.file}"


def _run(command, path):
    """Return the exit status of a command, the file that it wrote, and its messages."""
    from corefmeter.cli.main import main

    if os.path.exists(path):
        os.remove(path)
    errors = io.StringIO()
    options, files = _last
    sys.argv = ["corefmeter", command, *options, "--quiet", "-o", path, "--", *files]
    try:
        with redirect_stdout(errors), redirect_stderr(errors):
            main()
    except SystemExit as end:
        status = end.code or 0
    gc.collect()  # the program leaves it to the end of its process
    messages = errors.getvalue()
    if not os.path.exists(path):
        return {"status": status or 2, "messages": messages, "output": None}
    with open(path, encoding="utf-8", newline="") as stream:
        return {"status": status, "messages": messages, "output": stream.read()}
