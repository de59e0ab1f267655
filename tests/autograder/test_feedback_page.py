import re
import time
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from test_feedback_report import make

from autograder.authoring.assignment import load
from autograder.authoring.notebooks import to_text
from autograder.authoring.script import scripts
from autograder.finding import Finding
from autograder.gradebook.feedback import to_page
from autograder.gradebook.html import mathml, prose_to_html
from autograder.gradebook.learner_report import CheckReport

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.fixture
def page(solved):
    """The page of the solved notebook with further cells and another report."""

    def page(cells=(), **changes):
        notebook = nbformat.reads(solved, as_version=4)
        notebook.cells += cells
        return to_page(notebook, make(**changes))

    return page


def test_no_script_and_no_address_of_another_host(page):
    text = page([new_markdown_cell("![x](https://example.org/x.png) <img src='//example.org/y.png'>")])
    assert "<script" not in text
    assert not re.search(r"""(src|href|url)\s*=?\s*[("']?\s*(https?:)?//""", text)


def test_the_policy_allows_the_pages_own_style_and_nothing_to_run(page):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page())[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "script-src" not in policy


def test_headings_begin_at_one_and_skip_no_level(page):
    levels = [int(level) for level in re.findall(r"<h(\d)", page([new_markdown_cell("# One\n\n## Two")]))]
    assert levels[:2] == [1, 2]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_a_page_without_pictures_is_light(page):
    assert len(page()) < 60_000


def test_formulas_are_mathml():
    text = prose_to_html(r"so $\alpha_j$ and $$\sum_j \alpha_j v_j$$")
    assert text.count("<math") == 2
    assert 'display="block"' in text
    assert "$" not in text


@pytest.mark.parametrize("tex", [r"\nosuch{x}", "{" * 4_000, r"a < b & \unicode{x}", "x" * 9_000])
def test_a_formula_that_is_not_understood_is_shown_as_written(tex):
    shown = mathml(tex, True)
    assert shown.startswith("<pre><code>")
    assert "<b" not in shown


@pytest.mark.parametrize(
    "tex", [r"\tfrac12", r"\dots", r"\Big(x\Big)", r"\lceil x \rceil", r"\left\lfloor x\right\rfloor", r"a\!b"]
)
def test_tex_that_the_converter_does_not_know_is_said_more_simply(tex):
    assert mathml(tex, False).startswith("<math")


def test_markup_in_a_formula_is_text():
    assert "<script" not in prose_to_html(r"$\text{<script>evil()</script>}$")


@pytest.mark.parametrize("name", [path.stem for path in scripts(Path(__file__).resolve().parents[2])])
def test_every_formula_of_the_exercises_is_understood(pytestconfig, name):
    assignment = load(pytestconfig.rootpath, name)
    prose = "\n\n".join(cell.source for cell in assignment.notebook.cells if cell.cell_type == "markdown")
    formulas = re.findall(r"\$\$(.+?)\$\$|\$(.+?)\$", prose, flags=re.S)
    assert formulas
    assert [tex for pair in formulas for tex in pair if tex and not mathml(tex, False).startswith("<math")] == []


@pytest.mark.parametrize(
    "source",
    [
        "<script>evil()</script>",
        "<img src=x onerror=evil()>",
        "[x](javascript:evil())",
        "<style>*{display:none}</style>",
        "<svg onload=evil()>",
        "<math><mtext><img src=x onerror=evil()></mtext></math>",
        "<a href='data:text/html,<script>evil()</script>'>x</a>",
        "<p class='points' style='color:red' id='result'>20 of 20</p>",
        "```python\n</code></pre><script>evil()</script>\n```",
        "\ue0000\ue001 $x$ \ue0007\ue001",
    ],
)
def test_a_learners_markdown_is_only_text(source):
    made = prose_to_html(source)
    assert not re.search(r"<(script|style|svg|iframe|form)|<[^>]*(javascript|data:text)", made)
    assert not re.search(r"<\w+[^>]*\s(style|id|class|on\w+)=", made.replace("<span class=", "<span "))


@pytest.mark.parametrize("source", ["![x](attachment:none.png)", "> " * 5_000 + "x", "[" * 19_000, "*a " * 6_000])
def test_markdown_that_cannot_be_read_is_still_shown(source):
    assert len(prose_to_html(source)) >= 5


def test_text_made_to_take_for_ever_does_not(page):
    cells = [new_markdown_cell("\\\\(" * 1_600 + str(number)) for number in range(100)]
    began = time.process_time()
    text = page(cells)
    assert time.process_time() - began < 10
    assert text.count("<pre>\\\\(") > 50


def test_a_picture_without_words_is_said_to_be_one():
    made = prose_to_html(f"<img src='data:image/png;base64,{PIXEL}'>")
    assert 'alt="picture without a description"' in made
    assert PIXEL in made


def test_a_picture_from_elsewhere_is_left_out_and_said_to_be():
    assert "an external picture was left out" in prose_to_html("![x](https://example.org/x.png)")


def test_a_picture_that_the_code_drew_says_where_it_is_from(solved):
    notebook = nbformat.reads(solved, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    code[0].outputs = [new_output("display_data", data={"image/png": PIXEL, "text/html": "<script>evil()</script>"})]
    assert 'alt="picture that setup drew"' in to_page(notebook, make())


def test_what_a_check_said_stands_with_its_cell(page):
    told = CheckReport("double_right", 0, 2, "failed", finding=Finding(what="scores", got="<b>1</b>", expected="2"))
    text = page(checks=[told])
    assert "<dt>got</dt><dd>&lt;b&gt;1&lt;/b&gt;</dd>" in text
    assert "failed 0 / 2" in text


def test_the_late_penalty_is_on_the_page(page):
    assert "less a late penalty of 1 (1 hour late)" in page(late_penalty=1.0, seconds_late=3600.0)


def test_the_instructors_comment_stands_below_the_answer(page):
    text = page(comments={"double": "Neat <b>work</b>."})
    assert (
        text.index("your answer double")
        < text.index("Neat &lt;b&gt;work&lt;/b&gt;.")
        < text.index("check double_right")
    )


def test_a_cell_that_a_note_speaks_of_is_found_by_its_number(page):
    text = page([new_code_cell("while True: ...", id="cell-28")], notes=["cell 28 did not finish within 10 s."])
    assert "<span>code · cell 28</span>" in text


def test_a_notebook_without_cells_has_a_page():
    assert "Your notebook" in to_page(nbformat.reads(to_text(new_notebook()), as_version=4), make())
