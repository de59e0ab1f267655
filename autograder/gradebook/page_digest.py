"""Digest of a page's inputs: the same digest means the same page."""

import hashlib
import json
from functools import cache
from pathlib import Path

from autograder.gradebook.learner_report import Report
from autograder.judging.versions import GRADER, digest


def inputs_digest(report: Report, notebook: bytes) -> str:
    """Digest of the report, the graded notebook, and the code and templates that make the page."""
    record = json.dumps(report.record(), sort_keys=True).encode()
    parts = (record, notebook, _renderer().encode())
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


@cache
def _renderer() -> str:
    here = Path(__file__).parent
    return digest(GRADER) + "".join((here / name).read_text(encoding="utf-8") for name in ("page.css", "page.html.j2"))
