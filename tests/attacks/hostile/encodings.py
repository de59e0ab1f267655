"""Files that are no notebook, or one in odd clothes."""

import io
import json
import zipfile

from attacks.notebooks import END, Attack, Change, Notebook, adding, code, prose, text


def zipped(notebook: Notebook) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("../../../evil.ipynb", text(notebook))
    return buffer.getvalue()


def latin_1(notebook: Notebook) -> bytes:
    notebook["cells"].insert(0, prose("Café, naïveté"))
    return text(notebook).decode().encode("latin-1", "replace")


def format_3(notebook: Notebook) -> bytes:
    cells = []
    for cell in notebook["cells"]:
        part = {"cell_type": cell["cell_type"], "metadata": cell["metadata"]}
        code_parts = {"language": "python", "outputs": [], "prompt_number": 1} if cell["cell_type"] == "code" else {}
        cells.append(part | code_parts | {"input" if code_parts else "source": "".join(cell["source"])})
    sheets = [{"cells": cells, "metadata": {}}]
    return json.dumps({"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": sheets}).encode()


def kernel(name: str, language: str, **settings: object) -> Change:
    spec = {"display_name": name, "language": language, "name": name, **settings}
    return lambda notebook: {**notebook, "metadata": {"kernelspec": spec}}


def odd_types(notebook: Notebook) -> Notebook:
    """Parts of every type where another is expected."""
    odd = (
        None, 1, "cell", [], {}, {"cell_type": 5}, {"cell_type": "code"}, {"cell_type": "code", "source": {"a": 1}},
        {"cell_type": "code", "source": [1, None, ["x"]], "metadata": []}, {"cell_type": ["code"], "source": "1"},
        {"cell_type": "code", "source": "1", "metadata": {"nbgrader": {"grade_id": {"a": []}}}, "outputs": 7, "id": []},
    )  # fmt: skip
    return {**notebook, "cells": [*odd, *notebook["cells"]], "metadata": [], "nbformat": {"a": 1}}


HALF = {**code("x = 1  # MARK"), "id": "half"}
UNREADABLE = {"points": 0, "status": "unreadable"}

ATTACKS = (
    Attack("UTF-16", "nothing", rich=True, change=lambda n: text(n).decode().encode("utf-16"), honest=True),
    Attack("a pipe", "hold up the reader", folder="pipe", **UNREADABLE),
    Attack("byte order mark", "nothing", rich=True, change=lambda n: b"\xef\xbb\xbf" + text(n), honest=True),
    Attack("Latin-1", "nothing", rich=True, change=latin_1, honest=True),
    Attack("format 3", "nothing: an old notebook", rich=True, change=format_3, honest=True),
    Attack("format 9", "nothing", rich=True, change=lambda n: {**n, "nbformat": 9}, honest=True),
    Attack("kernel of R", "nothing", rich=True, change=kernel("ir", "R"), honest=True),
    Attack("kernel of its own", "nothing", rich=True, change=kernel("mine", "python"), honest=True),
    Attack("kernel with a command", "start a program of its own", rich=True,
           change=kernel("../../../tmp/evil", "python", argv=["/bin/sh", "-c", "touch /tmp/owned"])),
    Attack("null bytes", "break the compiler", rich=True,
           change=adding({**code("x = '\0'\n\0"), "id": "null"})),
    Attack("half characters", "break whoever writes the text", rich=True, honest=True,
           change=lambda n: json.dumps(adding(HALF)(n)).replace("MARK", "\\ud800\\udfff\\ud800").encode()),
    Attack("odd types", "break the reader", rich=True, change=odd_types),
    Attack("odd numbers", "break the reader of JSON", rich=True,
           change=lambda n: json.dumps(n).encode()[:-1] + b', "x": NaN, "y": -Infinity, "z": ' + b"9" * 4000 + b"}"),
    Attack("cut off", "nothing: the upload broke off", change=lambda n: text(n)[:5000], **UNREADABLE),
    Attack("not JSON", "break the reader", change=lambda n: b"print('hello')", **UNREADABLE),
    Attack("a web page", "nothing: the wrong download", change=lambda n: b"<html><script>alert(1337)</script>",
           **UNREADABLE),
    Attack("0 bytes", "nothing", change=lambda n: b"", **UNREADABLE),
    Attack("zip archive", "be unpacked outside its folder", change=zipped, **UNREADABLE),
    Attack("a number alone", "break the reader", change=lambda n: b"42", **UNREADABLE),
    Attack("100 000 cells", "hold up the grader", rich=True,
           change=adding(*(code("pass") for _ in range(100_000)), at=END), **UNREADABLE),
    Attack("70 MB", "fill the grader's memory", change=lambda n: b" " * (70 * 2**20), **UNREADABLE),
    Attack("a link", "have the grader read another file", folder="link", **UNREADABLE),
    Attack("a folder", "break the reader", folder="folder", **UNREADABLE),
)  # fmt: skip
