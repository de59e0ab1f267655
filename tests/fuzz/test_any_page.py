"""Whatever learners write, print or make a check say: nothing on the feedback page can run, load or send."""

import json
import re

import nbformat
import pytest
from bleach._vendor import html5lib
from effort import fuzzed
from fuzzed_course import assignment, solved
from hypothesis import strategies as st
from notebooks import JSON

from autograder.finding import Finding
from autograder.gradebook.feedback import to_page
from autograder.gradebook.graded_notebook import graded_notebook
from autograder.gradebook.learner_report import CheckReport, Report
from autograder.gradebook.summary import plain
from autograder.records.verdict import CellResult, CheckVerdict, Verdict
from autograder.submissions.safe_outputs import safe_outputs
from autograder.submissions.submission import Submission

NASTY = [
    *("<script>evil()</script>", "</script>", "<img src=x onerror=evil()>", "<svg onload=evil()>"),
    *("<svg><script>", "<b>", "[x](javascript:evil())", "[x]: javascript:evil()\n[x]"),
    *("<a href='java&#115;cript:evil()'>", "![x](data:text/html,x)", "<iframe srcdoc='<script>'>"),
    *("<style>@import 'x'", "<math><mtext><style><img src=x>", "<!--", "-->", "]]>", "<![CDATA["),
    *("<base href=//evil>", "<form action=//evil><button>", "<meta http-equiv=refresh content=0>"),
    *("<object data=x>", "<p/x='", "$$</div><script>evil()</script>$$", "$\\href{javascript:evil()}{x}$"),
    *("\\begin{x}<script>\\end{x}", "$", "$$", "\\(", "\ue0000\ue001", "\ue000", "`"),
    *("```html\n<script>\n```", "~~~", "~~~py\n</code></pre><script>", "|a|b|\n|-|-|\n|<i>|"),
    *("![x](attachment:a.png)", '![x](attachment:"><script>)'),
    *("<noscript><p title='</noscript><img src=x onerror=e()>'>", "# ", "> ", "- ", "\n", "\n\n", " ", "\0"),
    *("\x1b[31m", "&lt;script&gt;", "&#60;script>", '"', "'", ">", "<", "=", "x"),
    *("<details open ontoggle=evil()>", "<td background=javascript:e()>", "<textarea>", "</textarea>"),
    *("</pre>", "</title>"),
]
TEXTS = st.lists(st.sampled_from(NASTY) | st.text(max_size=6), max_size=8).map("".join)
MIME = ["text/html", "text/plain", "image/png", "image/svg+xml", "application/javascript"]
OUTPUTS = st.fixed_dictionaries(
    {"output_type": st.sampled_from(["stream", "display_data", "execute_result", "error", "widget"]) | JSON},
    optional={
        "name": st.sampled_from(["stdout", "stderr"]) | JSON,
        "text": TEXTS | st.lists(TEXTS) | JSON,
        "data": JSON | st.dictionaries(st.sampled_from(MIME), TEXTS | JSON),
        "ename": TEXTS | JSON,
        "evalue": TEXTS | JSON,
        "traceback": st.lists(TEXTS) | JSON,
    },
)
HTML = {
    *("html", "head", "body", "meta", "title", "style", "a", "header", "main", "section", "h1", "h2", "h3"),
    *("h4", "h5", "h6", "p", "strong", "em", "b", "i", "u", "s", "del", "small", "sub", "sup", "abbr"),
    *("code", "pre", "span", "div", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "dl"),
    *("dt", "dd", "aside", "img", "hr", "br", "blockquote", "details", "summary"),
}
MATH = {
    *("math", "semantics", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub"),
    *("msup", "msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded"),
    *("mphantom", "menclose", "merror", "mmultiscripts", "mprescripts", "none"),
}
HARMLESS = {"class", "id", "role", "scope", "lang", "charset", "content", "http-equiv", "name", "alt", "title", "align"}
HARMLESS |= {"tabindex", "colspan", "rowspan"}


def inert(page):
    """Asserts that a browser would find nothing in the page that runs, loads or sends."""
    tree = html5lib.parse(page, treebuilder="etree", namespaceHTMLElements=False)
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        tag, is_math = element.tag.rpartition("}")[2], "MathML" in element.tag
        assert tag in (MATH if is_math else HTML), tag
        for name, value in element.attrib.items():
            assert isinstance(name, str), name
            if name == "href":
                assert value.startswith(("#", "http://", "https://", "mailto:")), value
            elif name == "src":
                assert value.startswith("data:image/"), value
            elif is_math:
                assert not re.search("^on|href", name), name
            else:
                assert name in HARMLESS or name.startswith("aria-"), name
    assert len(tree.findall(".//style")) == 1
    assert len(tree.findall(".//meta")) == 5


def page_of(text, code, message, outputs, attachments):
    notebook = json.loads(json.dumps(solved()))
    for kind, source in {"markdown": text, "code": code, "raw": text}.items():
        notebook["cells"].append({"cell_type": kind, "metadata": {}, "source": source})
    notebook["cells"][-3]["attachments"] = attachments
    submission = Submission.read(json.dumps(notebook).encode(), assignment()).with_notes(message)
    finding = Finding(*[message] * 7)
    checks = [CheckVerdict(name, 0.0, most, "failed", finding) for name, most in assignment().checks.items()]
    results = [CellResult(cell.name, "error", outputs) for cell in submission.job(0).cells]
    verdict = Verdict("failed", 1, checks, results, [message, *submission.notes])
    checksums = dict.fromkeys(assignment().cells, "")
    graded = graded_notebook(submission, verdict, checksums)
    nbformat.validate(graded)
    reports = [CheckReport(check.cell, 0.0, check.max_points, "failed", message, finding) for check in checks]
    comments = {name: message for name in assignment().cells}
    report = Report("a<b>", assignment().name, "failed", 0.0, 4.5, 0.0, 0.0, reports, comments, [message])
    return to_page(graded, report)


BUNDLES = st.dictionaries(st.sampled_from(["image/png", "text/html"]), TEXTS)
ATTACHMENTS = st.dictionaries(TEXTS | st.just("a.png"), BUNDLES)


@fuzzed(20, text=TEXTS, code=TEXTS, message=TEXTS, outputs=st.lists(OUTPUTS, max_size=3), attachments=ATTACHMENTS)
def test_nothing_on_the_page_can_run(text, code, message, outputs, attachments):
    inert(page_of(text, code, message, outputs, attachments))


def test_nothing_nasty_alone_can_run_and_the_test_would_see_what_runs():
    for nasty in NASTY:
        inert(page_of(nasty, nasty, nasty, [{"output_type": "stream", "name": "stdout", "text": nasty}], {}))
    for page in ("<script>", "<p onclick=x>", "<a href='javascript:x'>", "<img src=//x>", "<style></style>" * 2):
        with pytest.raises(AssertionError):
            inert(page)


@fuzzed(80, outputs=st.lists(OUTPUTS | JSON, max_size=4) | JSON)
def test_any_outputs_become_text_and_pictures(outputs):
    for output in safe_outputs(outputs):
        nbformat.validate(output, ref="output", version=4)
        assert set(output.get("data", ())) <= {"text/plain", "image/png", "image/jpeg"}
        json.dumps(output).encode().decode("utf-8")


@fuzzed(100, text=TEXTS)
def test_plain_text_is_text_and_code_alone(text):
    fragment = html5lib.parseFragment(plain(text), treebuilder="etree", namespaceHTMLElements=False)
    assert {element.tag for element in fragment.iter()} <= {"DOCUMENT_FRAGMENT", "code"}
