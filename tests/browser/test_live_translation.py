"""The reader's own sentence, translated in a bare page: by mouse, touch and keyboard, from disk and from a server."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from servers import served
from visits import TOO_SMALL, TRANSLATED, Visit, violations, write_live

Open = Callable[..., Page]


def panel(page: Page, title: str = "Bahdanau") -> Locator:
    """Both parts of a model: its translation, and its steps."""
    return page.get_by_role("region", name=title)


def shown(page: Page, title: str = "Bahdanau") -> str:
    return "\n".join(panel(page, title).all_inner_texts())


def translation(page: Page, title: str = "Bahdanau") -> str:
    """The translation; a line that shows what has changed by hand is not part of it."""
    return " ".join(panel(page, title).get_by_role("option").evaluate_all("all => all.map(word => word.textContent)"))


def field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Your English sentence")


def say(page: Page, text: str) -> None:
    field(page).fill(text)
    page.wait_for_function(
        """words => {
            const heads = [...document.querySelectorAll(".lt-weights thead th")].map(head => head.innerText);
            return words.every((word, place) => heads[place] === word) && heads.length === words.length + 1;
        }""",
        arg=text.lower().split(),
    )


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_nothing_is_loaded_before_the_reader_comes_near_and_nobody_else_is_asked(
    open_in: Callable[..., Visit], live_folder: Path, scheme: str
):
    path = write_live(live_folder, "every_step", "bahdanau", above=6000)
    with served(live_folder) as address:
        visit = open_in("light", path.as_uri() if scheme == "file" else f"{address}/{path.name}")
        before = {Path(url).name for url in visit.addresses}
        visit.page.locator("live-translation").scroll_into_view_if_needed()
        visit.page.wait_for_function(TRANSLATED)
    after, models = {Path(url).name for url in visit.addresses}, {"bahdanau.js", "every_step.js"}
    assert before & {"start.js", "live.js", "live.css", *models} == {"start.js"}
    assert after >= {"live.js", "live.css", *models}
    assert "luong_bilinear.js" not in after
    assert translation(visit.page, "Fixed vector") == translation(visit.page) == "le vieux chat dort . <eos>"
    assert visit.complaints == visit.failures == visit.asked_elsewhere(address) == []


def test_words_are_offered_and_taken_by_keyboard_and_the_translation_is_read_out(live: Open):
    page = live("bahdanau")
    assert page.locator("[aria-live=polite]").inner_text() == ""
    text = field(page)
    text.fill("")
    text.press_sequentially("the gar")
    offers = page.get_by_role("listbox", name="Words that the models know")
    options = offers.get_by_role("option")
    assert options.all_inner_texts() == ["garden", "gardens"]
    assert text.get_attribute("aria-expanded") == "true"
    text.press("ArrowDown")
    assert options.first.get_attribute("aria-selected") == "true"
    assert text.get_attribute("aria-activedescendant") == options.first.get_attribute("id")
    text.press("Enter")
    assert text.input_value() == "the garden "
    assert text.get_attribute("aria-expanded") == "false"
    text.press_sequentially("is o")
    text.press("Escape")
    assert not offers.is_visible()
    assert text.input_value() == "the garden is o"
    page.get_by_role("group", name="Try").get_by_role("button", name="my mother's house is white").click()
    assert translation(page) == "la maison de ma mère est blanche . <eos>"
    expect(page.locator("[aria-live=polite]")).to_have_text("Bahdanau: la maison de ma mère est blanche .")


def test_longer_sentences_are_forgotten_by_the_vector_alone_and_a_forbidden_word_is_allowed_again(live: Open):
    page = live("every_step", "bahdanau")
    region = panel(page, "Fixed vector")
    region.get_by_role("option").nth(2).click()
    region.get_by_role("button", name="chat ").first.click()
    assert "chat" not in translation(page, "Fixed vector").split()
    assert region.get_by_role("button", name=re.compile("^chat forbidden.*allow it again")).is_visible()
    region.get_by_role("button", name="Undo").click()
    assert translation(page, "Fixed vector") == "le vieux chat dort . <eos>"
    assert not region.get_by_role("button", name="Undo").is_visible()
    for _ in range(6):
        page.get_by_role("button", name="Make it longer").click()
    assert "Word for word the reference." in shown(page)
    assert "Departs from the reference at word" in shown(page, "Fixed vector")
    assert panel(page, "Fixed vector").locator(".lt-departs").count() > 10
    assert panel(page).locator(".lt-departs").count() == 0


def test_the_table_is_a_grid_and_a_step_is_chosen_by_arrow_keys(live: Open):
    page = live("bahdanau")
    grid, words = panel(page).get_by_role("grid"), panel(page).get_by_role("option")
    assert grid.get_by_role("columnheader").all_inner_texts()[-5:] == ["the", "old", "cat", "sleeps", "."]
    assert grid.get_by_role("rowheader").all_inner_texts()[:2] == ["le", "vieux"]
    assert grid.locator("[tabindex='0']").count() == 1
    panel(page).locator("tbody tr").nth(2).locator("td").nth(2).hover()
    readout = panel(page).locator(".lt-readout").inner_text()
    assert re.match(r"“chat” to “cat”: score .*weight (0\.9|1\.00)", readout)
    words.first.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert words.nth(2).get_attribute("aria-selected") == "true"
    assert words.nth(2).evaluate("word => word === document.activeElement")
    assert "Step 3 of 6: reads “vieux”, looks most at “cat”" in shown(page)
    assert panel(page).locator("tbody tr").nth(2).get_attribute("aria-current") == "step"
    page.keyboard.press("End")
    assert "Step 6 of 6" in shown(page)
    assert not panel(page).locator(".lt-strip").count()
    panel(page).locator("summary", has_text="What the numbers look like").press("Enter")
    expect(panel(page).locator(".lt-states li")).to_have_count(5)
    label = panel(page).locator(".lt-states svg").first.get_attribute("aria-label")
    assert label.startswith("The state of “the”, 128 numbers")


HANDS = {"light": lambda cell: cell.press("Enter"), "dark": Locator.click, "phone": Locator.tap}


@pytest.mark.parametrize("mode", HANDS)
def test_a_pinned_weight_changes_the_translation_and_is_let_go(live: Open, mode: str):
    page, press = live("bahdanau", mode=mode), HANDS[mode]
    cell, plain = panel(page).locator("tbody tr").nth(2).locator("td").nth(3), translation(page)
    press(cell)  # chooses the step
    assert panel(page).locator(".lt-pinned").count() == 0
    press(cell)
    assert cell.inner_text().startswith("1.00")
    assert "lt-pinned" in cell.get_attribute("class")
    assert translation(page) != plain == "le vieux chat dort . <eos>"
    assert "looks most at “sleeps” (1.00)" in shown(page)
    press(cell)
    assert translation(page) == plain


def test_a_beam_shows_its_hypotheses(live: Open):
    page = live("bahdanau")
    page.get_by_role("combobox", name="Search").select_option("beam")
    page.get_by_role("slider", name="Beam size").fill("3")
    hypotheses = panel(page).get_by_role("group", name="Hypotheses").get_by_role("button")
    assert hypotheses.count() == 3
    assert hypotheses.first.inner_text().startswith("le vieux chat dort .")
    hypotheses.nth(1).press("Enter")
    assert hypotheses.nth(1).get_attribute("aria-pressed") == "true"
    assert translation(page) == hypotheses.nth(1).locator("span").first.inner_text() + " <eos>"


@pytest.mark.parametrize("mode", ["smallest", "dark"])
def test_axe_finds_nothing_controls_can_be_hit_and_a_long_sentence_fits(live: Open, mode: str):
    page = live("every_step", "bahdanau", mode=mode)
    say(page, "the gardin is big")
    page.get_by_role("combobox", name="Search").select_option("beam")
    panel(page).locator("summary", has_text="What the numbers look like").click()
    field(page).press_sequentially(" ga")
    assert violations(page, ("minor", "moderate", "serious", "critical")) == []
    assert page.evaluate(TOO_SMALL) == []
    say(page, "the old cat sleeps")
    for _ in range(7):
        page.get_by_role("button", name="Make it longer").click()
    assert panel(page).locator("tbody tr").count() > 40
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_a_model_that_is_missing_is_said(open_in: Callable[..., Visit], live_folder: Path):
    page = open_in("light", write_live(live_folder, "no_such_model").as_uri()).page
    expect(page.get_by_role("alert")).to_contain_text("This cannot be shown: no model no_such_model at file:")
