"""Canvas's, Moodle's and Gradescope's downloads for ``nbgrader zip_collect``: see :mod:`autograder.settings`."""

import shutil
import tempfile
from pathlib import Path

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from autograder.assignments.grade_ids import grade_ids
from autograder.collect.downloads import is_learners
from autograder.collect.lms_import import Rules, collect
from autograder.errors import UsageError
from autograder.notebook_files.which_notebook import OPENED
from autograder.private import make_private
from autograder.submissions.times import STAMP
from autograder.terminal import plain

NO_TIME = "no time"


class Extractor(ExtractorPlugin):
    """Extracts the last attempts from the downloads: ``extracted/<student>/<time>/<file>``."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        course = self.parent.coursedir
        with tempfile.TemporaryDirectory() as folder:
            rules = Rules(grade_ids(Path(course.root)))
            try:
                result = collect(_downloads(Path(archive_path)), Path(folder), "", rules)
            except UsageError as error:
                self.parent.fail(str(error))
            for name, reason in result.left_out:
                self.log.warning("Left out: %s", plain(f"{name}: {reason}"))
            for note in result.notes:
                self.log.warning("%s", plain(note))
            if result.untimed:
                self.log.warning("%s: `python -m autograder collect` reads them from a roster.", plain(result.untimed))
            if result.without:
                self.log.error("Nothing was collected from %s", plain(", ".join(result.without)))
            for submission in result.submissions:
                if submission.assignment != course.assignment_id:
                    source = plain(f"{submission.source}: it is {submission.assignment}")
                    self.log.warning("Left out: %s, not this assignment", source)
                    continue
                target = Path(extracted_path) / submission.student / (submission.time or NO_TIME)
                make_private(target)
                shutil.copytree(Path(folder) / submission.student / submission.assignment, target, dirs_exist_ok=True)


class Collector(FileNameCollectorPlugin):
    """Student and time, from the path that the extractor gave the file."""

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        parts = Path(submitted_file).parts  # no student's name has a blank, as a time has
        at = next(index for index, part in enumerate(parts) if part == NO_TIME or STAMP.fullmatch(part))
        ids = {"student_id": parts[at - 1], "file_id": "/".join(parts[at + 1 :])}
        return ids if parts[at] == NO_TIME else {**ids, "timestamp": parts[at]}


def _downloads(folder: Path) -> list[Path]:
    """The zips of a whole class, else the folder itself, as an unpacked download."""
    zips = [path for path in sorted(folder.iterdir()) if path.suffix.lower() == OPENED]
    return [path for path in zips if not is_learners(path.name)] or [folder]
