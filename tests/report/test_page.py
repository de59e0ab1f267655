import json
import re

import pytest
from bs4 import BeautifulSoup
from graded_class import NAME, VERDICTS, verdict

from autograder.__main__ import main
from autograder.report.class_page import page
from autograder.report.class_report import class_report
from autograder.report.classwork import classwork

EVIL = "<script>alert(1)</script>"
ADDRESSES = ("src", "href", "xlink:href", "srcset", "data")


@pytest.fixture(scope="session")
def text(whole_class):
    return page(class_report(classwork(whole_class, NAME)), whole_class)


@pytest.fixture
def built(graded):
    def built(**class_):
        output = graded(**class_)
        return page(class_report(classwork(output, NAME)), output)

    return built


def test_the_page_fetches_nothing_forbids_what_it_does_not_need_and_its_names_resolve(text):
    soup = BeautifulSoup(text, "html.parser")
    addresses = [tag[name] for tag in soup.find_all(True) for name in ADDRESSES if tag.has_attr(name)]
    assert [address for address in addresses if not address.startswith(("#", "data:", "../feedback/"))] == []
    assert soup.find_all(["script", "iframe", "img", "object"]) == []
    assert not re.search(r"@import|url\((?!#)", text)
    assert text.index("Content-Security-Policy") < text.index("<style")
    assert "default-src 'none'" in text
    ids = [tag["id"] for tag in soup.find_all(id=True)]
    assert len(ids) == len(set(ids))
    references = re.findall(r'(?:url\(#|aria-labelledby="|href="#)([^")]+)', text)
    assert len(references) > 4
    assert set(references) <= set(ids)


def test_tables_have_captions_and_scoped_headers_and_figures_words_and_the_pages_colours(text):
    soup = BeautifulSoup(text, "html.parser")
    assert len(soup.find_all("table")) == len(soup.find_all("caption")) > 3
    assert {header.get("scope") for header in soup.find_all("th")} == {"row", "col"}
    named = re.findall(r'<svg role="img" aria-labelledby="(\w+)-title"[^>]*><title id="\1-title">([^<]{30,})', text)
    assert [name for name, _ in named] == ["scores", "outcomes", "quality", "times"]
    assert "#00000" not in text
    assert text.count("var(--passed)") > 4


def test_who_awaits_a_manual_grade_is_one_folded_row_the_last_with_names_and_a_count(built, text):
    class_ = {f"s{number:02d}": verdict([1, 1, 1]) for number in range(30)}
    soup = BeautifulSoup(built(**class_, dee=VERDICTS["dee"], manual=list(class_)), "html.parser")
    rows = [row.get_text(" ", strip=True) for row in soup.find("table").find_all("tr")[1:]]
    assert [row[:24] for row in rows] == ["1 could not be read: The", "30 needs a manual grade."]
    assert "and 24 more" in rows[1]
    lists = [" ".join(element.text.split()) for element in BeautifulSoup(text, "html.parser").find_all(class_="list")]
    assert lists[0].endswith("No code written, whatever was answered in words: omar")
    assert lists[1].endswith("nothing handed in: max Max Weber")


def test_hostile_names_and_messages_are_only_text_and_a_student_is_linked_to_the_feedback_page(graded):
    message = f"x: {EVIL} \u202e&; {EVIL}"
    evil = verdict([0, 0, 0], messages=[message] * 3, notes=[EVIL, "{{ 7*7 }}", "`<b>`"])
    output = graded(**{"<img src=x onerror=alert(1)>": evil, "ada #1": verdict([1, 1, 1])})
    (output / "feedback" / "ada #1" / NAME).mkdir(parents=True)
    (output / "feedback" / "ada #1" / NAME / f"{NAME}.html").touch()
    text = page(class_report(classwork(output, NAME)), output)
    assert f'href="../feedback/ada%20%231/{NAME}/{NAME}.html"' in text
    assert [words for words in (EVIL, "<img", "<code><b></code>", "\u202e") if words in text] == []
    assert "{{ 7*7 }}" in text


def test_a_small_class_is_warned_of_an_unreadable_one_has_a_page_and_a_check_against_the_others_is_marked(text, built):
    large = {f"s{number:02d}": verdict([number % 2, number % 3 > 0, 1]) for number in range(40)}
    assert "Small class" in text
    assert "Small class" not in built(**large)
    assert "nothing to say of the checks" in built(dee=VERDICTS["dee"])
    against = built(**{f"s{number}": verdict([number < 5, number < 5, number >= 5]) for number in range(10)})
    assert "◆ third" in against
    assert "look for a fault in the check" in against


def test_the_command_prints_json_or_writes_the_same_page_each_time_and_says_where(graded, capsys):
    output = graded(**{name: VERDICTS[name] for name in ("ada", "ben", "cy", "dee")})
    assert main(["report", "--output", str(output), "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)["assignments"]
    assert record["statuses"] == {"failed": 2, "ok": 1, "unreadable": 1}
    assert not (output / "report").exists()
    pages = []
    for _ in range(2):
        assert main(["report", "--output", str(output)]) == 0
        line = f"{output}/report/{NAME}.html  4 submissions, 3 checks; look at 1 yourself\n"
        assert capsys.readouterr().out == line
        pages.append((output / "report" / f"{NAME}.html").read_text())
    assert "class report" in pages[0]
    assert pages[0] == pages[1]
    assert main(["report", "--output", str(output / "nowhere")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
