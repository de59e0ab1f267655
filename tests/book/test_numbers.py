"""No measured number is typed by hand, and what is quoted from papers stands in one table."""

import re
from decimal import ROUND_HALF_UP, Decimal

import pytest
from course.exercises import every

from book.numbers import NUMBER, SMALL, value
from book.prose import BOOK, ROOT, pages
from book.sources import Page, constants, paper_rows

PAGES = {path.stem: Page(path) for path in pages()}
ANY = re.compile(rf"{NUMBER.pattern}|\b(?:{'|'.join(SMALL)})\b", re.IGNORECASE)
CITED = re.compile(r"\{cite(?::\w+)?\}`([\w,]+)`")
BOX = re.compile(r"^```\{assignment\} (\w+)\n(\w+) tasks and a question to answer in words, (\d+) points", re.MULTILINE)


def words(name: str) -> str:
    return "\n".join(line.bare for line in PAGES[name].lines)


def test_every_number_is_a_result_or_its_source_is_known() -> None:
    unknown = [
        f"{line}: {numbers}" for page in PAGES.values() for line in page.lines if (numbers := page.unknown(line))
    ]
    assert not unknown, "\n".join(unknown)


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("It was right in 37 of all sentences.", ["37"]),
        ("After 500 steps it is 12 BLEU better, or 3%.", ["12", "3%"]),
        ("It takes twice as long, and half as many steps.", ["twice as", "half as"]),
        ("In five of six runs it wins, in a third of the time.", ["five of six", "a third of"]),
        ("That took four hours; “guarded by three seeds”.", ["four hours"]),
        ("Two networks and seven words, as in chapter 7 and equation 12.", []),
        ("{cite:t}`luong2015` trained for 500 steps.", ["500"]),
        ("All of {result}`length_curve:settings.test_pairs` are 1.", []),
        ("- [ ] About 80 BLEU.", []),
    ],
)
def test_a_typed_number_is_found(tmp_path, text, unknown) -> None:
    path = tmp_path / "page.md"
    path.write_text(f'{text}\n\n```{{code-cell}} python3\nsteps = 500\nassert steps  # "three seeds"\n```\n')
    page = Page(path)
    assert [number for line in page.lines for number in page.unknown(line)] == unknown


def test_what_an_assertion_quotes_stands_on_the_page() -> None:
    assert sum(len(page.quotes) for page in PAGES.values()) > 40
    gone = [
        (name, quote)
        for name, page in PAGES.items()
        for quote in page.quotes
        if quote.lower() not in words(name).lower()
    ]
    assert not gone


def test_every_constant_is_used() -> None:
    text = "\n".join(map(words, PAGES))
    assert [pattern.pattern for pattern in constants() if not re.search(pattern.pattern, text, re.MULTILINE)] == []


@pytest.mark.parametrize("row", paper_rows(), ids=lambda row: f"{row.page}-{row.paper}")
def test_a_row_of_papers_is_quoted_with_its_values_beside_its_paper(row) -> None:
    quoting = [line for line in PAGES[row.page].lines if row in PAGES[row.page].rows(line)]
    assert quoting
    for line in quoting:
        cited = {key for keys in CITED.findall(line.text) for key in keys.split(",")}
        assert row.paper in (cited or {key for keys in CITED.findall(PAGES[row.page].text) for key in keys.split(",")})
    numbers = [number[0] for number in ANY.finditer(row.says)]
    assert len(numbers) == len(row.values), numbers
    for number, exact in zip(map(value, numbers), row.values, strict=True):
        assert number == Decimal(str(exact)).quantize(number, ROUND_HALF_UP)
    assert f"{{{row.paper}," in (BOOK / "references.bib").read_text(encoding="utf-8")


def test_the_box_of_an_exercise_counts_its_tasks_and_points() -> None:
    exercises = every(ROOT)
    boxes = [box for page in PAGES.values() for box in BOX.findall(page.text)]
    assert len(boxes) == len(exercises) - 1  # of the capstone no page gives the points
    for name, tasks, points in boxes:
        in_code = [task for task in exercises[name].tasks.values() if not task.in_words]
        assert (value(tasks), int(points)) == (len(in_code), exercises[name].points), name
