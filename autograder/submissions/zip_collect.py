"""Canvas's, Moodle's and Gradescope's downloads for ``nbgrader zip_collect``: see :mod:`autograder.settings`."""

import shutil
import tempfile
from pathlib import Path

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from autograder.authoring.assignment import known
from autograder.submissions.attempts import DownloadError, Rules, collect
from autograder.submissions.downloads import is_learners, is_zip

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
                self.log.warning("Left out: %s: %s", name, reason)
            for note in haul.notes:
                self.log.warning("%s", note)
            for one in haul.submissions:
                if one.assignment != course.assignment_id:
                    self.log.warning("Left out: %s: it is %s, not this assignment", one.source, one.assignment)
                    continue
                place = Path(extracted_path) / one.student / (one.time or NO_TIME)
                place.mkdir(parents=True)
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
