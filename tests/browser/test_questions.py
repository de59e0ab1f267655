"""Every question of every page: each option opens and says why; the first answer is kept and shown in the table.

Pages that are open beside each other keep all answers, and the table shows them as they come.
"""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from visits import HTML, NewPage

from book.contents import parts
from book.prose import BOOK, PREDICTION

ASKED = {
    name: [label for _, label in labels]
    for part in ("The short way", "Further", "Studies")
    for name in (page.rpartition("/")[2] for page in parts()[part])
    if (labels := PREDICTION.findall((BOOK / f"{name}.md").read_text(encoding="utf-8")))
}
ANSWERED = """() => [...document.querySelectorAll(".course-predict")].map(box => {
    const options = [...box.querySelectorAll(".predict-option")];
    const closed = options.every(option => !option.open);
    for (const option of options) option.querySelector("summary").click();
    return {label: box.id, closed, verdicts: options.map(option => option.dataset.verdict),
        reasons: options.map(option => option.querySelector("div p").innerText.trim()),
        shown: options.every(option => option.querySelector("div").checkVisibility())};
})"""
PATIENCE = 120_000  # milliseconds


@pytest.fixture
def windows(new_page: NewPage):
    """So many pages of one browser, side by side."""

    def opened(count: int) -> list[Page]:
        context = new_page().context
        context.set_default_timeout(PATIENCE)
        context.route("**/vendor/**", lambda route: route.abort())  # formulas and fonts: not asked for here
        return [*context.pages, *(context.new_page() for _ in range(1, count))]

    return opened


def choose_file(page: Page, path: Path) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose learn-progress.json").click()
    chooser.value.set_files(path)


def all_answered(table: Page, name: str) -> None:
    row = table.locator("tr", has=table.locator(f"[data-read='{name}']"))
    expect(row).to_contain_text(f"{len(ASKED[name])} of {len(ASKED[name])} answered", timeout=PATIENCE)


@pytest.mark.parametrize("names", [list(ASKED)[::3], pytest.param(list(ASKED), marks=pytest.mark.long("every page"))])
def test_every_question_tells_why_and_the_first_answers_stand_in_the_table(windows, tmp_path, names):
    page, table = windows(2)
    table.goto(f"{HTML.as_uri()}/book/progress.html", wait_until="domcontentloaded")
    assert len(ASKED) >= 10
    for name in names:
        page.goto(f"{HTML.as_uri()}/book/{name}.html", wait_until="domcontentloaded")
        answers = page.evaluate(ANSWERED)
        assert [answer["label"] for answer in answers] == ASKED[name]
        for answer in answers:
            assert answer["closed"], answer
            assert answer["shown"], answer
            assert answer["verdicts"].count("right") == 1, answer
            assert len(answer["verdicts"]) >= 2, answer
            assert all(answer["reasons"]), answer
        all_answered(table, name)  # before the page is left: its database may still be opening
    page.goto(f"{HTML.as_uri()}/book/progress.html", wait_until="domcontentloaded")
    for name in names:
        all_answered(page, name)
    assert not page.get_by_text("Nothing can be noted").is_visible()
    assert page.locator(".progress-page table").evaluate("table => table.scrollHeight <= table.clientHeight")
    other = tmp_path / "grades.json"
    other.write_text("[1, 2]")
    choose_file(page, other)
    page.get_by_text("grades.json is not what").wait_for()
    record = tmp_path / "learn-progress.json"
    tasks = [{"title": "a", "state": "done", "points": 1}, {"title": "b", "state": "to do", "points": 1}]
    record.write_text(json.dumps({"05_scorers.ipynb": {"tasks": tasks}}))
    choose_file(page, record)
    page.get_by_text("Read: the table shows").wait_for()
    assert "1 of 2 tasks" in page.locator("[data-exercise='05_scorers']").inner_text()
    page.get_by_role("button", name="Forget all").click()
    page.get_by_text("Forgotten.").wait_for()
    assert page.locator("[data-exercise='05_scorers']").inner_text() == "not yet"


def test_pages_side_by_side_keep_all_answers(windows):
    names = list(ASKED)[:3]
    table, *pages = windows(1 + len(names))
    for page, name in zip((table, *pages), ("progress", *names), strict=True):
        page.goto(f"{HTML.as_uri()}/book/{name}.html", wait_until="domcontentloaded")
    for page in pages:  # one right after the other, as a reader with two windows may
        page.evaluate(ANSWERED)
    for name in names:
        all_answered(table, name)
