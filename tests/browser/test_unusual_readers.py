"""Pages for readers whose browser lacks what most have: scripts, storage, a mouse, the author's spacing."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from visits import PHONE, NewPage, Open

NO_STORE = "IDBFactory.prototype.open = () => { throw new DOMException('denied', 'SecurityError'); };"
NOTHING_KEPT = "Nothing can be noted here"
# What a reader with dyslexia may set; every page must bear it (WCAG 2.2, 1.4.12).
SPACED = "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }"
RING = """element => ["outlineStyle", "boxShadow"].some(part => getComputedStyle(element)[part] !== "none")"""


def test_without_javascript_the_first_page_has_a_still_picture_and_speaks_of_no_other(new_page: NewPage, html: Path):
    page = new_page(viewport=PHONE, java_script_enabled=False)
    page.goto(f"{html.as_uri()}/book/index.html")
    figure = page.locator("#fig-index-live")
    picture = figure.get_by_role("img")
    assert "zone looks at area (0.9" in picture.get_attribute("aria-label")
    assert picture.bounding_box()["width"] > 200
    assert "models in your browser translate any sentence" in figure.inner_text()
    text = page.locator(".bd-article").inner_text()
    assert not re.search(r"\b(your own sentence|watch it|slider|press|drag)\b", text, re.IGNORECASE)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("index.html #fig-index-forming", "This picture needs JavaScript"),
        ("03_bottleneck.html figure:has(> script)", "This picture needs JavaScript"),
        ("progress.html .bd-article", NOTHING_KEPT),
    ],
)
def test_without_javascript_what_cannot_be_shown_is_said(new_page: NewPage, html: Path, place: str, words: str):
    page = new_page(java_script_enabled=False)
    name, part = place.split(" ", 1)
    page.goto(f"{html.as_uri()}/book/{name}")
    assert words in page.locator(part).first.inner_text()  # `expect` skips what stands in a noscript


def test_a_browser_that_keeps_nothing_is_not_said_to_keep_it(new_page: NewPage, html: Path, tmp_path: Path):
    page = new_page()
    page.add_init_script(NO_STORE)
    page.goto(f"{html.as_uri()}/book/progress.html")
    expect(page.get_by_text(NOTHING_KEPT)).to_be_visible()
    expect(page.locator("[data-read='00_start']")).to_have_text("not yet")
    record = tmp_path / "learn-progress.json"
    record.write_text('{"05_scorers.ipynb": {"tasks": [{"state": "done"}]}}')
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose learn-progress.json").click()
    chooser.value.set_files(record)
    expect(page.locator("[data-progress-actions] [role=status]")).to_contain_text(NOTHING_KEPT)


@pytest.mark.parametrize(
    "place", [".btn-slides", ".dropdown-toggle", ".primary-toggle", ".toggle-button", ".current > a"]
)
def test_the_keyboard_is_seen_where_it_is(visit: Open, place: str):
    page = visit("book/03_bottleneck").page
    control = page.locator(place).locator("visible=true").first
    page.keyboard.press("Shift")  # from now on the browser shows where the keyboard is
    control.focus()
    assert control.evaluate(RING)
    page.keyboard.press("Escape")


@pytest.mark.parametrize("name", ["book/07_bahdanau", "book/08_luong", "book/progress"])
def test_wide_letters_leave_a_page_as_wide_as_the_smallest_phone(new_page: NewPage, html: Path, name: str):
    page = new_page(viewport={**PHONE, "width": 320})
    page.goto(f"{html.as_uri()}/{name}.html")
    page.add_style_tag(content=SPACED)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
