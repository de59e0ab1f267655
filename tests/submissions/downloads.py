"""What tests of an LMS's downloads share: notebooks and zips, and what lies there after collecting."""

import io
import zipfile

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config, LoggingConfigurable

from autograder.collect.zip_collect import Collector, Extractor

NAMES = dict.fromkeys(("05_scorers", "06_decoders"), frozenset())
NOTEBOOK = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
METADATA = """---
submission_111:
  :submitters:
  - :name: Ada Lovelace
    :sid: '1234'
    :email: ada@example.org
  :created_at: 2026-11-18 21:30:00.250000000 Z
  :score: 0.0
  :history: []
submission_222:
  :submitters:
  - :name: Ben O'Neil
    :sid:
    :email: ben@example.org
  - :name: Cy Young
    :sid: '77'
    :email: cy@example.org
  :created_at: 2026-11-19 01:00:00.000000000 +02:00
"""
METADATA_OF_ADA = "submission_5:\n  ':submitters': [{':name': Ada, ':sid': ada, ':email': ada@example.org}]\n"


def laid(tmp_path):
    root = tmp_path / "submitted"
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def inner(files, kind=zipfile.ZIP_STORED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", kind) as file:
        for name, data in files.items() if isinstance(files, dict) else files:
            file.writestr(name, data)
    return stream.getvalue()


def many(count, data=b"", ending="txt"):
    return inner({f"{number}.{ending}": data for number in range(count)})


def locked(data):
    """The zip with its first file under a password."""
    place = data.index(b"PK\x01\x02") + 8
    return data[:place] + bytes([data[place] | 1]) + data[place + 1 :]


def of(*owners, data=NOTEBOOK):
    """A notebook of the first assignment for each name as Canvas writes it."""
    return {f"{owner}_05_scorers.ipynb": data for owner in owners}


ADA, OTHERS = of("ada_1_2"), of("ada_1_2", "zoe_9_9")
MOODLE, CANVAS = "Mallory M_66_assignsubmission_file_", "mallory_66_99_"


def students(result):
    return [submission.student for submission in result.submissions]


def at(student, assignment="05_scorers"):
    return f"{student}/{assignment}/{assignment}.ipynb"


class Desk(LoggingConfigurable):
    """Stands where nbgrader's application stands: it knows the course's folder and the assignment."""


def through_nbgrader(archive, course, assignment):
    """What our plug-ins of nbgrader make of the archive folder: each file with its student, name and time."""
    desk, extracted = Desk(), archive.with_name("extracted")
    config = Config({"CourseDirectory": {"root": str(course), "assignment_id": assignment}})
    desk.coursedir = CourseDirectory(config=config, parent=desk)
    Extractor(parent=desk).extract(str(archive), str(extracted))
    paths = sorted(path for path in extracted.rglob("*") if path.is_file())
    return [(path, Collector(parent=desk).collect(str(path))) for path in paths]
