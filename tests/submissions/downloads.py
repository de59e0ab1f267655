"""What tests of an LMS's downloads share: an empty notebook, zips, and what lies there after collecting."""

import io
import zipfile

NAMES = dict.fromkeys(("05_scorers", "06_decoders"), frozenset())
NOTEBOOK = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'


def laid(tmp_path):
    root = tmp_path / "submitted"
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def inner(files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for name, data in files.items():
            file.writestr(name, data)
    return stream.getvalue()
