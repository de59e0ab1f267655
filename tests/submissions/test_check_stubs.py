import pytest

from autograder.submissions.what_runs import with_stand_ins


@pytest.mark.parametrize(
    "line",
    [
        "from autograder.checks.scorers import check_a, check_b as other",
        "from autograder.checks.scorers import (\n    check_a,\n    check_b as other,\n)  # again",
        "try:\n    from autograder.checks import check_a, other\nexcept ImportError:\n    pass",
    ],
)
def test_imported_checks_become_functions_that_do_nothing(line):
    names = {}
    exec(with_stand_ins(f"{line}\nsaid = check_a(1, x=2), other()"), names)
    assert names["said"] == (None, None)


def test_lines_keep_their_numbers():
    source = "from autograder.checks.scorers import (\n    check_a,\n)\nx = 1"
    assert with_stand_ins(source).splitlines()[3] == "x = 1"


@pytest.mark.parametrize(
    "source", ["import autograder", "# autograder", "from autograder import (", "x = 'autograder'"]
)
def test_everything_else_stays(source):
    assert with_stand_ins(source) == source


@pytest.mark.parametrize(
    "line",
    [
        *("!pip install torch", "%pip install -q a b", "!pip3 install x", "! pip install x", "%conda install x"),
        *(
            "!{sys.executable} -m pip install x",
            "!python -m pip install x",
            "!sudo apt-get install x",
            "!uv pip install x",
        ),
    ],
)
def test_nothing_is_installed(line, capsys):
    exec(with_stand_ins(f"if True:\n    {line}\n"))
    assert capsys.readouterr().out == "No packages are installed during grading.\n"


@pytest.mark.parametrize(
    "source", ["%%bash\n!pip install x", "pip = 3", "x = '!pip install x'", "!pip install x \\\n  y", "!ls"]
)
def test_other_lines_are_left_alone(source):
    assert with_stand_ins(source) == source
