"""The pages of the short way as slides: whole, walked by keys, live, printed, asking nobody else for anything."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader
from visits import FRAMES, NewPage, Visit, one_in_three, spoken, violations

from book.contents import short_way

DECKS = short_way()
IMPACTS = ("minor", "moderate", "serious", "critical")
LEFT = """() => [...document.querySelectorAll("article :is(figure, table[id], .course-predict, .math[id])")]
    .filter(thing => !thing.closest("details, .exercise, .solution")).map(thing => thing.id)"""
AMISS = """() => {
    const [slide, page] = [Reveal.getCurrentSlide(), document.querySelector(".reveal").getBoundingClientRect()];
    const [room, content] = [slide.querySelector(".slide-room"), slide.querySelector(".slide-content")];
    const [around, inside] = [room.getBoundingClientRect(), content.getBoundingClientRect()];
    const scrolls = room.scrollHeight > room.clientHeight + 1 && !slide.querySelector("live-translation, .cw");
    const amiss = {
        "no heading": !slide.querySelector("h1, h2").innerText.trim(),
        "nothing is shown": !inside.width || !inside.height,
        "too wide": inside.left < around.left - 1 || inside.right > around.right + 1,
        "too high": scrolls || around.bottom > page.bottom + 1 || slide.scrollHeight > 721,
        "too small": inside.width / content.offsetWidth < 0.65,
    };
    return Object.keys(amiss).filter(name => amiss[name]).map(name => `${slide.innerText.slice(0, 40)}: ${name}`);
}"""
NUMBER = "() => Reveal.getState().indexh"
Deck = Callable[..., Visit]


@pytest.fixture
def deck(new_page: NewPage, html: Path) -> Deck:
    """Opens the slides of a page as a projector shows them: ``deck("book/05_scorers", "dark")``."""

    def opened(name: str, mode: str = "light", more: str = "") -> Visit:
        look = {"viewport": {"width": 1280, "height": 720}, "color_scheme": mode, "reduced_motion": "reduce"}
        visit = Visit(new_page(**look)).load(f"{html.as_uri()}/{name}.html?slides{more}")
        visit.page.wait_for_function("() => window.Reveal?.isReady()")
        return visit

    return opened


@one_in_three(DECKS)
def test_each_slide_fits_and_arrows_walk_through_all_that_the_page_shows(deck: Deck, name: str) -> None:
    opened = deck(name, ("light", "dark")[DECKS.index(name) % 2])
    page, amiss = opened.page, []
    assert page.evaluate(LEFT) == []
    count = page.evaluate("() => Reveal.getTotalSlides()")
    assert count >= 3
    for number in range(count):
        assert page.evaluate(NUMBER) == number
        if page.locator("section.present live-translation").count():
            page.wait_for_selector("section.present .lt-said")
        page.evaluate(FRAMES)
        amiss += page.evaluate(AMISS)
        if number % 6 == 1:
            amiss += violations(page, IMPACTS)
        page.keyboard.press("ArrowRight")
    assert amiss == []
    assert opened.complaints == opened.failures == opened.asked_elsewhere() == []
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(NUMBER) == count - 2


def test_on_a_slide_widgets_and_questions_work_and_keys_within_them_stay_there(deck: Deck) -> None:
    page = deck("book/05_scorers", more="#/fig-score-size").page
    widget = page.locator("section.present .cw")
    number, before = page.evaluate(NUMBER), spoken(widget)
    assert number > 5
    widget.get_by_role("slider").first.press("ArrowRight")
    expect(widget.locator(".cw-spoken")).not_to_have_text(before)
    assert page.evaluate(NUMBER) == number
    page.evaluate("() => Reveal.slide(1)")
    option = page.locator("section.present .predict-option").nth(2)
    option.locator("summary").press("Enter")
    expect(option.locator(".predict-verdict")).to_be_visible()
    page.evaluate(FRAMES)
    assert page.evaluate(AMISS) == []
    assert page.evaluate(NUMBER) == 1


def test_the_speaker_sees_the_sections_prose_with_formulas_as_mathml(deck: Deck) -> None:
    page = deck("book/00_start").page
    page.evaluate("() => Reveal.slide(2)")
    notes = page.locator("section.present .notes")
    assert "the decoder may look back" in notes.text_content()
    assert page.locator(".notes math").count() > 5
    assert page.locator(".notes mjx-container").count() == 0
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    expect(popup.value.locator(".speaker-controls-notes .value")).to_contain_text("may look back")


def test_a_deck_is_printed_with_a_slide_on_each_page_and_the_page_leads_to_it(
    deck: Deck, html: Path, tmp_path: Path
) -> None:
    page = deck("book/06_masking", more="&print-pdf").page
    page.wait_for_selector(".pdf-page")
    page.evaluate(FRAMES)
    page.pdf(path=tmp_path / "deck.pdf", prefer_css_page_size=True)
    printed = PdfReader(tmp_path / "deck.pdf").pages
    assert len(printed) == page.evaluate("() => Reveal.getTotalSlides()")
    assert "Zero is not low" in printed[1].extract_text()
    assert 'href="06_masking.html?slides"' in (html / "book" / "06_masking.html").read_text(encoding="utf-8")
