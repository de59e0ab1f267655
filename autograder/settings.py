"""nbgrader's settings for this course, in one place: for these commands and for plain ``nbgrader``."""

import logging
import os
import re
import sys
import warnings
from pathlib import Path

from traitlets.config import Config, PyFileConfigLoader

from autograder.class_table import read

STUB = '# YOUR CODE HERE: write the answer in place of the next line.\nraise NotImplementedError("not written yet")'

TEXT_STUB = "YOUR ANSWER HERE: double-click, and write in place of this line."

SCRIPTS, SAMPLES = Path("solutions"), Path("sample_class/solutions")  # samples are never released
CONFIGURATIONS = ("/etc/jupyter", "/usr/local/etc/jupyter", str(Path.home() / ".jupyter"))
EXCHANGE = r"""^c\.Exchange\.root\s*=\s*["'](.+)["']"""
DEFAULT_EXCHANGE = Path("/usr/local/share/nbgrader/exchange")
HUB_EXCHANGE = "COURSE_EXCHANGE"  # names the exchange where a hub has started the server: hub/nbgrader_config.py
SOURCE, RELEASE = Path("build/source"), Path("exercises")


def settings(root: Path, output: Path) -> Config:
    """nbgrader's configuration of the course or the class at ``root``, graded into ``output``.

    Classes are named, not imported: nbgrader loads them when it needs them.
    """
    find_scripts()
    # SQLAlchemy warns under `nbgrader autograde`, which builds rows before adding them; harmless.
    warnings.filterwarnings("ignore", message="Object of type <Submitted")
    c = Config()
    c.CourseDirectory.root = str(root)
    c.CourseDirectory.source_directory = str(SOURCE)
    c.CourseDirectory.release_directory = str(RELEASE)
    c.CourseDirectory.submitted_directory = "submitted"
    c.CourseDirectory.autograded_directory = str(output / "autograded")
    c.CourseDirectory.feedback_directory = str(output / "feedback")
    c.CourseDirectory.db_url = f"sqlite:///{output.resolve() / 'gradebook.db'}"

    c.ClearSolutions.code_stub = {"python": STUB}
    c.ClearSolutions.text_stub = TEXT_STUB
    c.GenerateAssignment.preprocessors = [
        "nbgrader.preprocessors.LockCells",
        "nbgrader.preprocessors.ClearSolutions",
        "nbgrader.preprocessors.ClearOutput",
        "nbgrader.preprocessors.CheckCellMetadata",
        "nbgrader.preprocessors.ComputeChecksums",
        "nbgrader.preprocessors.SaveCells",  # before the hidden tests are cleared: the gradebook keeps them
        "nbgrader.preprocessors.ClearHiddenTests",
        "nbgrader.preprocessors.ClearMarkScheme",
        "nbgrader.preprocessors.ComputeChecksums",
        "nbgrader.preprocessors.CheckCellMetadata",
        "autograder.assignments.build.ClearCourse",
    ]

    c.Autograde.exporter_class = "autograder.gradebook.autograde.SubmissionExporter"  # replaces the preprocessors below
    c.Autograde.sanitize_preprocessors = []
    c.Autograde.autograde_preprocessors = []

    c.HTMLExporter.filters = {"markdown2html": "autograder.gradebook.formgrader.markdown_to_html"}

    c.ExchangeFactory.collect = "autograder.collect.exchange.Collect"
    c.ZipCollectApp.extractor_plugin = "autograder.collect.zip_collect.Extractor"
    c.ZipCollectApp.collector_plugin = "autograder.collect.zip_collect.Collector"

    c.GenerateFeedback.exporter_class = "autograder.gradebook.feedback.FeedbackExporter"
    c.GenerateFeedback.preprocessors = []
    if table := read(root):
        c.Course.time_zone = table.time_zone
        if table.late:
            c.AssignLatePenalties.plugin_class = "autograder.gradebook.deadlines.PerDay"
            c.PerDay.per_cent = table.late
    return c


def find_scripts() -> None:
    """Put the environment's commands on the path: nbgrader calls ``alembic`` by name to create a gradebook."""
    scripts = str(Path(sys.executable).parent)
    if scripts not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([scripts, os.environ.get("PATH", os.defpath)])


def configured(root: Path, output: Path, database: str = "") -> Config:
    """:func:`settings`, on top of the instructor's own in the course's nbgrader_config.py, such as late penalties.

    The gradebook is ``database``, else the one that the file sets for this ``output``; any other output has its own
    gradebook, so that trial runs never reach the class's.
    The file is executed, as by nbgrader; its exceptions are passed on.
    """
    path = root / "nbgrader_config.py"
    config = PyFileConfigLoader(path.name, str(root)).load_config() if path.is_file() else Config()
    course = config.CourseDirectory
    configured_output = isinstance(course.autograded_directory, str) and Path(course.autograded_directory).parent
    named = course.db_url if configured_output and configured_output.resolve() == output.resolve() else ""
    config.merge(settings(root, output))
    if database or named:
        config.CourseDirectory.db_url = database or named
    return config


def class_folders(root: Path, output: Path) -> list[Path]:
    """Where a class's work and grades are, as far as is known without running anything: what is not there is left out.

    nbgrader's exchange is where a configuration says in plain words, else where nbgrader has it by default.
    """
    configurations = [Path(folder, "nbgrader_config.py") for folder in (root, *CONFIGURATIONS)]
    texts = [path.read_text("utf-8", "replace") for path in configurations if path.is_file()]
    exchanges = [Path(path) for text in texts for path in re.findall(EXCHANGE, text, re.MULTILINE)]
    exchanges += [Path(os.environ[HUB_EXCHANGE])] if HUB_EXCHANGE in os.environ else []
    folders = [root / "submitted", output, *(exchanges or [DEFAULT_EXCHANGE])]
    return [folder for folder in folders if folder.is_dir()]


class Log(logging.Handler):
    """nbgrader's warnings and errors, kept instead of printed."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []
        self.logger = logging.Logger("nbgrader")
        self.logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())

    @property
    def reason(self) -> str:
        """The last line that names an error, else the last line."""
        lines = [line for text in self.lines for line in text.splitlines() if line.strip()]
        return next((line for line in reversed(lines) if "Error" in line or "Exception" in line), (lines or [""])[-1])
