"""Canvas's, Moodle's and Gradescope's downloads for ``nbgrader zip_collect``: see :mod:`autograder.settings`."""

import shutil
import tempfile
from pathlib import Path

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from autograder.authoring.assignment import known
from autograder.errors import UsageError
from autograder.private import make_private
from autograder.submissions.downloads import is_learners, is_zip
from autograder.submissions.lms_import import Rules, collect
from autograder.terminal import plain

NO_TIME = "no time"


class Extractor(ExtractorPlugin):
    """Extracts the last attempts from the downloads: ``extracted/<student>/<time>/<assignment>.ipynb``."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        course = self.parent.coursedir
        with tempfile.TemporaryDirectory() as folder:
            rules = Rules(known(Path(course.root)))
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
            for one in result.submissions:
                if one.assignment != course.assignment_id:
                    said = plain(f"{one.source}: it is {one.assignment}")
                    self.log.warning("Left out: %s, not this assignment", said)
                    continue
                place = Path(extracted_path) / one.student / (one.time or NO_TIME)
                make_private(place)
                name = f"{one.assignment}.ipynb"
                shutil.copyfile(Path(folder) / one.student / one.assignment / name, place / name)


class Collector(FileNameCollectorPlugin):
    """Student and time, from the path that the extractor gave the file."""

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        path = Path(submitted_file)
        if path.suffix != ".ipynb":
            return None
        found = {"student_id": path.parts[-3], "file_id": path.name}
        return found if path.parts[-2] == NO_TIME else {**found, "timestamp": path.parts[-2]}


def _downloads(folder: Path) -> list[Path]:
    """The zips of a whole class, else the folder itself, as an unpacked download."""
    return [path for path in sorted(folder.iterdir()) if is_zip(path.name) and not is_learners(path.name)] or [folder]
