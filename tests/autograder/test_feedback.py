"""What learners read of their work: a page, and Markdown, that show whatever they wrote and run none of it."""

import re
import time
from html import unescape
from itertools import pairwise
from types import SimpleNamespace

import nbformat
import pytest
from bs4 import BeautifulSoup
from jinja2 import Environment
from nbconvert import HTMLExporter
from nbconvert.filters import markdown2html
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from small_course import ROOT

from autograder.assignments.assignment import load
from autograder.assignments.notebooks import to_text
from autograder.assignments.script import scripts
from autograder.finding import Finding
from autograder.gradebook.feedback import to_page
from autograder.gradebook.formgrader import markdown_to_html
from autograder.gradebook.html import mathml, prose_to_html
from autograder.gradebook.learner_report import LONGEST, CheckReport, Report, _check_report, headings
from autograder.gradebook.markdown import points_line, to_markdown
from autograder.gradebook.summary import plain, stopped_cells, summary_cell
from autograder.gradebook.syntax import CLASSES, coloured, rules
from autograder.records.verdict import CellResult, CheckVerdict, Verdict
from autograder.settings import settings as course_settings

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SOURCE = "def score(query, keys):\n    '''Dot.'''\n    return (query.unsqueeze(1) * keys).sum(-1)  # 1 < 2\n"


def make(**changes):
    half = CheckReport("one", 1.5, 2.0, "partial", finding=Finding(what="x", got="half"))
    given = {"student": "ada", "assignment": "a", "status": "failed", "points": 2.5, "max_points": 3.0}
    given |= {"late_penalty": 0.0, "seconds_late": 0.0, "comments": {}, "notes": []}
    return Report(**(given | {"checks": [half, CheckReport("two", 1, 1, "passed")]} | changes))


def failed(name="one", **finding):
    return CheckReport(name, 0, 2, "failed", finding=Finding(**finding))


@pytest.fixture
def page(solved):
    """The page of the solved notebook with further cells and another report."""

    def page(cells=(), **changes):
        notebook = nbformat.reads(solved, as_version=4)
        notebook.cells += cells
        return to_page(notebook, make(**changes))

    return page


ACTING = ["script", "style", "iframe", "object", "embed", "form", "svg", "link", "base", "video", "audio", "input"]
HARMLESS = {  # what a value begins with; no other tag may have the attribute
    ("a", "href"): ("http://", "https://", "mailto:", "#"),
    ("img", "src"): ("data:image/",),
    ("td", "style"): ("text-align:",),
    ("th", "style"): ("text-align:",),
}
WATCHED = re.compile(r"on\w*|style|.*href|src.*|.*action|background|data|poster")


def acting(text):
    """What of a page could act."""
    acting = []
    for tag in BeautifulSoup(text, "html.parser").find_all(True):
        acting += [tag.name] * (tag.name in ACTING)
        for name, value in tag.attrs.items():
            starts = HARMLESS.get((tag.name, name), ())
            if WATCHED.fullmatch(name) and not value.strip().lower().startswith(starts):
                acting.append((tag.name, name, value))
    return acting


MARKS = "<script>alert(1)</script> [a](javascript:b) ![c](d) *e* $f$ `g` # h | x"
HOSTILE = [
    *("<script>evil()</script>", "<img src=x onerror=evil()>", "[x](javascript:evil())", "<svg onload=evil()>"),
    *('<a href=" javascript:evil()">a</a>', "<style>*{display:none}</style>", '<a>x" onclick="evil()</a>'),
    *("<math><mtext><img src=x onerror=evil()></mtext></math>", "<a href='data:text/html,<script>evil()</script>'>"),
    *('<a href="#" onclick="evil()">a</a>', "<iframe src=//example.org></iframe>", r"$\text{<script>evil()</script>}$"),
    *("![a](https://example.org/who-opened-this.png)", "<p class='points' style='color:red' id='result'>20 of 20</p>"),
    *("```python\n</code></pre><script>evil()</script>\n```", "\ue0000\ue001 $x$ \ue0007\ue001", MARKS),
]


@pytest.mark.parametrize("source", HOSTILE)
def test_markup_of_a_learner_is_only_text(source):
    prose, formgrader = prose_to_html(source), markdown_to_html({"cell": new_markdown_cell(source)}, source)
    report = make(checks=[failed(got=source)], notes=[source], comments={"a": source, "one": source})
    quoted = [markdown2html(to_markdown(report)), markdown2html(plain(source))]
    assert [acting(rendered) for rendered in (prose, formgrader, *quoted)] == [[]] * 4
    assert not re.search(r"<\w+[^>]*\s(style|id|class|on\w+)=", prose.replace("<span class=", "<span "))
    assert not re.search(r"<(img|math><mtext><img)", formgrader)
    if source == MARKS:  # of Markdown and maths, where a learner's words are quoted
        assert not re.search("<script|<a href=.javascript|<img|<em>", "".join(quoted))
        assert "<a " not in quoted[1]
        assert "$" not in plain(source)


def test_formgrader_keeps_the_summarys_links_and_has_formulas_as_mathml(tmp_path):
    environment = Environment()
    environment.filters["markdown2html"] = markdown_to_html
    template = environment.from_string("{{ cell.source | markdown2html }}")
    source = "so $a_t = 1$ holds\n\n| [double_right](#double_right) | 1 |\n|--|--|\n"
    shown = template.render(cell=new_markdown_cell(source))
    assert "<math" in shown
    assert '<a href="#double_right">double_right</a>' in shown
    exporter = HTMLExporter(config=course_settings(tmp_path, tmp_path))
    body, _ = exporter.from_notebook_node(new_notebook(cells=[new_markdown_cell("<b onclick='evil()'>bold</b>")]))
    assert "<b>bold</b>" in body
    assert "evil" not in body


def test_a_page_is_light_runs_nothing_asks_nobody_and_skips_no_level_of_headings(page):
    assert len(page()) < 60_000
    text = page([new_markdown_cell("# One\n\n## Two\n\n![x](https://a.org/x.png) <img src='//a.org/y.png'>")])
    assert "<script" not in text
    assert not re.search(r"""(src|href|url)\s*=?\s*[("']?\s*(https?:)?//""", text)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert not re.search("unsafe|script-src", policy)
    levels = [int(level) for level in re.findall(r"<h(\d)", text)]
    assert levels[:2] == [1, 2]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_formulas_are_mathml_as_simply_as_the_converter_knows_and_all_of_the_exercises_are_understood():
    text = prose_to_html(r"so $\alpha_j$ and $$\sum_j \alpha_j v_j$$")
    assert text.count("<math") == 2
    assert 'display="block"' in text
    assert "$" not in text
    for tex in (r"\tfrac12", r"\dots", r"\Big(x\Big)", r"\lceil x \rceil", r"\left\lfloor x\right\rfloor", r"a\!b"):
        assert mathml(tex, False).startswith("<math"), tex
    for tex in (r"\nosuch{x}", "{" * 4_000, r"a < b & \unicode{x}", "x" * 9_000):
        shown = mathml(tex, True)
        assert shown.startswith("<pre><code>"), tex
        assert "<b" not in shown
    for path in scripts(ROOT):
        cells = load(ROOT, path.stem).notebook.cells
        prose = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        formulas = [display or inline for display, inline in re.findall(r"\$\$(.+?)\$\$|\$(.+?)\$", prose, flags=re.S)]
        assert formulas, path
        assert [tex for tex in formulas if not mathml(tex, False).startswith("<math")] == []


def test_text_made_to_take_for_ever_or_that_cannot_be_read_is_still_shown(page):
    unread = ("![x](attachment:none.png)", "> " * 5_000 + "x", "[" * 19_000, "*a " * 6_000)
    assert min(len(prose_to_html(source)) for source in unread) >= 5
    cells = [new_markdown_cell("\\\\(" * 1_600 + str(number)) for number in range(100)]
    began = time.process_time()
    text = page(cells)
    assert time.process_time() - began < 30
    assert text.count("<pre>\\\\(") > 50


def test_a_picture_says_what_or_whence_it_is_or_that_it_was_left_out(solved):
    picture = prose_to_html(f"<img src='data:image/png;base64,{PIXEL}'>")
    assert 'alt="picture without a description"' in picture
    assert PIXEL in picture
    assert "an external picture was left out" in prose_to_html("![x](https://example.org/x.png)")
    notebook = nbformat.reads(solved, as_version=4)
    (code, *_) = [cell for cell in notebook.cells if cell.cell_type == "code"]
    code.outputs = [new_output("display_data", data={"image/png": PIXEL, "text/html": "<script>evil()</script>"})]
    assert 'alt="picture that setup drew"' in to_page(notebook, make())


def test_checks_comments_notes_and_penalty_stand_on_the_page_where_they_belong(page):
    text = page(
        [new_code_cell("while True: ...", id="cell-28")],
        checks=[failed("double_right", what="scores", got="<b>1</b>", expected="2")],
        comments={"double": "Neat <b>work</b>, if *x* < `__len__`: $W q$"},
        notes=["cell 28 did not finish within 10 s."],
        late_penalty=1.0,
        seconds_late=3600.0,
    )
    assert "<dt>got</dt><dd>&lt;b&gt;1&lt;/b&gt;</dd>" in text
    assert "failed 0 / 2" in text
    assert "Neat &lt;b&gt;work&lt;/b&gt;, if <em>x</em> &lt; <code>__len__</code>: <math>" in text
    assert "less a late penalty of 1 (1 hour late)" in text
    assert "<span>code · cell 28</span>" in text
    places = [text.index(w) for w in ("your answer double", "Neat &lt;b&gt;work&lt;/b&gt;,", "check double_right")]
    assert places == sorted(places)
    assert "Your notebook" in to_page(nbformat.reads(to_text(new_notebook()), as_version=4), make())


def test_the_fields_of_a_finding_are_in_the_record_its_sentence_too_and_every_part_in_markdown():
    finding = Finding("scorers.dot", "one sentence", "shape", "weights", "shape (3,)", "(batch=1, keys=3)", "name it")
    report = make(checks=[CheckReport("one", 0, 2, "failed", "Other sizes.", finding, True)])
    (check,) = report.record()["checks"]
    assert (check["finding"]["mistake"], check["finding"]["why"]) == ("shape", "name it")
    assert check["message"] == "weights (one sentence): shape (3,), expected (batch=1, keys=3); name it."
    text = to_markdown(report)
    for line in ("Other sizes.", "- looked at: weights", "- got: shape", "- expected: ", "name it"):
        assert line in text


def test_a_penalty_never_takes_more_than_there_is_and_a_text_that_nobody_wrote_is_called_that():
    line = points_line(make(late_penalty=1.0, seconds_late=90_000.0))
    assert line == "1.5 of 3 points. 2.5 less a late penalty of 1 (1 day 1 hour late)."
    assert make(late_penalty=9.0).score == 0.0
    assert points_line(make(seconds_late=3600.0)) == "2.5 of 3 points. 1 hour late."
    cell = new_markdown_cell("your words", metadata={"nbgrader": {"solution": True, "grade": True}})
    untouched = SimpleNamespace(score=0, max_score=2.0, manual_score=None, extra_credit=None, needs_manual_grade=False)
    check = _check_report("why", untouched, {}, cell, "")
    assert (check.status, check.message, check.finding.mistake) == ("not answered", "", "not_written")
    changed = SimpleNamespace(**vars(untouched) | {"score": 1, "manual_score": 1, "needs_manual_grade": True})
    assert _check_report("why", changed, {}, cell, "").status == "to be graded again"


READ = {  # what became of the checks and of the answers that people read: what is said
    "passed, to be graded": "Every check passed. 1 point waits to be graded by hand.",
    "failed, to be graded, to be graded": "Some checks did not pass. 2 points wait to be graded by hand.",
    "passed, not answered": "Every check passed. A question is not answered.",
    "passed, by hand": "Every check passed.",
    "failed, by hand": "Some checks did not pass.",
    "passed, to be graded again": (
        "Every check passed. Points were given by hand before something was changed, and will be given again."
    ),
    "passed": "Every check passed.",
    "to be graded": "1 point waits to be graded by hand.",
    "passed, a check to be graded": "Every check passed. 1 point waits to be graded by hand.",
}


def test_what_a_person_reads_is_no_check_that_failed():
    def report(statuses):
        checks = [
            (status.removeprefix("a check "), status not in ("passed", "failed", "a check to be graded"))
            for status in statuses.split(", ")
        ]
        points = {"passed": 1.0, "by hand": 0.5, "to be graded again": 0.5}
        return make(checks=[CheckReport("c", points.get(of, 0.0), 1, of, in_words=words) for of, words in checks])

    assert {statuses: report(statuses).result for statuses in READ} == READ


def test_a_check_is_called_by_its_task():
    def graded(name):
        return new_code_cell("", metadata={"nbgrader": {"grade": True, "grade_id": name}})

    texts = ("# Scores\n\n## Task 1: the `dot` score #\n\nText.", "No heading.", "# " + "x" * 500)
    first, second, third = map(new_markdown_cell, texts)
    cells = [graded("setup"), first, graded("dot"), second, graded("more"), third, graded("long")]
    titles, task = headings(new_notebook(cells=cells)), "Task 1: the dot score"
    assert [titles[name] for name in ("setup", "dot", "more")] == ["", task, task]
    assert len(titles["long"]) == LONGEST
    assert CheckReport("dot", 1, 1, "passed", task=task).title == task
    assert CheckReport("dot", 1, 1, "passed", task=task, hidden=True).title == f"{task} (hidden check)"
    assert CheckReport("setup", 1, 1, "passed").title == "setup"


def test_the_summary_begins_with_the_points_keeps_messages_in_their_column_and_names_stopped_cells_once():
    checks = [
        CheckVerdict("one", 1.5, 2.0, "partial", Finding(got="`x`: half | right")),
        CheckVerdict("two", 1.0, 1.0, "passed"),
    ]
    source = summary_cell(Verdict("failed", 1, checks, []), {}).source
    assert source.startswith("**2.5 of 3 points from the checks.** Some checks did not pass.")
    assert "<code>x</code>: half | right</td>" in markdown2html(source)
    assert markdown2html(source).count("\u2003</t") == 2 + 2 * len(checks)  # a gap after each column but the last
    assert markdown2html(source).count("<td") == 6
    cells = [CellResult("cell 2", "timeout"), CellResult("cell 21", "timeout"), CellResult("cell 3", "ok")]
    stopped = stopped_cells(Verdict("timeout", 1, checks, cells, ["cell 21 did not finish."]))
    assert stopped == ["cell 2 ran out of time."]


def test_code_in_colours_loses_no_sign_takes_few_bytes_and_each_class_has_its_colour_in_light_and_dark():
    for source in (SOURCE, "", "\n\nx\n", "a < b & c", "</code><script>", "é \u202e ' \""):
        html = coloured(source)
        assert unescape(re.sub("<[^>]*>", "", html)) == source.rstrip("\n")
        assert set(re.findall("<[^>]*>", html)) <= {"</span>", *(f'<span class="{name}">' for name in CLASSES.values())}
    assert coloured("query.keys(x)[y], z") == "query.keys(x)[y], z"
    assert coloured(SOURCE).count("<span") <= 8
    light, dark = rules().split("@media (prefers-color-scheme: dark)")
    for name in CLASSES.values():
        assert light.count(f"code .{name} ") == dark.count(f"code .{name} ") == 1
