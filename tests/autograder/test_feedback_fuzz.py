"""Whatever a learner writes, the page shows it and runs none of it."""

from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st
from nbconvert.filters import markdown2html
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from test_feedback_report import make

from autograder.finding import Finding
from autograder.gradebook.feedback import to_page
from autograder.gradebook.html import prose_to_html
from autograder.gradebook.learner_report import CheckReport
from autograder.gradebook.markdown import to_markdown

PIECES = [
    *(
        "<",
        ">",
        "/",
        "=",
        '"',
        "'",
        "`",
        "```",
        "$",
        "$$",
        "\\",
        "\n",
        " ",
        "#",
        "*",
        "_",
        "[",
        "]",
        "(",
        ")",
        "!",
        "&",
        ";",
    ),
    *("script", "img", "svg", "math", "style", "iframe", "src", "href", "onerror", "onload", "javascript:", "data:"),
    *(
        "text/html",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "\\text{",
        "}",
        "\\begin{a}",
        "\\end{a}",
        "&lt;",
        "&#60;",
        "|",
        "-",
    ),
    *(
        "https://x.example/y",
        "attachment:a",
        "</code>",
        "</pre>",
        "</style>",
        "</title>",
        "</textarea>",
        "\ue0000\ue001",
        "é",
    ),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
INERT = {"class", "id", "title", "align", "alt", "scope", "role", "tabindex", "lang", "aria-label", "aria-labelledby"}
MATHS = {
    "xmlns",
    "display",
    "stretchy",
    "fence",
    "form",
    "separator",
    "mathvariant",
    "lspace",
    "rspace",
    "width",
    "height",
}
MATHS |= {
    "columnalign",
    "displaystyle",
    "scriptlevel",
    "accent",
    "notation",
    "movablelimits",
    "linethickness",
    "largeop",
}
MATHS |= {"columnspacing", "rowspacing", "maxsize", "minsize", "symmetric", "mathsize", "depth", "voffset", "mathcolor"}


class Seen(HTMLParser):
    """Collects what of a page could act."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.acting: list[object] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "iframe", "object", "embed", "form", "svg", "link", "base", "video", "audio", "input"):
            self.acting.append(tag)
        for name, value in attributes:
            value = (value or "").strip().lower()
            link = tag == "a" and name == "href" and value.startswith(("http://", "https://", "mailto:", "#"))
            picture = tag == "img" and name == "src" and value.startswith("data:image/")
            if not (link or picture or name in INERT or name in MATHS or name == "aria-hidden"):
                self.acting.append((tag, name, value))


@settings(max_examples=500, deadline=None)
@given(TEXTS)
def test_no_markdown_acts(text):
    assert Seen(prose_to_html(text)).acting == []


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
def test_no_page_acts_and_none_is_cut_off(source, output, message):
    cell = new_code_cell(source, outputs=[new_output("stream", text=output)])
    notebook = new_notebook(cells=[cell, new_markdown_cell(source)])
    finding = Finding(what=message, got=output, expected=source, why=message)
    checks = [CheckReport("one", 0, 2, "failed", source, finding)]
    page = to_page(notebook, make(checks=checks, notes=[message], comments={"one": output}, student=source))
    body = page.split("<body>", 1)[1]
    assert Seen(body).acting == []
    assert page.endswith("</main>\n</body>\n</html>")


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS)
def test_no_report_in_markdown_acts(got, note):
    checks = [CheckReport("one", 0, 2, "failed", note, Finding(what=got, got=got, expected=note, why=got))]
    rendered = markdown2html(to_markdown(make(checks=checks, notes=[note], comments={"one": got})))
    assert [one for one in Seen(rendered).acting if not str(one[2]).startswith("text-align:")] == []
