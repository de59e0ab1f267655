"""Every page of the built book, in a real browser: whole, readable, and asking nobody else for anything."""

import gzip
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Page, ViewportSize, expect
from visits import PHONE, TRANSLATED, TWICE, NewPage, Open, Visit, chapters, in_turn, pages, violations, with_widgets

SCHEMES = {"dark": "file", "phone": "http"}
LIVE = {page: ["Bahdanau"] for page in ("book/index", "book/04_attention", "book/07_bahdanau")}  # who translates
LIVE |= {page: ["Bahdanau", "Luong"] for page in ("book/08_luong", "book/12_alignment")}
LIVE["book/03_bottleneck"] = ["Fixed vector", "Bahdanau"]
NARROWEST = {"dark": 1024, "phone": PHONE["width"]}  # pixels of a tablet and of a phone
ALSO_IN_THE_LIGHT = {"book/index", "book/05_scorers", "book/coverage"}  # axe is half of what a visit costs
STIR = 80  # pixels, three lines of text
ZIPPED, WITH_WIDGETS, WITH_MODELS = 1_000_000, 1_500_000, 2_500_000  # bytes a page may load

STAYS_LIGHT = """() => [...document.querySelectorAll("body, .bd-article, .bd-article *")].filter(element => {
    const text = getComputedStyle(element).backgroundColor;  // rgb(0–255) or color(srgb 0–1)
    const scale = text.startsWith("color") ? 255 : 1;
    const colour = text.match(/[\\d.]+/g).map((part, place) => Number(part) * (place < 3 ? scale : 1));
    const shown = colour.length < 4 || colour[3] > 0.5;
    return shown && element.offsetWidth > 40 && (colour[0] + colour[1] + colour[2]) / 3 > 140;
}).map(element => element.outerHTML.slice(0, 120))"""
UNNAMED = """() => [...document.querySelectorAll(".bd-article svg.course-figure, .bd-article img")]
    .filter(picture => !(picture.getAttribute("aria-label") || picture.alt || "").trim())
    .map(picture => picture.outerHTML.slice(0, 120))"""
LOADED = """() => [...document.fonts].filter(font => font.status === "loaded")
    .map(font => font.family.replaceAll('"', ""))"""
SMALL_LABELS = """() => [...document.querySelectorAll(".bd-article svg text, svg.course-figure g[transform*='scale(']")]
    .filter((label) => label.checkVisibility() && label.getScreenCTM())
    .map((label) => {
        const { a, b, c, d } = label.getScreenCTM();  // matplotlib draws letters 100 units high, and scales them
        const high = label.localName === "text" ? parseFloat(getComputedStyle(label).fontSize) : 100;
        return [Math.sqrt(Math.abs(a * d - b * c)) * high, label];
    })
    .filter(([size]) => size < 11)
    .map(([size, label]) => `${size.toFixed(1)}: ${label.textContent.trim()} in ${label.closest("svg").ariaLabel}`)"""
LETTERS_CUT = """() => [...document.querySelectorAll("svg.course-figure g[transform*='scale(']")]
    .filter((label) => label.checkVisibility())
    .map((label) => [label.getBoundingClientRect(), label.closest("svg")])
    .filter(([label, figure]) => {
        const edge = figure.getBoundingClientRect();
        const beside = Math.max(edge.left - label.left, label.right - edge.right);
        return Math.max(beside, edge.top - label.top, label.bottom - edge.bottom) > 1.5;
    })
    .map(([label, figure]) => `at ${label.left.toFixed()}, ${label.top.toFixed()} in ${figure.ariaLabel}`)"""
CUT = """() => [...document.querySelectorAll("mjx-container")]
    .filter((formula) => formula.checkVisibility())
    .filter((formula) => formula.firstElementChild.getBoundingClientRect().x < formula.getBoundingClientRect().x - 1)
    .map((formula) => formula.closest("p, li, td, summary, div").textContent.slice(0, 80))"""
INK = "() => getComputedStyle(document.documentElement).getPropertyValue('--figure-ink').trim()"


@in_turn(pages(), SCHEMES)
def test_nothing_is_amiss(visit: Open, name: str, mode: str, server: str) -> None:
    opened, is_dark = visit(name, SCHEMES[mode], mode), mode == "dark"
    formulaic = name in chapters() and name != "book/16_translator"  # which has none to teach
    page, number = opened.page, (re.search(r"/(\d+)_", name) or [None, 0])[1]
    titles, growth = live(page)  # first: all that follows is asserted of the live translation too
    brightness = sum(bytes.fromhex(page.evaluate(INK).removeprefix("#"))) / 3
    formulas = page.locator("span.math, div.math").count()
    equations = re.findall(r"\(([\d.]+)\)", "".join(page.locator(".eqno").all_text_contents()))
    numbered = [f"{int(number)}.{place}" for place in range(1, len(equations) + 1)]
    views = page.locator("script[type$='jupyter.widget-view+json']").count()
    limit = WITH_MODELS if name in LIVE else WITH_WIDGETS if name in with_widgets() else ZIPPED
    amiss = {
        "the live translations": titles != LIVE.get(name, []) and titles,
        "the room kept for one, less or more than it takes": abs(growth) > STIR and growth,
        "the console": opened.complaints,
        "what is loaded": opened.failures,
        "other hosts are asked": opened.asked_elsewhere(server),
        "axe finds something serious": (is_dark or name in ALSO_IN_THE_LIGHT) and violations(page),
        "labels under 11 pixels": page.evaluate(SMALL_LABELS),
        "letters cut at a figure's edge": page.evaluate(LETTERS_CUT),
        "what stays light in the dark": is_dark and page.evaluate(STAYS_LIGHT),
        "the ink of figures": (brightness > 140) != is_dark,
        "the reading type": not {"Source Serif 4", "Source Sans 3"} & set(page.evaluate(LOADED)),
        "formulas that are not set": page.locator("mjx-container").count() < formulas or (formulaic and not formulas),
        "formulas that are cut": page.evaluate(CUT),
        "formulas with a mistake": page.locator("mjx-merror").all_inner_texts(),
        "the numbers of equations": equations != numbered and equations,
        "pictures that do not say what they show": page.evaluate(UNNAMED),
        "the widgets' script": (name in with_widgets()) != any("_static/widgets.js" in at for at in opened.addresses),
        "widgets that are not shown": views != page.locator(".cw:not(.lt)").count(),
        "widgets that cannot be shown": [text for text in page.locator(".cw-problem").all_inner_texts() if text],
        "ids of widgets that stand twice": page.evaluate(TWICE),
        "the number of bytes": is_dark and not 100_000 < (size := packed_bytes(opened)) <= limit and size,
        "a narrow window scrolls sideways": sideways(page, NARROWEST[mode]),
    }
    assert {what: misses for what, misses in amiss.items() if misses} == {}


def sideways(page: Page, width: int) -> bool:
    size = page.viewport_size
    page.set_viewport_size({**size, "width": width})
    reach = page.evaluate("() => document.documentElement.scrollWidth")
    page.set_viewport_size(size)  # the page is used again
    return reach > width


def live(page: Page) -> tuple[list[str], float]:
    """The models that translate once a reader comes near, and by how many pixels the text below moves then."""
    place = page.locator("live-translation")
    if place.count() == 0:
        return [], 0.0
    height = place.bounding_box()["height"]
    place.scroll_into_view_if_needed()
    page.wait_for_function(TRANSLATED)
    sections = place.locator(".lt-panels").first.locator("section")
    titles = sections.evaluate_all("all => all.map(section => section.ariaLabel)")
    return titles, place.bounding_box()["height"] - height


def packed_bytes(visit: Visit) -> int:
    """What was read from the disk, packed as servers do."""
    paths = {Path(unquote(urlsplit(address).path)) for address in visit.addresses if address.startswith("file:")}
    return sum(len(gzip.compress(path.read_bytes(), 6)) for path in paths)


FORMING = "() => document.getAnimations().filter(movement => movement.animationName === 'lt-form').length"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize("size", [{"width": 1280, "height": 720}, PHONE], ids=["laptop", "phone"])
def test_first_page_leads_to_the_book_where_a_translation_forms_above_the_fold(
    new_page: NewPage, html: Path, size: ViewportSize, motion: str
) -> None:
    page = new_page(viewport=size, reduced_motion=motion)
    page.goto(f"{html.as_uri()}/index.html", wait_until="commit")  # it leads on at once
    page.wait_for_url("**/book/index.html")
    assert page.locator(".bd-article h1").inner_text().startswith("Learning to Align")
    page.wait_for_selector(".lt-axes")
    rows = page.locator(".lt-weights tbody tr")
    assert (page.evaluate(FORMING) > rows.count()) == (motion == "no-preference")
    assert " ".join(page.locator(".lt-said li").all_text_contents()).startswith(
        "la zone économique européenne est très"
    )
    places = [
        *(page.get_by_role("link", name=name, exact=True).first for name in ("Start", "Teach with it")),
        page.get_by_role("combobox", name="Your English sentence"),
        page.locator(".lt-axes"),
        rows.last,
    ]
    below = [place for place in places if (box := place.bounding_box())["y"] + box["height"] > size["height"]]
    assert below == []
    page.locator(".lt-examples").get_by_role("button", name="i am a student").click()
    assert page.evaluate(FORMING) == 0  # once


@pytest.mark.parametrize(("scheme", "mode"), [("file", "dark"), ("http", "light")])
def test_words_show_their_meaning_and_the_search_field_alone_loads_the_index(
    visit: Open, scheme: str, mode: str
) -> None:
    opened = visit("book/05_scorers", scheme, mode)
    page = opened.page
    word = page.locator("article a[href*='glossary.html#term-query']").first
    word.hover()
    expect(page.locator(".tippy-box")).to_contain_text("What asks")
    page.mouse.move(0, 0)
    page.wait_for_selector(".tippy-box", state="hidden")
    word.focus()
    page.wait_for_selector(".tippy-box")
    assert [violation for violation in violations(page, within=".tippy-box") if "tippy" in violation] == []
    assert [address for address in opened.addresses if "search-index" in address] == []
    page.keyboard.press("Control+k")
    page.locator("input[type=search]:visible").first.fill("saturation")
    page.keyboard.press("Enter")
    page.locator("#search-results li a[href*='book/05_scorers']").first.wait_for()
    assert page.url.endswith("search.html?q=saturation")
    assert opened.complaints == []


def test_a_page_that_is_read_in_the_dark_is_printed_in_the_light(visit: Open) -> None:
    page = visit("book/05_scorers", "file", "dark").page
    theme = "document.documentElement.dataset.theme"
    page.evaluate(f"addEventListener('beforeprint', () => (window.printed = {theme}))")
    page.pdf()
    assert [page.evaluate(each) for each in ("printed", theme)] == ["light", "dark"]


def test_an_equation_of_another_chapter_and_answers_open(visit: Open) -> None:
    page = visit("book/05_scorers").page
    page.locator("article a[href*='04_attention.html#equation-']").first.hover()
    page.wait_for_selector(".tippy-box mjx-container")
    answer = page.locator(".admonition.solution").first
    before = answer.bounding_box()["height"]
    answer.locator(".toggle-button").press("Enter")
    has_grown = "([answer, before]) => answer.offsetHeight > before + 20"
    page.wait_for_function(has_grown, arg=[answer.element_handle(), before])
