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
import zipfile
from argparse import Namespace
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import product
from unittest.mock import patch

import jupytext
import nbformat
import pytest
from bare import ROOT, solved
from downloads import inner, through_nbgrader

from autograder.__main__ import main
from autograder.assignments.assignment import load
from autograder.assignments.grade_ids import grade_ids
from autograder.collect.lms_import import Rules, collect
from autograder.commands import check
from autograder.errors import UsageError
from autograder.judging.judge import RetryingJudge
from autograder.submissions.reading import read_cells
from autograder.submissions.submission import Submission
from autograder.submissions.submitted_files import submissions_below, submitted_in
from learn.exercises import choice, find
from learn.running import NotRun
from learn.submit import packed

NAME, OTHER = "06_masking", "05_scorers"
N = f"{NAME}.ipynb"
IDS, loaded = grade_ids(ROOT), cache(load)
MARK = re.compile(r'MARK = "(\w+)"  # é – ü')
MODULE, DATA = b"from my_more import HALF\n", b'{"half": 0.5}'
HELPERS = {"my_parts.py": MODULE, "my_more.py": b"HALF = 0.5\n", "data/numbers.json": DATA}
USES = 'from my_parts import HALF\nimport json\nNUMBERS = json.load(open("data/numbers.json"))\n'


@cache
def text_of(mark, exercise=NAME, uses="", metadata=True):
    """A solved notebook that can be told from others by its mark."""
    notebook = solved(exercise)
    code = {"cell_type": "code", "id": "mark", "metadata": {}, "outputs": [], "execution_count": None}
    notebook["cells"].insert(1, code | {"source": f'{uses}MARK = "{mark}"  # é – ü'})
    if not metadata:
        notebook["metadata"] = {}
        for cell in notebook["cells"]:
            cell["metadata"] = {}
            del cell["id"]
    return json.dumps(notebook, indent=1, ensure_ascii=False)


def of(mark, **options):
    return text_of(mark, **options).encode()


BLANK = (ROOT / "exercises" / NAME / f"{NAME}.ipynb").read_bytes()
CONFLICT = of("a").replace(b'"cells"', b'\n<<<<<<< HEAD\n"cells"', 1)
CONFLICT, CUT = CONFLICT.replace(b' "nbformat"', b'>>>>>>> main\n"nbformat"', 1), of("a")[:5000]


def half_done():
    """A solved notebook in which two answers are as released."""
    notebook = json.loads(text_of("half"))
    blank = {cell["metadata"].get("nbgrader", {}).get("grade_id"): cell for cell in json.loads(BLANK)["cells"]}
    left = {name: blank[name]["source"] for name in ("entropy", "absorb")}
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        cell["source"] = left.get(name, cell["source"])
    return json.dumps(notebook).encode()


HALF, FEWER = half_done(), "(the same exercise, with fewer answers)"
COPIES = [f"{NAME}{end}.ipynb" for end in ("-Copy1", "-DESKTOP-4F2K", "_final", " (1)", " (Ada's conflicted copy)")]


SCRIPT, MARKDOWN = (
    jupytext.writes(nbformat.reads(text_of("script"), as_version=4), fmt=fmt).encode() for fmt in ("py:percent", "md")
)
CODE = "\n\n".join(f"# %%\n{cell.source}" for cell in read_cells(SCRIPT)[0] if cell.kind == "code").encode()


def tar(compression, files):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=f"w:{compression}") as file:
        for name, data in files.items():
            entry = tarfile.TarInfo(f"./work/{name}")
            entry.size = len(data)
            file.addfile(entry, io.BytesIO(data))
    return stream.getvalue()


def dated(files):
    """A zip in which each file is a day later than the one before."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for day, (name, data) in enumerate(files.items(), 1):
            file.writestr(zipfile.ZipInfo(name, (2026, 11, day, 12, 0, 0)), data)
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
    notes = {name: f"The notebook was called {name!r}; it was read as" for name in names if name != N}
    return {name: Row({name: of("a", **options)}, "a", note=notes.get(name, "")) for name in names}


USING = of("a", uses=USES)
FOREIGN = {"refusal": f"of {OTHER}", "exercise": OTHER}
B = of("b", exercise=OTHER)
WORK = {f"work/{name}": data for name, data in {N: USING, **HELPERS}.items()}
TABLE = {
    **named(N, f"{NAME} (1).ipynb", f"{NAME}-Copy1.ipynb", f"{NAME} - Copy.ipynb", f"{NAME}_solved.ipynb"),
    **named(f"Copy of {N}", f"Kopie von {N}", f"Copia de {NAME} (2).ipynb", f"ada {N}", f"{N}.ipynb"),
    **named("06-masking.ipynb", f"{N}.txt", f"{N}.json", f"{NAME}.json", f"{NAME}.txt", NAME, "06_MASKING.IPYNB"),
    **named("homework.ipynb", "homework.json", "solution", "Untitled3.ipynb"),
    **{
        f"without metadata: {name}": row
        for name, row in named(
            *(N, f"Kopie von {N}", f"Copia de {N}", f"{NAME}_solved.ipynb", f"ada {N}", f"{N}.ipynb", f"{N}.txt"),
            metadata=False,
        ).items()
    },
    **{
        f"encoded in {encoding}": Row({N: text_of("a").encode(encoding, "replace")}, "a")
        for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "cp1252")
    },
    "dumped as JSON twice": Row({N: json.dumps(text_of("a")).encode()}, "a"),
    "UTF-16 by another name": Row({f"{NAME} (1).ipynb": text_of("a").encode("utf-16")}, "a"),
    "modules and data": Row({N: USING, **HELPERS}, "a", set(HELPERS)),
    "modules beside a copy": Row({f"{NAME} (1).ipynb": USING, **HELPERS}, "a", set(HELPERS)),
    "modules beside a copy and a blank": Row({N: BLANK, **HELPERS, f"{NAME} (1).ipynb": USING}, "a", set(HELPERS)),
    "a script with grade ids": Row({f"{NAME}.py": SCRIPT}, "script"),
    "a script of the code alone": Row({f"{NAME}.py": CODE}, "script"),
    "a script called a notebook": Row({N: SCRIPT}, "script"),
    "a script by another name": Row({"mine.py": SCRIPT}, "script"),
    "a zip": Row({f"{NAME}.zip": inner({N: of("a")})}, "a"),
    "a zip with modules": Row({f"{NAME}.zip": inner({N: USING, **HELPERS})}, "a", set(HELPERS)),
    "a folder in a zip": Row({"work.zip": inner(WORK)}, "a", set(HELPERS), note=f"The notebook was called 'work/{N}'"),
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
    **{f"half done beside {copy}": Row({N: HALF, copy: of("a")}, "a", note=FEWER) for copy in COPIES},
    **{f"complete beside half {copy}": Row({N: of("a"), copy: HALF}, "a", note=FEWER) for copy in COPIES[:2]},
    "a copy with as many answers": Row({COPIES[1]: of("old"), N: of("a")}, "a", note="with as many answers"),
    "the same name again": Row({N: of("old"), COPIES[3]: of("a")}, "a", note="with as many answers, and differs"),
    "an older copy in a zip": Row({f"{NAME}.zip": dated({COPIES[3]: of("old"), N: of("a")})}, "a", note="and differs"),
    "a later copy in a zip": Row({f"{NAME}.zip": dated({N: of("old"), COPIES[0]: of("a")})}, "a", note="and differs"),
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


# Of these `check` is asked about the last file; of others about the first.
LAST = ("two zips", "two copies", "blank beside solved", "empty beside solved", "cut off beside whole")
LAST += ("a conflict beside solved", "blank beside a zip", "modules beside a copy and a blank")
LAST += ("a copy with as many answers", "the same name again", *(f"half done beside {copy}" for copy in COPIES))
NO_CHOICE = ("another exercise beside", "a scratch book beside")  # for `learn`, which is asked about one exercise
ARCHIVES = (".zip", ".7z", ".rar", ".tar", ".gz", ".bz2", ".xz")


def laid_out(files, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def observed(submission):
    """The mark of the notebook that was read, the files beside it, why it could not be read, and notes."""
    marks = [mark for entry in submission.entries for mark in MARK.findall(entry.source)]
    return "".join(marks), dict(submission.files), submission.unreadable, submission.notes


def read(root):
    """What `grade` reads in a class of one: its exercise and what was seen."""
    (handed,) = submissions_below(root, IDS)
    if handed.problem:
        return handed.assignment, ("", {}, handed.problem, handed.notes)
    submission = Submission.read(handed.data(), loaded(ROOT, handed.assignment))
    return handed.assignment, observed(submission.with_notes(*handed.notes))


def by_hand(name, folder, path=f"ada/{NAME}"):
    laid_out(TABLE[name].files, folder / "submitted" / path)


def downloads(lms, files):
    if lms == "moodle":
        return {f"Ada L_5_assignsubmission_file_/{name}": data for name, data in files.items()} or {"x.txt": b""}
    if any("/" in name for name in files):
        files = {"work.zip": inner(files)}
    return {f"ada_5_{number}_{name}": data for number, (name, data) in enumerate(files.items(), 7)} or {"x.txt": b""}


def collected(name, folder, lms):
    (folder / "download.zip").write_bytes(inner(downloads(lms, TABLE[name].files)))
    result = collect([folder / "download.zip"], folder / "submitted", lms, Rules(IDS))
    assert result.submissions or result.left_out
    if name == "another exercise beside":
        shutil.rmtree(next((folder / "submitted").glob(f"*/{OTHER}")))


def nbgrader(name, folder):
    archive = laid_out(downloads("moodle", TABLE[name].files), folder / "archive")
    for path, about in through_nbgrader(archive, ROOT, TABLE[name].exercise):
        target = folder / "submitted" / about["student_id"] / TABLE[name].exercise
        laid_out({about["file_id"]: path.read_bytes()}, target)


def learn(name, folder):
    row = TABLE[name]
    work = laid_out(row.files, folder / "work")
    chosen = choice(work, find(row.exercise))
    if chosen.name:
        target, notes = packed(work / chosen.name)
        assert all(note.startswith("Not packed, because no cell names them: ") for note in notes)
        assert name in NO_CHOICE or row.note in " ".join(chosen.notes)
        laid_out({target.name: target.read_bytes()}, folder / "submitted" / "ada" / row.exercise)


class Judged(Exception):
    """What `check` was about to judge."""


def checked(name, folder):
    def verdict(self, submission, seed, hidden):
        raise Judged(submission)

    row = TABLE[name]
    path = laid_out(row.files, folder) / [*row.files][-(name in LAST)]
    options = Namespace(notebook=path, json=False, root=ROOT)
    options.assignment = row.exercise if path.name.endswith(ARCHIVES) else None
    judge = {"__enter__": lambda self: self, "__exit__": lambda *_: None, "verdict": verdict}
    once = patch("autograder.assignments.assignment.load", loaded)
    unjudged = patch.object(check, "require_fit")
    with once, unjudged, patch.multiple(RetryingJudge, **judge), pytest.raises(Judged) as caught:
        check.run(options)
    return row.exercise, observed(caught.value.args[0])


DOORS = {
    **{"laid out by hand": by_hand, "laid out loosely": partial(by_hand, path="ada")},
    **{f"collected from {lms}": partial(collected, lms=lms) for lms in ("canvas", "moodle")},
    **{"collected by nbgrader": nbgrader, "packed by learn": learn, "checked": checked},
}
NOT_PACKED = [name for name, row in TABLE.items() if any(file.endswith(ARCHIVES) for file in row.files)]
NAMED = ("nothing", "another exercise beside", "a folder in a zip", "a zip with a Mac's litter", "a zip in a zip")
NAMED += ("another exercise in a zip", "only a page", "only a document", "another kind of archive")
NOT_BY = {"laid out loosely": NAMED, "checked": ("nothing", "two different ones"), "packed by learn": NOT_PACKED}
LEFT_OUT = [(door, name) for door, names in NOT_BY.items() for name in names]


@pytest.mark.parametrize(("door", "name"), [case for case in product(DOORS, TABLE) if case not in LEFT_OUT])
def test_the_same_files_are_the_same_submission_or_refusal(tmp_path, door, name):
    row, is_by_hand = TABLE[name], DOORS[door] is by_hand
    try:
        at_once = DOORS[door](name, tmp_path)
        if not at_once and not (tmp_path / "submitted").exists():
            assert row.refusal
            return
        exercise, (mark, files, refusal, notes) = at_once or read(tmp_path / "submitted")
    except (UsageError, NotRun) as error:
        exercise, mark, files, refusal, notes = "", "", {}, str(error), ()
    if row.refusal and (is_by_hand or not row.mark):
        assert row.refusal in refusal or (door == "checked" and "--assignment NAME does" in refusal)
        return
    helpers = {name: HELPERS[name] for name in row.helpers}
    assert (exercise, mark, files, refusal) == (row.exercise, row.mark, helpers, "")
    assert not is_by_hand or row.note in " ".join(notes)


def test_a_module_that_canvas_has_numbered_is_found_by_its_own_name(tmp_path, pack):
    files = {
        f"ada_5_8_{NAME}-1.ipynb": USING,
        "ada_5_9_my_parts-1.py": MODULE,
        "ada_5_10_my_more-1.py": HELPERS["my_more.py"],
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
    rows = ("modules and data", "encoded in utf-16", "blank beside solved", "a script with grade ids")
    assignment, submissions = loaded(ROOT, NAME), {}
    for name, door in product(rows, (by_hand, learn)):
        door(name, tmp_path / name / door.__name__)
        (handed,) = submissions_below(tmp_path / name / door.__name__ / "submitted", IDS)
        submission = Submission.read(handed.data(), assignment)
        submissions[submission.job(1)] = submission  # the same job is the same verdict
    with RetryingJudge(assignment, ROOT) as judging:
        for submission in submissions.values():
            verdict = judging.verdict(submission, seed=1, hidden=True)
            assert (verdict.points, verdict.status) == (sum(assignment.checks.values()), "ok")


def test_a_folder_named_by_a_word_is_packed_and_what_no_cell_names_is_told(tmp_path):
    uses = "import pathlib\nHALF = open(pathlib.Path('data') / 'half.csv').read()\n"
    files = {N: of("a", uses=uses), "data/half.csv": b"0.5", "notes/ideas.csv": b"1", "learn-progress.json": b""}
    target, notes = packed(laid_out(files, tmp_path) / N)
    with zipfile.ZipFile(target) as archive:
        assert sorted(archive.namelist()) == [N, "data/half.csv"]
    assert [note.partition(";")[0] for note in notes] == ["Not packed, because no cell names them: 'notes/ideas.csv'"]


def test_check_judges_the_file_that_is_named_whatever_lies_in_folders_below(tmp_path):
    other = jupytext.writes(nbformat.reads(text_of("b"), 4), "py:percent")
    laid_out({"blank.ipynb": BLANK, f"jo/{NAME}/{NAME}_final.py": other.encode()}, tmp_path)
    submitted = submitted_in(tmp_path, "", NAME, IDS, ["blank.ipynb"])
    assert Submission.read(submitted.data(), loaded(ROOT, NAME)).is_blank
