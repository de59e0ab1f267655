"""Canvas's, Moodle's and Gradescope's downloads for ``nbgrader zip_collect``: see :mod:`autograder.settings`."""

import shutil
import tempfile
from pathlib import Path

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from autograder.authoring.assignment import known
from autograder.private import make_private
from autograder.submissions.attempts import DownloadError, Rules, collect
from autograder.submissions.downloads import is_learners, is_zip
from autograder.terminal import plain

NO_TIME = "no time"


class Extractor(ExtractorPlugin):
    """Takes the last attempts out of the downloads: ``extracted/<student>/<time>/<assignment>.ipynb``."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        course = self.parent.coursedir
        with tempfile.TemporaryDirectory() as folder:
            rules = Rules(known(Path(course.root)))
            try:
                haul = collect(_downloads(Path(archive_path)), Path(folder), "", rules)
            except DownloadError as error:
                self.parent.fail(str(error))
            for name, reason in haul.left_out:
                self.log.warning("Left out: %s", plain(f"{name}: {reason}"))
            for note in haul.notes:
                self.log.warning("%s", plain(note))
            if haul.untimed:
                self.log.warning("%s: `python -m autograder collect` takes them from a roster.", plain(haul.untimed))
            if haul.without:
                self.log.error("Nothing was collected of %s", plain(", ".join(haul.without)))
            for one in haul.submissions:
                if one.assignment != course.assignment_id:
                    said = plain(f"{one.source}: it is {one.assignment}")
                    self.log.warning("Left out: %s, not this assignment", said)
                    continue
                place = Path(extracted_path) / one.student / (one.time or NO_TIME)
                make_private(place)
                name = f"{one.assignment}.ipynb"
                shutil.copyfile(Path(folder) / one.student / one.assignment / name, place / name)


class Collector(FileNameCollectorPlugin):
    """Student and time, from where the extractor laid the file."""

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        path = Path(submitted_file)
        if path.suffix != ".ipynb":
            return None
        found = {"student_id": path.parts[-3], "file_id": path.name}
        return found if path.parts[-2] == NO_TIME else {**found, "timestamp": path.parts[-2]}


def _downloads(folder: Path) -> list[Path]:
    """The zips that hold a whole class, else the folder itself: then it is a download that was unpacked."""
    return [path for path in sorted(folder.iterdir()) if is_zip(path.name) and not is_learners(path.name)] or [folder]
