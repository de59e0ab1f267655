from html.parser import HTMLParser

import pytest
from jinja2 import Environment
from nbconvert import HTMLExporter
from nbformat.v4 import new_markdown_cell, new_notebook

from autograder.gradebook.formgrader import markdown_to_html
from autograder.settings import settings


class Tags(HTMLParser):
    """Elements, names of attributes, and where links lead."""

    def __init__(self, text):
        super().__init__()
        self.names, self.attributes, self.addresses = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.names.append(tag)
        self.attributes += [name for name, _ in attributes]
        self.addresses += [value for name, value in attributes if name == "href"]


@pytest.fixture
def shown():
    """Markdown as formgrader's page has it."""
    environment = Environment()
    environment.filters["markdown2html"] = markdown_to_html
    template = environment.from_string("{{ cell.source | markdown2html }}")
    return lambda source: template.render(cell=new_markdown_cell(source))


@pytest.mark.parametrize(
    "source",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        '<a href=" javascript:alert(1)">a</a>',
        "<style>body{display:none}</style>",
        '<a href="#" onclick="alert(1)">a</a>',
        '<a>x" onclick="alert(1)</a>',
        "<iframe src=//example.org></iframe>",
        "![a](https://example.org/who-opened-this.png)",
    ],
)
def test_nothing_that_runs_or_is_fetched_gets_through(shown, source):
    tags = Tags(shown(source))
    assert not {"script", "style", "iframe", "img", "svg"} & set(tags.names)
    assert set(tags.attributes) <= {"href", "alt", "title"}
    assert all(address.startswith(("#", "https://")) for address in tags.addresses)


def test_the_summarys_links_to_its_checks_stay(shown):
    assert '<a href="#double_right">double_right</a>' in shown("| [double_right](#double_right) | 1 |\n|--|--|\n")


def test_formulas_are_mathml(shown):
    assert "<math" in shown("so $a_t = 1$ holds")


def test_the_courses_settings_put_it_into_nbconverts_exporter(tmp_path):
    exporter = HTMLExporter(config=settings(tmp_path, tmp_path))
    body, _ = exporter.from_notebook_node(new_notebook(cells=[new_markdown_cell("<b onclick='evil()'>bold</b>")]))
    assert "<b>bold</b>" in body
    assert "evil" not in body
