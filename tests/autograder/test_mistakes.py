"""A mistake in the line of any command: one line that names it, status 2, and nothing is written."""

import shutil

import pytest
from small_course import NAME, FakeJudge, hand_in_all

from autograder.grading.grading_run import Run

MISTAKES = {  # the line, run beside the grades of ada and ben → words of what is said
    "grade nowhere": "there is no folder nowhere.",
    "grade empty": "expected",
    "grade submitted --assignment x": f"there is no assignment 'x'; the course has {NAME}.",
    "grade submitted --output file": "file",
    **{f"grade submitted --output {output}": "name a folder beside them" for output in ("submitted", "submitted/x")},
    "grade submitted --workers 0": "--workers is 0, expected 1 or more.",
    "grade submitted --scheduler 10.0.0.7": "--scheduler is '10.0.0.7', expected tcp://HOST:PORT or tls://HOST:PORT.",
    "grade submitted --scheduler tcp://h:1 --workers 2": "leave it out with --scheduler",
    "grade submitted --tls-cert c.pem": "the --tls options need --scheduler tls://HOST:PORT.",
    "grade submitted --scheduler tcp://h:1 --tls-cert c.pem": "the --tls files are for a scheduler at tls://",
    "grade submitted --scheduler tls://h:1": "needs --tls-ca-file, --tls-cert and --tls-key.",
    "grade submitted --inbound empty": "EXCHANGE/COURSE/inbound",
    "grade submitted --watch --inbound nowhere": "EXCHANGE/COURSE/inbound",
    "collect other.ipynb --roster empty": "turn them round, collect empty --roster other.ipynb.",
    "check nowhere.ipynb": "nowhere.ipynb",
    "check other.ipynb": "other",
    f"check {NAME}.ipynb": "JSON",
    "feedback --student nobody": "nothing graded for nobody in grades; there is ada, ben.",
    "feedback --assignment 99_none": f"nothing graded for 99_none in grades; there is {NAME}.",
    "feedback --output elsewhere": "there is no gradebook elsewhere/gradebook.db",
    "regrade --assignment x": f"there is no assignment 'x'; the course has {NAME}",
    "regrade --student ada --student zoe": "has no submissions of zoe",
    "regrade --output elsewhere": "there is no folder elsewhere; expected one that `grade` wrote.\n",
    **dict.fromkeys(
        (
            *(
                "export --to csv --output nowhere",
                "export --to csv --assignment 99_none",
                "export --to csv --roster x.csv",
            ),
            *("export --to canvas --roster missing.csv", "export --to canvas --column sign"),
            *("export --to moodle --column a=b", "export --to jplag", "export --to dolos --assignment 99_none"),
            *("export --to jplag --student ada", "export --to csv --file grades/gradebook.db/x.csv"),
            "export --to gradescope --file grades/gradebook.db",
        ),
        "",
    ),
    "export --to csv --file grades": "grades is a folder, expected a file, such as grades/grades.csv.",
    "export --to csv --student benn": "the gradebook has no student 'benn' (did you mean ben?).",
    "export --to csv --student zoe": "the gradebook has no student 'zoe'; it has ada, ben.",
}


@pytest.fixture(scope="module")
def graded_class(course, solved, blank, tmp_path_factory):
    top = tmp_path_factory.mktemp("class")
    Run(course, top / "grades", maker=FakeJudge, seed=1).grade(hand_in_all(top, {"ada": solved, "ben": blank}))
    (top / "empty").mkdir()
    for name, text in {"file": "", "other.ipynb": "{}", f"{NAME}.ipynb": "{"}.items():
        (top / name).write_text(text)
    return top


def contents(folder):
    return {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")}


@pytest.mark.parametrize(("line", "words"), MISTAKES.items())
def test_a_mistake_is_one_line_and_status_2_and_nothing_is_written(command, graded_class, tmp_path, line, words):
    shutil.copytree(graded_class, tmp_path, dirs_exist_ok=True)
    before = contents(tmp_path)
    status, out, err = command(*line.split())
    assert (status, out) == (2, "")
    assert err.startswith(f"{line.split()[0]}: ")
    assert words in err
    assert err.count("\n") == 1
    assert contents(tmp_path) == before
