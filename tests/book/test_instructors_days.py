"""The instructors' page, run as written: its console blocks in their order, in a course and a class of two learners.

A block is run unless a comment before it says what it needs: ``% not run: sudo``. Every command has to end with 0, or
with what ``% exit status: 1`` says, and to print what the page shows below it: ``…`` stands for any text of a line, or
alone for any lines, and seconds may differ.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from book.prose import BOOK, ROOT

PAGE = (BOOK / "instructors.md").read_text(encoding="utf-8")
MARKED = re.compile(r"(?P<marks>(?:^% [^\n]*\n)*)^```(?P<kind>console|python|toml)\n(?P<text>.*?)^```$", re.M | re.S)
MARK = re.compile(r"% (not run|exit status): (.+)")
NAMED = re.compile(r"`(\w+/[\w/]+\.py|class\.toml)`[^\n]*\Z")  # at the end of what stands before a file's text
BAR = re.compile(r"^(.*\d+%\|.*\n|\n(?=.*\d+%\|))", re.M)  # of progress, and what stands before it
SECONDS = re.compile(r"\d+(\\\.\d+)?(?=\\ s\b)")
NEEDS = Counter(
    {"network": 3, "sudo": 3, "an engine": 2, "a hub": 3, "a browser": 1, "Ctrl-C": 2, "Canvas": 1}
)  # of blocks, at most
FOLDERS = ("autograder", "containers", "exercises", "learn", "sample_class", "seq2seq", "solutions")
FILES = ("LICENSE", "_config.yml", "constraints.txt", "nbgrader_config.py", "pyproject.toml", "requirements.txt")
NAME = "05_scorers"


@dataclass(frozen=True)
class Command:
    line: str
    shown: str  # below it on the page
    status: int = 0

    @property
    def expected(self) -> re.Pattern[str]:
        text = ""
        for line in self.shown.splitlines():
            some = SECONDS.sub(r"[\\d.]+", re.escape(line.rstrip())).replace("…", ".*")
            text += r"(?:.*\n)*?" if line.strip() == "…" else rf"{some} *\n"
        return re.compile(text)


@dataclass(frozen=True)
class Block:
    number: int  # of its first line
    marks: dict[str, str]
    file: str  # which the text is; "" if it is commands
    text: str

    @property
    def commands(self) -> list[Command]:
        texts = re.split(r"^\$ ", self.text, flags=re.M)
        assert texts[0] == "", f"line {self.number}: output without a command"
        parts = [re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*)\n(.*)", text, re.S) for text in texts[1:]]
        return [Command(part[1], part[2], int(self.marks.get("exit status", 0))) for part in parts if part]


def blocks(page: str = PAGE) -> list[Block]:
    on_page = []
    for match in MARKED.finditer(page):
        named = NAMED.search(page[: match.start()].rstrip())
        if match["kind"] == "console" or named:
            marks = dict(MARK.fullmatch(line).groups() for line in match["marks"].splitlines())
            file = named[1] if named and match["kind"] != "console" else ""
            on_page.append(Block(page.count("\n", 0, match.start()) + 1, marks, file, match["text"]))
    return on_page


def cells(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def submissions(folder: Path) -> None:
    """What Canvas gives to download: Ada has everything, Ben has left his first answer as it was."""
    model = {
        cell["id"]: cell["source"] for cell in cells(folder / "build" / "source" / NAME / f"{NAME}.ipynb")["cells"]
    }
    notebook = cells(folder / "exercises" / NAME / f"{NAME}.ipynb")
    answers = [cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")]
    for answer in answers[1:]:
        answer["source"] = model[answer["id"]] if answer["cell_type"] == "code" else "In words."
    ben = json.dumps(notebook)
    answers[0]["source"] = model[answers[0]["id"]]
    with zipfile.ZipFile(folder / "submissions.zip", "w") as file:
        file.writestr(f"lovelaceada_1234_56789_{NAME} (1).ipynb", json.dumps(notebook))
        file.writestr(f"neilben_LATE_77_3_{NAME}-2.ipynb", ben)
        file.writestr("neilben_77_4_notes.pdf", b"%PDF-1.7")


def gradebook_of_canvas(folder: Path) -> None:
    people = '"Lovelace, Ada",1234,,ada,A,\n"Neil, Ben",77,,ben,A,\n'
    titles = f"Student,ID,SIS User ID,SIS Login ID,Section,{NAME} (4711)\n"
    (folder / "Grades-course.csv").write_text(titles + people)


def worksheet_of_moodle(folder: Path) -> None:
    titles = "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    titles += "Last modified (grade),Feedback comments\n"
    people = [("Participant 8", "Ada Lovelace", "ada"), ("Participant 9", "Ben Neil", "ben")]
    rows = [f"{number},{name},{user}@uni.org,Submitted,,14,Yes,-,\n" for number, name, user in people]
    (folder / "worksheet.csv").write_text(titles + "".join(rows))


# What an instructor has from an LMS, made when a command first asks for it.
BROUGHT: dict[str, Callable[[Path], None]] = {
    "submissions.zip": submissions,
    "Grades-course.csv": gradebook_of_canvas,
    "worksheet.csv": worksheet_of_moodle,
}


def copy_of_the_course(folder: Path) -> Path:
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    for name in FILES:
        shutil.copyfile(ROOT / name, folder / name)
    return folder


def run(command: Command, folder: Path, course: Path) -> tuple[int, str]:
    """Its exit status, and what it printed but for bars of progress."""
    environment = {name: text for name, text in os.environ.items() if name not in ("GRADES", "AUTOGRADER_SANDBOX")}
    environment |= {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(course.parent / "home"),
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),  # fonts that are known already
        "PYTHONPATH": str(course),
        "PYTHONUNBUFFERED": "1",  # so that errors stand where they happened
    }
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(["bash", "-c", command.line], cwd=folder, env=environment, text=True, **both)
    return done.returncode, BAR.sub("", done.stdout)


def test_few_blocks_are_not_run_and_each_says_why():
    kinds = Counter(block.marks["not run"] for block in blocks() if "not run" in block.marks)
    assert kinds <= NEEDS
    assert len(blocks()) > 2 * kinds.total()
    assert [block.file for block in blocks() if block.file.startswith("solutions/")] == ["solutions/17_centring.py"]


@pytest.mark.parametrize(
    ("printed", "is_shown"),
    [
        ("two lines\nof 3.75 s\nand more, at last\nend\n", True),
        ("two lines\nof 3.75 s\nend\n", True),
        ("two lines\nof 3.75 m\nend\n", False),
        ("two lines\nof 3.75 s\n", False),
        ("two lines\nof 3.75 s\nend\nend of all\n", False),
    ],
)
def test_what_is_printed_is_compared_line_by_line(printed, is_shown):
    (block,) = blocks("```console\n$ a \\\n  b\ntwo …\nof 0.2 s\n…\nend\n```\n")
    (command,) = block.commands
    assert command.line == "a \\\n  b"
    assert bool(command.expected.fullmatch(printed)) == is_shown


@pytest.mark.sandbox
@pytest.mark.long("the instructors' page")
def test_every_command_of_the_page_does_what_the_page_shows(tmp_path):
    course = folder = copy_of_the_course(tmp_path / "course")
    (tmp_path / "home").mkdir()
    wrong = []
    for block in blocks():
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
        elif "not run" not in block.marks:
            for command in block.commands:
                for name, bring in BROUGHT.items():
                    if name in command.line and not (folder / name).exists():
                        bring(folder)
                status, printed = run(command, folder, course)
                if command.line.startswith("cd "):
                    folder /= command.line.removeprefix("cd ")
                if status != command.status or not command.expected.fullmatch(printed):
                    wrong.append(f"line {block.number}: $ {command.line}\n{printed}exit status {status}")
    assert wrong == [], "\n\n".join(wrong)
