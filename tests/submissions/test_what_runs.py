"""What of a notebook runs for a grade, the names by which it is decided, and the plain cells that come of it."""

import time

from nbformat import v4, validate, writes

from autograder.assignments.assignment import Assignment
from autograder.finding import Finding
from autograder.records.verdict import CheckVerdict
from autograder.submissions.cells import code_cell, markdown_cell
from autograder.submissions.defined_names import KNOWN, MAX_SOURCE, names_of
from autograder.submissions.safe_outputs import check_outputs, safe_outputs
from autograder.submissions.submission import Submission
from autograder.submissions.what_runs import with_stand_ins

BOUND = {
    **{"def f(a, b=c):\n    d = 1": {"f"}, "async def f(): pass": {"f"}},
    "class A(B):\n    x = 1\n    def g(self): y = 1": {"A"},
    **{"import torch.nn.functional as F, math": {"F", "math"}, "import torch.nn": {"torch"}},
    "from a.b import (c, d as e)": {"c", "e"},
    **{"a, (b, c) = 1, (2, 3)\nd: int = 4\ne += 1": {"a", "b", "c", "d", "e"}, "x.y = 1\nz[i] = 2\nf(k=3)": set()},
    "if True:\n    a = 1\ntry:\n    import b\nexcept E as e:\n    pass": {"a", "b", "e"},
    **{"for i, j in pairs:\n    k = i": {"i", "j", "k"}, "with open(x) as file, (n := 3): pass": {"file", "n"}},
    **{"def f():\n    x = 1\ny = 2": {"f", "y"}, "%matplotlib inline\n!pip install x\nimport math": {"math"}},
    "x = 1\n" * 10_000: set(),  # too long to be read
}
FREE = {
    "def f(scores):\n    return helper(scores, dim=0).dim": {"helper"},
    "def f(x):\n    LOW = 1\n    return x + LOW + HIGH": {"HIGH"},
    **{"[helper(i) for i in things]": {"helper", "things"}, "lambda i: i + j": {"j"}, "x = 1\nx += y": {"y"}},
    **{"total += 1": {"total"}, "%time helper()\nfiles = !ls\nhelper?": {"time", "helper", "files", "ls"}},
    "x = (": {"x"},
    '"helper"  # helper\nprint(len([]))': set(),
    "class A(B):\n    @C.d\n    def e(self) -> 'T': return super().e()": {"B", "C"},
}
NO_PYTHON = ["def f(:\n  x = (", "'''", "  a\n b", "\0", "-" * 10_000 + "1", "(" * 10_000, "x = §"]
LONG = ["for ", "lambda ", "for x ", "x as ", "x:=", "from ", "import a,", "= ", "def ", "[", "a.", "x=for ", "'"]
LONG += ["\\\n"]
IMPORTS = [
    "from autograder.checks.scorers import check_a, check_b as other",
    "from autograder.checks.scorers import (\n    check_a,\n    check_b as other,\n)  # again",
    "try:\n    from autograder.checks import check_a, other\nexcept ImportError:\n    pass",
]
INSTALLS = [
    *("!pip install torch", "%pip install -q a b", "!pip3 install x", "! pip install x", "%conda install x"),
    *("!{sys.executable} -m pip install x", "!python -m pip install x", "!sudo apt-get install x"),
    "!uv pip install x",
]
OTHERS = [
    *("import autograder", "# autograder", "from autograder import (", "x = 'autograder'", "%%bash\n!pip install x"),
    *("pip = 3", "x = '!pip install x'", "!pip install x \\\n  y", "!ls"),
]
SHOWN = "picture = answer(3)\nprint(picture)"
READERS = [
    *("picture + 1", "def f():\n    return picture", "class A:\n    size = picture", "picture += 1", "del picture"),
    *("%time picture", "largest = max(one for one in picture)"),
]
BINDERS = [
    *("picture = 2\npicture + 1", "def f(picture):\n    return picture", "for picture in [1]:\n    print(picture)"),
    "mine = 1",
]
OUTPUTS = [
    {"output_type": "stream", "name": "stderr", "text": "no\n"},
    {"output_type": "display_data", "data": {"text/plain": "1"}},
    {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["t"]},
]


def test_a_cell_binds_names_at_its_top_and_needs_others():
    assert {source: names_of(source).bound for source in BOUND} == BOUND
    assert {source: names_of(source).free - KNOWN for source in FREE} == FREE


def test_a_long_or_broken_cell_is_read_at_once():
    cells = [*NO_PYTHON, *((part * MAX_SOURCE)[:MAX_SOURCE] for part in LONG)]
    for cell in cells:
        start = time.process_time()
        names_of(cell)
        assert time.process_time() - start < 0.5, cell[:20]


def test_checks_do_nothing_nothing_is_installed_and_everything_else_stays_on_its_line(capsys):
    for line in IMPORTS:
        exec(with_stand_ins(f"{line}\nresults = check_a(1, x=2), other()"), names := {})
        assert names["results"] == (None, None), line
    for line in INSTALLS:
        exec(with_stand_ins(f"if True:\n    {line}\n"))
        assert capsys.readouterr().out == "No packages are installed during grading.\n", line
    assert {source: with_stand_ins(source) for source in OTHERS} == {source: source for source in OTHERS}
    source = "from autograder.checks.scorers import (\n    check_a,\n)\nx = 1"
    assert with_stand_ins(source).splitlines()[3] == "x = 1"
    exec(with_stand_ins("\n%%time\n%%capture --no-stderr out\n!pip install x\nx = 1"), names)
    assert (str(names["out"]), names["x"]) == ("", 1)


def assignment(*shown):
    settings = {"schema_version": 3, "grade": False, "locked": False, "solution": True, "grade_id": "answer"}
    cells = [v4.new_code_cell("def answer(x): ...", id="answer", metadata={"nbgrader": settings})]
    cells += [v4.new_code_cell(text, id=f"s{n}", metadata={"tags": ["demonstration"]}) for n, text in enumerate(shown)]
    return Assignment("small", writes(v4.new_notebook(cells=cells), version=4))


def run(of, *sources):
    """The sources that run of a notebook of these cells."""
    notebook = v4.new_notebook(cells=[v4.new_code_cell(source) for source in sources])
    return [cell.source for cell in Submission.read(writes(notebook, version=4).encode(), of).job(0).cells]


def test_a_demonstration_runs_where_it_was_changed_or_its_names_are_read():
    small = assignment(SHOWN)
    assert [other for other in READERS if SHOWN not in run(small, SHOWN, other)] == []
    assert [other for other in BINDERS if SHOWN in run(small, SHOWN, other)] == []
    assert SHOWN + "\nmore = 1" in run(small, SHOWN + "\nmore = 1")
    second = "print(picture)\nlast = 3"
    assert SHOWN in run(assignment(SHOWN, second), SHOWN, second, "last")
    assert SHOWN not in run(assignment(SHOWN, second), SHOWN, second)


def test_cells_and_outputs_are_those_of_nbformat():
    code, text = code_cell("x = 1", "one", {"nbgrader": {"grade": True}}), markdown_cell("*x*", "two", {})
    assert code == v4.new_code_cell("x = 1", id="one", metadata={"nbgrader": {"grade": True}})
    assert text == v4.new_markdown_cell("*x*", id="two", metadata={})
    assert [safe_outputs([fields]) for fields in OUTPUTS] == [[v4.new_output(**fields)] for fields in OUTPUTS]
    checks = [CheckVerdict("c", points, 3.0, "partial", Finding(got="a part")) for points in (0.0, 1.5, 3.0)]
    assert check_outputs(checks[1])[-1] == v4.new_output("execute_result", {"text/plain": "1.5"})
    full = code_cell("", "three", {})
    full.outputs = safe_outputs(OUTPUTS) + [output for check in (None, *checks) for output in check_outputs(check)]
    validate(v4.new_notebook(cells=[full, code, text]))
