"""The same files give the same submission, or the same refusal, by whatever door they come in.

Each row of the table is laid out by hand and read as `grade` reads it; checked by `check`; found and packed by `learn`,
and what it packed is read again; and collected from downloads of Canvas and Moodle, and by nbgrader's `zip_collect`.
"""

import gzip
import io
import json
import re
import shutil
import tarfile
from argparse import Namespace
from dataclasses import dataclass, field
from functools import cache

import pytest
from bare import ROOT, solved
from downloads import inner
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config, LoggingConfigurable

from autograder.__main__ import main
from autograder.authoring.assignment import load
from autograder.authoring.grade_ids import grade_ids
from autograder.commands import check
from autograder.errors import UsageError
from autograder.judging import judge
from autograder.notebook_files.content import UNSEEN
from autograder.notebook_files.which_notebook import assignment_of
from autograder.settings import STUB, TEXT_STUB
from autograder.submissions.lms_import import Rules, collect
from autograder.submissions.submission import Submission
from autograder.submissions.submitted_files import found
from autograder.submissions.zip_collect import Collector, Extractor
from learn.exercises import choice, find
from learn.running import NotRun, cells_at
from learn.submit import packed

NAME, OTHER = "06_masking", "05_scorers"
IDS = grade_ids(ROOT)
MARK = re.compile(r'MARK = "(\w+)"')
MODULE, DATA = b"from my_more import HALF\n", b'{"half": 0.5}'
HELPERS = {"my_parts.py": MODULE, "my_more.py": b"HALF = 0.5\n", "data/numbers.json": DATA}
USES = 'from my_parts import HALF\nimport json\nNUMBERS = json.load(open("data/numbers.json"))\n'


@cache
def text_of(mark, exercise=NAME, uses="", metadata=True):
    """A solved notebook that can be told from others by its mark."""
    notebook = solved(exercise)
    code = {"cell_type": "code", "id": "mark", "metadata": {}, "outputs": [], "execution_count": None}
    notebook["cells"].insert(1, code | {"source": f'{uses}MARK = "{mark}"  # é'})
    if not metadata:
        notebook["metadata"] = {}
        for cell in notebook["cells"]:
            cell["metadata"] = {}
    return json.dumps(notebook, indent=1, ensure_ascii=False)


def of(mark, **options):
    return text_of(mark, **options).encode()


BLANK = (ROOT / "exercises" / NAME / f"{NAME}.ipynb").read_bytes()
CONFLICT = (
    of("a").replace(b'"cells"', b'\n<<<<<<< HEAD\n"cells"', 1).replace(b' "nbformat"', b'>>>>>>> main\n"nbformat"', 1)
)
CUT = of("a")[:5000]


def converted(graded, plain):
    """The code cells as a text, each with its metadata where it has any."""
    cells = [cell for cell in json.loads(text_of("script"))["cells"] if cell["cell_type"] == "code"]
    pairs = [(json.dumps(cell["metadata"].get("nbgrader") or {}), "".join(cell["source"])) for cell in cells]
    return "\n\n".join((plain if about == "{}" else graded).format(about, source) for about, source in pairs).encode()


SCRIPT = converted("# %% nbgrader={}\n{}", "# %%\n{1}")
MARKDOWN = converted("```python nbgrader={}\n{}\n```", "Words.\n\n```python\n{1}\n```")


def tar(compression, files):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=f"w:{compression}") as file:
        for name, data in files.items():
            entry = tarfile.TarInfo(f"./work/{name}")
            entry.size = len(data)
            file.addfile(entry, io.BytesIO(data))
    return stream.getvalue()


@dataclass
class Row:
    """``mark``: of the notebook that is to be read; ``refusal``, ``note``: words of what is said."""

    files: dict
    mark: str = ""
    helpers: set = field(default_factory=set)
    refusal: str = ""
    note: str = ""
    exercise: str = NAME  # that collecting finds


def named(*names, **options):
    return {name: Row({name: of("a", **options)}, "a") for name in names}


N = f"{NAME}.ipynb"
USING = of("a", uses=USES)
FOREIGN = {"refusal": f"of {OTHER}", "exercise": OTHER}
B = of("b", exercise=OTHER)
WORK = {f"work/{name}": data for name, data in {N: USING, **HELPERS}.items()}
TABLE = {
    **named(N, f"{NAME} (1).ipynb", f"{NAME}-Copy1.ipynb", f"{NAME} - Copy.ipynb", f"{NAME}_solved.ipynb"),
    **named(f"Copy of {N}", f"Kopie von {N}", f"Copia de {NAME} (2).ipynb", f"ada {N}", f"{N}.ipynb"),
    **named("06-masking.ipynb", f"{N}.txt", f"{N}.json"),
    **named( f"{NAME}.json", f"{NAME}.txt", NAME, "06_MASKING.IPYNB", "homework.ipynb"),
    **named("homework.json", "solution", "Untitled3.ipynb"),
    **{
        f"without metadata: {name}": row
        for name, row in named(
            *(N, f"Kopie von {N}", f"Copia de {N}", f"{NAME}_solved.ipynb", f"ada {N}", f"{N}.ipynb", f"{N}.txt"),
            metadata=False,
        ).items()
    },
    **{
        f"encoded in {encoding}": Row({N: text_of("a").encode(encoding, "replace")}, "a")
        for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1")
    },
    "UTF-16 by another name": Row({f"{NAME} (1).ipynb": text_of("a").encode("utf-16")}, "a"),
    "modules and data": Row({N: USING, **HELPERS}, "a", set(HELPERS)),
    "modules beside a copy": Row({f"{NAME} (1).ipynb": USING, **HELPERS}, "a", set(HELPERS)),
    "a script with grade ids": Row({f"{NAME}.py": SCRIPT}, "script"),
    "a script by another name": Row({"mine.py": SCRIPT}, "script"),
    "a zip": Row({f"{NAME}.zip": inner({N: of("a")})}, "a"),
    "a zip with modules": Row({f"{NAME}.zip": inner({N: USING, **HELPERS})}, "a", set(HELPERS)),
    "a folder in a zip": Row({"work.zip": inner(WORK)}, "a", set(HELPERS)),
    "a zip in a zip": Row({"outer.zip": inner({f"{NAME}.zip": inner({N: USING, **HELPERS})})}, "a", set(HELPERS)),
    "a zip with a Mac's litter": Row({"w.zip": inner({f"w/{N}": of("a"), f"__MACOSX/w/._{N}": b"x"})}, "a"),
    "a zip called otherwise": Row({f"{NAME}.7z": inner({N: of("a")})}, "a"),
    "a notebook compressed": Row({f"{NAME}.ipynb.gz": gzip.compress(of("a"))}, "a"),
    **{
        f"a tar{kind}": Row({f"{NAME}.tar{kind}": tar(kind[1:], {N: USING, **HELPERS})}, "a", set(HELPERS))
        for kind in ("", ".gz", ".bz2", ".xz")
    },
    "Jupytext's Markdown": Row({f"{NAME}.md": MARKDOWN}, "script"),
    "two zips": Row({f"{NAME}.zip": inner({N: of("old")}), f"{NAME} (1).zip": inner({N: of("a")})}, "a"),
    "blank beside solved": Row({N: BLANK, f"{NAME} (1).ipynb": of("a")}, "a", note="no answer is written in it"),
    "solved beside a blank copy": Row({N: of("a"), f"{NAME} (1).ipynb": BLANK}, "a", note="no answer is written in it"),
    "empty beside solved": Row({N: b"", f"{NAME} (1).ipynb": of("a")}, "a", note="cannot be read"),
    "cut off beside whole": Row({N: CUT, f"{NAME} (1).ipynb": of("a")}, "a", note="cannot be read"),
    "a conflict beside solved": Row({N: CONFLICT, f"{NAME}-Copy1.ipynb": of("a")}, "a", note="cannot be read"),
    "blank beside a zip": Row({N: BLANK, "work.zip": inner({N: of("a")})}, "a"),
    "two copies": Row({f"{NAME} (1).ipynb": of("old"), f"{NAME} (2).ipynb": of("a")}, "a", note="also handed in"),
    "the same twice": Row({"mine.ipynb": of("a"), "mine too.ipynb": of("a")}, "a", note="also handed in"),
    "a scratch book beside": Row({N: of("a"), "scratch.ipynb": b'{"cells": []}'}, "a", note="also handed in"),
    "a page beside": Row({N: of("a"), f"{NAME}.html": b"<html>", "notes.pdf": b"%PDF"}, "a"),
    "another exercise beside": Row({N: of("a"), f"{OTHER}.ipynb": B}, "a", note=f"of {OTHER}"),
    "another exercise": Row({f"{OTHER}.ipynb": B}, "b", **FOREIGN),
    "another exercise by this name": Row({N: B}, "b", **FOREIGN),
    "another exercise in a zip": Row({"w.zip": inner({N: B})}, "b", **FOREIGN),
    "two different ones": Row({"mine.ipynb": of("a"), "yours.ipynb": of("b")}, refusal="None of the notebooks"),
    "only a page": Row({f"{NAME}.html": b"<html>"}, refusal=f"only '{NAME}.html': hand in the .ipynb file itself"),
    "only a document": Row({"answers.pdf": b"%PDF"}, refusal="only 'answers.pdf': hand in the .ipynb file itself"),
    "another kind of archive": Row({"work.rar": b"Rar!\x1a\x07"}, refusal="archives of this kind are not opened"),
    "nothing": Row({}, refusal="No notebook was handed in"),
    "an empty file": Row({N: b""}, refusal="The file is empty"),
    "a git conflict": Row({N: CONFLICT}, refusal="conflict markers of a git merge; keep one version"),
    "cut off": Row({N: CUT}, refusal="cut off or changed by hand; save or download it again"),
    "a page called a notebook": Row({N: b"<html></html>"}, refusal="a web page; download the notebook again"),
}  # fmt: skip


def laid_out(files, folder):
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def seen(submission):
    """The mark of the notebook that was read, the files beside it, why it could not be read, and notes."""
    marks = [mark for entry in submission.entries for mark in MARK.findall(entry.source)]
    return "".join(marks), dict(submission.files), submission.unreadable, submission.notes


def read(root):
    """What `grade` reads in a class of one: its exercise and what was seen."""
    (handed,) = found(root, IDS)
    submission = Submission.read(handed.data(), load(ROOT, handed.assignment)) if not handed.problem else None
    if submission is None:
        return handed.assignment, ("", {}, handed.problem, handed.notes)
    return handed.assignment, seen(submission.with_notes(*handed.notes))


def expected(row):
    return row.mark, {name: HELPERS[name] for name in row.helpers}


@pytest.mark.parametrize("name", TABLE)
def test_laid_out_by_hand(tmp_path, name):
    row = TABLE[name]
    (tmp_path / "ada" / NAME).mkdir(parents=True)
    laid_out(row.files, tmp_path / "ada" / NAME)
    _, (mark, files, refusal, notes) = read(tmp_path)
    if row.refusal:
        assert row.refusal in refusal
        return
    assert (mark, files, refusal) == (*expected(row), "")
    assert row.note in " ".join(notes)


def downloads(lms, files):
    if lms == "moodle":
        return {f"Ada L_5_assignsubmission_file_/{name}": data for name, data in files.items()} or {"x.txt": b""}
    if any("/" in name for name in files):
        files = {"work.zip": inner(files)}
    return {f"ada_5_{number}_{name}": data for number, (name, data) in enumerate(files.items(), 7)} or {"x.txt": b""}


@pytest.mark.parametrize("lms", ["canvas", "moodle"])
@pytest.mark.parametrize("name", TABLE)
def test_collected(tmp_path, pack, lms, name):
    row = TABLE[name]
    result = collect([pack(downloads(lms, row.files))], tmp_path / "submitted", lms, Rules(IDS))
    if not result.submissions:
        assert row.refusal
        assert result.left_out
        return
    if name == "another exercise beside":
        shutil.rmtree(next((tmp_path / "submitted").glob(f"*/{OTHER}")))
    exercise, (mark, files, refusal, _) = read(tmp_path / "submitted")
    if row.refusal and not row.mark:
        assert row.refusal in refusal
        return
    assert (exercise, mark, files, refusal) == (row.exercise, *expected(row), "")


ARCHIVES = (".zip", ".7z", ".rar", ".tar", ".gz", ".bz2", ".xz")


class Desk(LoggingConfigurable):
    """Stands where nbgrader's application stands."""


@pytest.mark.parametrize("name", TABLE)
def test_collected_by_nbgrader(tmp_path, name):
    row, desk = TABLE[name], Desk()
    config = Config({"CourseDirectory": {"root": str(ROOT), "assignment_id": row.exercise}})
    desk.coursedir = CourseDirectory(config=config, parent=desk)
    archive = laid_out(downloads("moodle", row.files), tmp_path / "archive")
    Extractor(parent=desk).extract(str(archive), str(tmp_path / "extracted"))
    for path in [path for path in (tmp_path / "extracted").rglob("*") if path.is_file()]:
        about = Collector(parent=desk).collect(str(path))
        target = tmp_path / "submitted" / about["student_id"] / row.exercise / about["file_id"]
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    if not (tmp_path / "submitted").exists():
        assert row.refusal
        return
    _, (mark, files, refusal, _) = read(tmp_path / "submitted")
    if row.refusal and not row.mark:
        assert row.refusal in refusal
        return
    assert (mark, files, refusal) == (*expected(row), "")


class Seen(Exception):
    """What `check` was about to judge."""


@pytest.fixture
def checked(monkeypatch):
    """What `check` hands to the judge: checked(path)."""

    def verdict(self, submission, seed, hidden):
        raise Seen(submission)

    monkeypatch.setattr(judge.RetryingJudge, "__enter__", lambda self: self)
    monkeypatch.setattr(judge.RetryingJudge, "__exit__", lambda self, *exception: None)
    monkeypatch.setattr(judge.RetryingJudge, "verdict", verdict)

    def checked(path, assignment=None):
        try:
            check.run(Namespace(notebook=path, assignment=assignment, json=False, root=ROOT))
        except Seen as submission:
            return seen(submission.args[0])
        except UsageError as error:
            return "", {}, str(error), ()
        raise AssertionError("nothing was judged and nothing was said")

    return checked


# Which of several files `check` is asked about; else the row's first.
ASKED = {
    "two zips": f"{NAME} (1).zip",
    **dict.fromkeys(("blank beside solved", "empty beside solved", "cut off beside whole"), f"{NAME} (1).ipynb"),
    "a conflict beside solved": f"{NAME}-Copy1.ipynb",
    "blank beside a zip": "work.zip",
    "two copies": f"{NAME} (2).ipynb",
}


@pytest.mark.parametrize("name", [name for name in TABLE if name not in ("nothing", "two different ones")])
def test_checked(tmp_path, checked, name):
    row = TABLE[name]
    laid_out(row.files, tmp_path)
    asked = ASKED.get(name) or next(iter(row.files))
    mark, files, refusal, _ = checked(tmp_path / asked, row.exercise if asked.endswith(ARCHIVES) else None)
    if row.refusal and not row.mark:
        assert row.refusal in refusal or "--assignment NAME does" in refusal
        return
    assert (mark, files) == expected(row), refusal


WITHOUT_ZIP = [name for name, row in TABLE.items() if not any(file.endswith(ARCHIVES) for file in row.files)]


@pytest.mark.parametrize("name", WITHOUT_ZIP)
def test_found_packed_and_read_again(tmp_path, name):
    row = TABLE[name]
    laid_out(row.files, tmp_path / "work")
    (tmp_path / "work").mkdir(exist_ok=True)
    chosen = choice(tmp_path / "work", find(row.exercise))
    if not chosen.name:
        assert row.refusal
        return
    path = tmp_path / "work" / chosen.name
    if row.refusal and not row.mark:
        with pytest.raises(NotRun, match=re.escape(row.refusal)):
            cells_at(path)
        return
    if len(row.files) > 1 and OTHER not in row.note and "scratch.ipynb" not in row.files:
        assert row.note in " ".join(chosen.notes)
    assert row.mark in [mark for cell in cells_at(path) for mark in MARK.findall(cell["source"])]
    target, notes = packed(path)
    assert notes == ()
    folder = tmp_path / "submitted" / "ada" / row.exercise
    folder.mkdir(parents=True)
    shutil.copyfile(target, folder / target.name)
    _, (mark, files, refusal, _) = read(tmp_path / "submitted")
    assert (mark, files, refusal) == (*expected(row), "")


def test_a_module_that_canvas_has_numbered_is_found_by_its_own_name(tmp_path, pack):
    files = {
        f"ada_5_8_{NAME}-1.ipynb": USING,
        "ada_5_9_my_parts-1.py": MODULE,
        "ada_5_10_my_more-1.py": b"HALF = 0.5\n",
    }
    collect([pack(files)], tmp_path / "submitted", "canvas", Rules(IDS))
    _, (mark, beside, _, _) = read(tmp_path / "submitted")
    assert mark == "a"
    assert {"my_parts.py": MODULE, "my_more.py": b"HALF = 0.5\n"}.items() <= beside.items()


def test_a_replaced_submission_keeps_no_module_of_the_old_one_and_another_is_kept_unless_told(tmp_path, pack):
    def collected(files, **rules):
        files = {f"ada_5_{number}_{name}": data for number, (name, data) in enumerate(files.items(), 7)}
        return collect([pack(files)], tmp_path / "submitted", "canvas", Rules(IDS, **rules)).submissions[0].outcome

    assert collected({N: USING, "my_parts.py": MODULE}) == "new"
    assert collected({N: USING, "my_parts.py": MODULE}) == "unchanged"
    assert collected({N: USING, "my_parts.py": b"HALF = 1"}) == "kept"
    assert read(tmp_path / "submitted")[1][1] == {"my_parts.py": MODULE}
    assert collected({N: USING, "my_more.py": b"HALF = 1"}, replace=True) == "replaced"
    assert read(tmp_path / "submitted")[1][1] == {"my_more.py": b"HALF = 1"}


def test_where_nothing_says_which_exercise_it_is_the_option_is_named(tmp_path, pack, capsys):
    path = pack({"ada_5_7_essay.ipynb": of("a", metadata=False)})
    arguments = ["collect", str(path), "--to", str(tmp_path / "to"), "--root", str(ROOT)]
    assert main(arguments) == 1
    assert "--assignment NAME says which" in capsys.readouterr().err
    assert main([*arguments, "--assignment", NAME]) == 0
    assert read(tmp_path / "to")[1][0] == "a"


@pytest.mark.sandbox
def test_what_learn_submit_packs_gets_the_same_points_as_the_files(tmp_path):
    """Four rows graded to the end, one of which asks for its module and its data before anything else runs."""
    assignment = load(ROOT, NAME)
    with judge.RetryingJudge(assignment, ROOT) as judging:
        for name in ("modules and data", "encoded in utf-16", "blank beside solved", "a script with grade ids"):
            work = laid_out(TABLE[name].files, tmp_path / name / "work")
            folder = tmp_path / name / "submitted" / "ada" / NAME
            folder.mkdir(parents=True)
            shutil.copy(packed(work / choice(work, find(NAME)).name)[0], folder)
            points = []
            for root in (tmp_path / name / "submitted", tmp_path / name / "by hand"):
                if root.name == "by hand":
                    laid_out(TABLE[name].files, root / "ada" / NAME)
                (handed,) = found(root, IDS)
                verdict = judging.verdict(Submission.read(handed.data(), assignment), seed=1, hidden=True)
                points.append((verdict.points, verdict.status))
            assert points == [(sum(assignment.checks.values()), "ok")] * 2, name


def test_the_table_has_many_rows_and_the_stubs_are_those_of_the_course():
    assert len(TABLE) >= 40
    assert all(text.split("\n")[-1][:30] in BLANK.decode().replace("\\", "") for text in (STUB, TEXT_STUB))
    assert assignment_of("essay.ipynb", UNSEEN, IDS) == ""
