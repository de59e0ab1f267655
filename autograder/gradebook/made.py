"""What a page was made of: as long as that is the same, so is the page."""

import hashlib
import json
from functools import cache
from pathlib import Path

from autograder.gradebook.report import Report
from autograder.judging.versions import GRADER, digest


def made_of(report: Report, notebook: bytes) -> str:
    """Of the report, the graded notebook, and what turns both into a page."""
    record = json.dumps(report.record(), sort_keys=True).encode()
    parts = (record, notebook, _maker().encode())
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


@cache
def _maker() -> str:
    here = Path(__file__).parent
    return digest(GRADER) + "".join((here / name).read_text(encoding="utf-8") for name in ("page.css", "page.html.j2"))
