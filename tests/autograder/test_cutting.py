import pytest

from autograder.authoring.cutting import answer_cell, grade_id
from autograder.errors import UsageError

MODULE = '''
def plain(x):
    return x


def told(x: int = 1, *, y: str = "a: b") -> int:  # a remark: here
    """What it does.

    Over lines.
    """

    # why
    z = x

    return z  # so


class Thing:
    """A thing."""

    @staticmethod
    def first(x):
        return x

    def second(
        self,
        x,
    ):
        return x


def one_line(x): return x
'''


@pytest.fixture
def library(tmp_path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "mod.py").write_text(MODULE)
    return tmp_path


def cut(library, answers, omit="", source=None):
    name = answers.split()[0].split(".")[0]
    return answer_cell(source or f"from pkg.mod import {name}", answers.split(), omit.split(), library)


def test_the_body_of_a_function_stands_between_the_markers(library):
    expected = "def plain(x):\n    ### BEGIN SOLUTION\n    return x\n    ### END SOLUTION"
    assert cut(library, "plain") == expected


def test_the_docstring_stays_and_the_comment_below_it_goes(library):
    text = cut(library, "told")
    head, body = text.split("### BEGIN SOLUTION")
    assert "Over lines." in head
    assert "# why" in body
    assert "return z  # so\n    ### END SOLUTION" in body


def test_only_the_named_methods_are_taken_out(library):
    text = cut(library, "Thing.second")
    assert text.count("BEGIN SOLUTION") == 1
    assert text.index("def second") < text.index("BEGIN SOLUTION")


def test_an_omitted_method_leaves_with_its_decorator(library):
    text = cut(library, "Thing.second", omit="Thing.first")
    assert "first" not in text
    assert "staticmethod" not in text


def test_other_lines_of_the_cell_stay(library):
    text = cut(library, "plain", source="import math\nfrom pkg.mod import plain\n\nmath.pi")
    assert text.startswith("import math\ndef plain")
    assert text.endswith("\n\nmath.pi")


def test_a_whole_class_is_no_answer(library):
    with pytest.raises(UsageError, match="name the methods"):
        cut(library, "Thing")


def test_a_missing_method_is_named(library):
    with pytest.raises(UsageError, match=r"mod\.py defines no third"):
        cut(library, "Thing.third")


def test_a_body_on_the_line_of_its_header_is_refused(library):
    with pytest.raises(UsageError, match="lines of its own"):
        cut(library, "one_line")


def test_an_answer_that_the_cell_does_not_import_is_refused(library):
    with pytest.raises(UsageError, match="does not import plain"):
        cut(library, "plain", source="x = 1")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("AdditiveScorer.score", "additive_scorer"), ("masked_softmax", "masked_softmax"), ("MLP2Net", "mlp2_net")],
)
def test_grade_id_is_the_name_in_snake_case(answer, expected):
    assert grade_id(answer) == expected


def test_shown_code_stands_there_whole_and_unmarked(library):
    text = answer_cell("from pkg.mod import told\n\ntold(2)", [], [], library, ["told"])
    assert "SOLUTION" not in text
    assert text.startswith("def told(")
    assert "# why" in text
    assert text.endswith("return z  # so\n\ntold(2)")


def test_a_cell_that_shows_what_it_does_not_import_is_refused(library):
    with pytest.raises(UsageError, match="show='plain' does not import plain"):
        answer_cell("x = 1", [], [], library, ["plain"])
