import re
from html.parser import HTMLParser

import pytest
from graded_class import NAME, verdict

from autograder.__main__ import main
from autograder.report.class_page import code, decimal, page, visible
from autograder.report.classwork import classwork
from autograder.report.findings import findings

EVIL = "<script>alert(1)</script>"


class Tags(HTMLParser):
    """Elements with their attributes, ids, and every address that a browser would fetch or follow."""

    def __init__(self, text):
        super().__init__()
        self.names, self.ids, self.addresses, self.open = [], [], [], []
        self.headers, self.tables, self.captions = [], 0, 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.names.append(tag)
        self.ids += [values["id"]] if "id" in values else []
        self.addresses += [values[name] for name in ("src", "href", "xlink:href", "srcset", "data") if name in values]
        self.headers += [values.get("scope")] if tag == "th" else []
        self.tables += tag == "table"
        self.captions += tag == "caption"


@pytest.fixture
def built(graded):
    def built(**class_):
        output = graded(**class_)
        return page(findings(classwork(output, NAME)), output)

    return built


CLASS = {
    "ada": verdict([1, 1, 1], notes=["The file began with a byte order mark; it was left out."]),
    "ben": verdict([1, 0.5, 0], seconds=4.0),
    "cy": verdict([0, 1, 1]),
    "dee": verdict([0, 0, 0], "unreadable", notes=["The file is empty."]),
}


def test_the_page_fetches_nothing(built):
    text = built(**CLASS)
    tags = Tags(text)
    assert [a for a in tags.addresses if not a.startswith(("#", "data:", "../feedback/"))] == []
    assert not {"script", "iframe", "img", "object"} & set(tags.names)
    assert not re.search(r"@import|url\((?!#)", text)


def test_the_page_forbids_what_it_does_not_need(built):
    text = built(**CLASS)
    assert text.index("Content-Security-Policy") < text.index("<style")
    assert "default-src 'none'" in text


def test_ids_are_unique_and_names_resolve(built):
    text = built(**CLASS)
    ids = Tags(text).ids
    assert len(ids) == len(set(ids))
    references = re.findall(r'(?:url\(#|aria-labelledby="|href="#)([^")]+)', text)
    assert len(references) > 4
    assert set(references) <= set(ids)


def test_every_table_has_a_caption_and_scoped_headers(built):
    tags = Tags(built(**CLASS))
    assert tags.tables == tags.captions > 3
    assert set(tags.headers) == {"row", "col"}


def test_every_figure_is_named_in_words(built):
    text = built(**CLASS)
    named = re.findall(r'<svg role="img" aria-labelledby="(\w+)-title"[^>]*><title id="\1-title">([^<]{30,})', text)
    assert [name for name, _ in named] == ["scores", "outcomes", "quality", "times"]


def test_figures_take_the_pages_colours(built):
    text = built(**CLASS)
    assert "#00000" not in text
    assert text.count("var(--passed)") > 4


def test_hostile_names_and_messages_are_only_text(built):
    message = f"x: {EVIL} \u202e&; {EVIL}"
    evil = verdict([0, 0, 0], messages=[message] * 3, notes=[EVIL, "{{ 7*7 }}", "`<b>`"])
    text = built(**{"<img src=x onerror=alert(1)>": evil, "ben": verdict([1, 1, 1])})
    assert EVIL not in text
    assert "<img" not in text
    assert "<code><b></code>" not in text
    assert "{{ 7*7 }}" in text
    assert "\u202e" not in text


def test_a_student_is_linked_to_the_feedback_page(graded):
    output = graded(**{"ada #1": verdict([1, 1, 1])})
    folder = output / "feedback" / "ada #1" / NAME
    folder.mkdir(parents=True)
    (folder / f"{NAME}.html").write_text("")
    assert f'href="../feedback/ada%20%231/{NAME}/{NAME}.html"' in page(findings(classwork(output, NAME)), output)


def test_a_small_class_is_warned_of_and_a_large_one_is_not(built):
    large = {f"s{number:02d}": verdict([number % 2, number % 3 > 0, 1]) for number in range(40)}
    assert "Small class" in built(**CLASS)
    assert "Small class" not in built(**large)


def test_a_check_that_goes_against_the_others_is_marked(built):
    against = {f"s{number}": verdict([number < 5, number < 5, number >= 5]) for number in range(10)}
    text = built(**against)
    assert "◆ third" in text
    assert "look for a fault in the check" in text


def test_a_class_of_which_nothing_could_be_read_has_a_page(built):
    assert "nothing to say of the checks" in built(dee=CLASS["dee"])


def test_the_same_grades_give_the_same_page(built):
    assert built(**CLASS) == built(**CLASS)


def test_small_words():
    assert visible("a\nb\x00c\u202e") == "a b\ufffdc\ufffd"
    assert code("use `<x>` or `y") == "use `&lt;x&gt;` or `y"
    assert code("use `<x>`") == "use <code>&lt;x&gt;</code>"
    assert (decimal(-0.5), decimal(float("nan")), decimal(2, 0)) == ("−0.50", "–", "2")


def test_the_command_writes_a_page_and_says_where(graded, capsys):
    output = graded(**CLASS)
    assert main(["report", "--output", str(output)]) == 0
    assert capsys.readouterr().out == f"{output}/report/{NAME}.html  4 submissions, 3 checks; look at 1 yourself\n"
    assert "class report" in (output / "report" / f"{NAME}.html").read_text()


def test_the_command_prints_json_and_writes_nothing(graded, capsys):
    import json

    output = graded(**CLASS)
    assert main(["report", "--output", str(output), "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)["assignments"]
    assert record["statuses"] == {"failed": 2, "ok": 1, "unreadable": 1}
    assert not (output / "report").exists()


def test_a_wrong_folder_is_one_line_and_status_2(tmp_path, capsys):
    assert main(["report", "--output", str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
