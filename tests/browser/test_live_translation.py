"""The reader's own sentence, translated in the page: by mouse, touch and keyboard, from disk and from a server."""

import functools
import http.server
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from live_page import write_page
from playwright.sync_api import Browser, Locator, Page
from visits import DESKTOP, PHONE, QuietHandler, Visit, violations

READY = "() => document.querySelector('live-translation .lt-said')"
SMALLEST = {"width": 360, "height": 740}
Open = Callable[..., Visit]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("live")


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[str]:
    handler = functools.partial(QuietHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as httpd:
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{httpd.server_port}"
        httpd.shutdown()


@pytest.fixture
def opened(browser: Browser, folder: Path, served: str) -> Iterator[Open]:
    """``opened("bahdanau", scheme="file", dark=True, size=PHONE, touch=True, above=3000)``"""
    visits: list[Visit] = []

    def open_page(
        *models: str,
        scheme: str = "file",
        dark: bool = False,
        size: dict[str, int] = DESKTOP,
        touch: bool = False,
        above: int = 0,
    ) -> Visit:
        page = write_page(folder, *models, above=above)
        context = browser.new_context(viewport=size, color_scheme="dark" if dark else "light", has_touch=touch)
        visits.append(Visit(context.new_page()))
        visits[-1].load(page.as_uri() if scheme == "file" else f"{served}/{page.name}")
        if not above:
            visits[-1].page.wait_for_function(READY)
        return visits[-1]

    yield open_page
    for visit in visits:
        visit.page.context.close()


def panel(page: Page, title: str = "Bahdanau") -> Locator:
    """Both parts of a model: its translation, and its steps."""
    return page.get_by_role("region", name=title)


def shown(page: Page, title: str = "Bahdanau") -> str:
    return "\n".join(panel(page, title).all_inner_texts())


def said(page: Page, title: str = "Bahdanau") -> str:
    """The translation; a line that shows what has changed by hand is not part of it."""
    words = panel(page, title).get_by_role("option").evaluate_all("all => all.map(one => one.textContent)")
    return " ".join(words)


def say(page: Page, text: str) -> None:
    """Type a sentence and wait for its translation."""
    page.get_by_role("combobox", name="Your English sentence").fill(text)
    page.wait_for_function(
        """words => {
            const heads = [...document.querySelectorAll(".lt-weights thead th")].map(one => one.innerText);
            return words.every((word, place) => heads[place] === word) && heads.length === words.length + 1;
        }""",
        arg=text.lower().split(),
    )


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_the_first_sentence_is_translated_and_nobody_else_is_asked(opened: Open, served: str, scheme: str):
    visit = opened("every_step", "bahdanau", scheme=scheme)
    assert said(visit.page, "Fixed vector") == said(visit.page) == "le vieux chat dort . <eos>"
    assert visit.complaints == visit.failures == []
    assert all(address.startswith(("file:", served)) for address in visit.addresses)


def test_nothing_is_loaded_before_the_reader_comes_near(opened: Open):
    visit = opened("bahdanau", above=6000)
    names = [Path(address).name for address in visit.addresses]
    assert "start.js" in names
    assert not {"live.js", "live.css", "bahdanau.js"} & set(names)
    visit.page.locator("live-translation").scroll_into_view_if_needed()
    visit.page.wait_for_function(READY)
    names = [Path(address).name for address in visit.addresses]
    assert {"live.js", "live.css", "bahdanau.js"} <= set(names)
    assert "every_step.js" not in names


def test_words_are_offered_and_taken_by_keyboard(opened: Open):
    page = opened("bahdanau").page
    field = page.get_by_role("combobox", name="Your English sentence")
    field.fill("")
    field.press_sequentially("the gar")
    options = page.get_by_role("listbox", name="Words that the models know").get_by_role("option")
    assert options.all_inner_texts() == ["garden", "gardens"]
    assert field.get_attribute("aria-expanded") == "true"
    field.press("ArrowDown")
    assert options.first.get_attribute("aria-selected") == "true"
    assert field.get_attribute("aria-activedescendant") == options.first.get_attribute("id")
    field.press("Enter")
    assert field.input_value() == "the garden "
    assert field.get_attribute("aria-expanded") == "false"
    field.press_sequentially("is o")
    field.press("Escape")
    assert not page.get_by_role("listbox", name="Words that the models know").is_visible()
    assert field.input_value() == "the garden is o"


def test_an_unknown_word_is_named_with_a_known_one_to_take(opened: Open):
    page = opened("bahdanau").page
    say(page, "the gardin is big")
    note = page.get_by_role("status")
    assert "“gardin” is not one of the 904 words" in note.inner_text()
    page.get_by_role("button", name="garden, instead of gardin").click()
    page.wait_for_function("() => document.querySelector('.lt-note').hidden")
    assert said(page) == "le jardin est grand . <eos>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "Type a few English words"),
        (" ?! ", "Type a few English words"),
        ("cat " * 70, "These are 71 words and marks; at most 60"),
    ],
)
def test_what_cannot_be_translated_is_said(opened: Open, text: str, expected: str):
    page = opened("bahdanau").page
    page.get_by_role("combobox", name="Your English sentence").fill(text)
    page.wait_for_function("text => document.querySelector('.lt-note').innerText.startsWith(text)", arg=expected)


def test_longer_sentences_are_forgotten_by_the_vector_alone(opened: Open):
    page = opened("every_step", "bahdanau").page
    for _ in range(6):
        page.get_by_role("button", name="Make it longer").click()
    assert "Word for word the reference." in shown(page)
    assert "Departs from the reference at word" in shown(page, "Fixed vector")
    assert panel(page, "Fixed vector").locator(".lt-departs").count() > 10
    assert panel(page).locator(".lt-departs").count() == 0


def test_a_step_is_chosen_by_arrow_keys(opened: Open):
    page = opened("bahdanau").page
    words = panel(page).get_by_role("option")
    words.first.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert words.nth(2).get_attribute("aria-selected") == "true"
    assert words.nth(2).evaluate("word => word === document.activeElement")
    assert "Step 3 of 6: reads “vieux”, looks most at “cat”" in shown(page)
    assert panel(page).locator("tbody tr").nth(2).get_attribute("aria-current") == "step"
    page.keyboard.press("End")
    assert "Step 6 of 6" in shown(page)


@pytest.mark.parametrize("by", ["mouse", "keyboard", "touch"])
def test_a_pinned_weight_changes_the_translation_and_is_let_go(opened: Open, by: str):
    page = opened("bahdanau", touch=by == "touch").page
    cells = panel(page).locator("tbody tr").nth(2).locator("td")

    def press(column: int) -> None:
        if by == "keyboard":
            cells.nth(column).focus()
            page.keyboard.press("Enter")
        elif by == "touch":
            cells.nth(column).tap()
        else:
            cells.nth(column).click()

    press(3)  # chooses the step
    assert panel(page).locator(".lt-pinned").count() == 0
    press(3)
    assert cells.all_inner_texts()[3].startswith("1.00")
    assert "lt-pinned" in cells.nth(3).get_attribute("class")
    assert said(page) != "le vieux chat dort . <eos>"
    assert "looks most at “sleeps” (1.00)" in shown(page)
    press(3)
    assert said(page) == "le vieux chat dort . <eos>"


def test_a_cell_that_is_pointed_at_says_its_score_and_weight(opened: Open):
    page = opened("bahdanau").page
    panel(page).locator("tbody tr").nth(2).locator("td").nth(2).hover()
    readout = panel(page).locator(".lt-readout").inner_text()
    assert readout.startswith("“chat” to “cat”: score ")
    assert "weight 0.9" in readout or "weight 1.00" in readout


def test_a_forbidden_word_is_allowed_again(opened: Open):
    page = opened("every_step").page
    region = panel(page, "Fixed vector")
    region.get_by_role("option").nth(2).click()
    region.get_by_role("button", name="chat ").first.click()
    assert "chat" not in said(page, "Fixed vector").split()
    assert region.get_by_role("button", name=re.compile("^chat forbidden.*allow it again")).is_visible()
    region.get_by_role("button", name="Undo").click()
    assert said(page, "Fixed vector") == "le vieux chat dort . <eos>"
    assert not region.get_by_role("button", name="Undo").is_visible()


def test_a_beam_shows_its_hypotheses(opened: Open):
    page = opened("bahdanau").page
    page.get_by_role("combobox", name="Search").select_option("beam")
    page.get_by_role("slider", name="Beam size").fill("3")
    hypotheses = panel(page).get_by_role("group", name="Hypotheses").get_by_role("button")
    assert hypotheses.count() == 3
    assert hypotheses.first.inner_text().startswith("le vieux chat dort .")
    hypotheses.nth(1).press("Enter")
    assert hypotheses.nth(1).get_attribute("aria-pressed") == "true"
    assert said(page) == hypotheses.nth(1).locator("span").first.inner_text() + " <eos>"


def test_the_translation_is_read_out(opened: Open):
    page = opened("bahdanau").page
    assert page.locator("[aria-live=polite]").inner_text() == ""
    say(page, "the woman is tired")
    page.wait_for_function("() => document.querySelector('[aria-live=polite]').textContent")
    assert page.locator("[aria-live=polite]").text_content() == "Bahdanau: la femme est fatiguée ."


def test_the_table_is_a_grid_with_headings(opened: Open):
    page = opened("bahdanau").page
    grid = panel(page).get_by_role("grid")
    assert grid.get_by_role("columnheader").all_inner_texts()[-5:] == ["the", "old", "cat", "sleeps", "."]
    assert grid.get_by_role("rowheader").all_inner_texts()[:2] == ["le", "vieux"]
    assert grid.locator("[tabindex='0']").count() == 1


def test_encoder_states_unfold(opened: Open):
    page = opened("bahdanau").page
    panel(page).locator("summary", has_text="Encoder states").press("Enter")
    page.wait_for_function("() => document.querySelectorAll('.lt-states li').length === 5")
    assert (
        panel(page)
        .locator(".lt-states svg")
        .first.get_attribute("aria-label")
        .startswith("The state of “the”, 128 numbers")
    )


@pytest.mark.parametrize("size", [SMALLEST, PHONE, DESKTOP], ids=["360", "390", "desktop"])
def test_a_long_sentence_does_not_scroll_the_page_sideways(opened: Open, size: dict[str, int]):
    page = opened("bahdanau", "luong_bilinear", size=size).page
    for _ in range(7):
        page.get_by_role("button", name="Make it longer").click()
    assert panel(page).locator("tbody tr").count() > 40
    assert page.evaluate("() => document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [SMALLEST, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing(opened: Open, dark: bool, size: dict[str, int]):
    page = opened("every_step", "bahdanau", dark=dark, size=size).page
    say(page, "the gardin is big")
    page.get_by_role("combobox", name="Search").select_option("beam")
    panel(page).locator("summary", has_text="Encoder states").click()
    page.get_by_role("combobox", name="Your English sentence").press_sequentially(" ga")
    assert violations(page, ("minor", "moderate", "serious", "critical")) == []


def test_controls_are_large_enough_to_hit(opened: Open):
    small = opened("every_step", "bahdanau", size=PHONE).page.evaluate(
        """() => [...document.querySelectorAll(".cw :is(input, select, button, summary, td[tabindex], [role=option])")]
            .filter(control => control.checkVisibility())
            .filter(control => control.offsetWidth < 24 || control.offsetHeight < 24)
            .map(control => control.outerHTML + control.offsetWidth + "×" + control.offsetHeight)"""
    )
    assert small == []


def test_a_model_that_is_missing_is_said(opened: Open, folder: Path):
    page = opened("no_such_model", above=1).page
    page.wait_for_selector(".cw-problem")
    assert page.get_by_role("alert").inner_text().startswith("This cannot be shown: no model no_such_model at file:")


@pytest.mark.parametrize(
    ("name", "models"),
    [
        ("book/index", ["Bahdanau"]),
        ("book/03_bottleneck", ["Fixed vector", "Bahdanau"]),
        ("book/04_attention", ["Bahdanau"]),
        ("book/07_bahdanau", ["Bahdanau"]),
        ("book/08_luong", ["Bahdanau", "Luong"]),
        ("book/12_alignment", ["Bahdanau", "Luong"]),
    ],
)
@pytest.mark.parametrize("scheme", ["http", "file"])
def test_the_chapters_translate(visit: Open, server: str, name: str, models: list[str], scheme: str):
    seen = visit(name, scheme, fresh=True)
    place = seen.page.locator("live-translation")
    place.scroll_into_view_if_needed()
    seen.page.wait_for_function(READY)
    titles = place.locator(".lt-panels").first.locator("section").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert titles == models
    assert seen.complaints == seen.failures == []
    assert [one for one in seen.addresses if not one.startswith((server, "file:///", "data:", "blob:"))] == []
