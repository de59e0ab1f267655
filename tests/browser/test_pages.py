"""Every page of the built book, in a real browser: whole, readable, and asking nobody else for anything."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from visits import PHONE, Visit, chapters, violations

SCHEMES = ["http", "file"]

Open = Callable[..., Visit]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_console_is_silent(visit: Open, name: str, scheme: str) -> None:
    assert visit(name, scheme).complaints == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_nothing_is_missing(visit: Open, name: str, scheme: str) -> None:
    assert visit(name, scheme).failures == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_other_host_is_asked(visit: Open, name: str, scheme: str, server: str) -> None:
    own = (server, "file:///", "data:", "blob:")
    assert [address for address in visit(name, scheme).addresses if not address.startswith(own)] == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious(visit: Open, name: str, dark: bool) -> None:
    page = visit(name, dark=dark).page
    assert violations(page) == []


def test_phone_does_not_scroll_sideways(visit: Open, name: str) -> None:
    page = visit(name, phone=True).page
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]


def test_nothing_stays_light_in_the_dark(visit: Open, name: str) -> None:
    light = visit(name, dark=True).page.evaluate(
        """() => [...document.querySelectorAll("body, .bd-article, .bd-article *")].filter(element => {
            const text = getComputedStyle(element).backgroundColor;  // rgb(0–255) or color(srgb 0–1)
            const scale = text.startsWith("color") ? 255 : 1;
            const colour = text.match(/[\\d.]+/g).map((part, place) => Number(part) * (place < 3 ? scale : 1));
            const shown = colour.length < 4 || colour[3] > 0.5;
            return shown && element.offsetWidth > 40 && (colour[0] + colour[1] + colour[2]) / 3 > 140;
        }).map(element => element.outerHTML.slice(0, 120))"""
    )
    assert light == []


def test_reading_type_is_loaded(visit: Open, name: str) -> None:
    loaded = visit(name, "file").page.evaluate(
        """() => [...document.fonts].filter(font => font.status === "loaded")
            .map(font => font.family.replaceAll('"', ""))"""
    )
    assert "Source Serif 4" in loaded or "Source Sans 3" in loaded


def test_maths_is_set(visit: Open, chapter: str) -> None:
    page = visit(chapter, "file").page
    formulas = page.locator("span.math, div.math").count()
    assert formulas > 0
    assert page.locator("mjx-container").count() >= formulas
    assert page.locator("mjx-merror").all_inner_texts() == []


def test_equations_carry_the_number_of_the_chapter(visit: Open, chapter: str) -> None:
    first = int(re.search(r"/(\d+)_", chapter)[1])
    numbers = [re.search(r"\(([\d.]+)\)", text)[1] for text in visit(chapter).page.locator(".eqno").all_text_contents()]
    assert numbers == [f"{first}.{place}" for place in range(1, len(numbers) + 1)]


def test_every_picture_says_what_it_shows(visit: Open, chapter: str) -> None:
    page = visit(chapter).page
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll(".bd-article svg.course-figure, .bd-article img")]
            .filter(picture => !(picture.getAttribute("aria-label") || picture.alt || "").trim())
            .map(picture => picture.outerHTML.slice(0, 120))"""
    )
    assert unnamed == []


def test_figures_change_their_ink_in_the_dark(visit: Open, chapter: str) -> None:
    ink = "() => getComputedStyle(document.documentElement).getPropertyValue('--figure-ink').trim()"
    assert visit(chapter, dark=False).page.evaluate(ink) != visit(chapter, dark=True).page.evaluate(ink)


def test_first_page_leads_to_the_book(browser: Browser, html: Path) -> None:
    page = browser.new_page()
    page.goto(f"{html.as_uri()}/index.html", wait_until="commit")  # it leads on at once
    page.wait_for_url("**/book/index.html")
    assert page.locator(".bd-article h1").inner_text().startswith("Learning to Align")
    page.close()


def test_search_finds_a_chapter(visit: Open, server: str) -> None:
    page = visit("search", fresh=True).page
    page.goto(f"{server}/search.html?q=softmax")
    page.wait_for_selector("#search-results li a", timeout=20_000)
    assert any(
        "/book/" in link.get_attribute("href") or link.get_attribute("href").startswith("book/")
        for link in page.locator("#search-results li a").all()
    )


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_search_field_leads_to_the_search_page_which_alone_loads_the_index(visit: Open, scheme: str) -> None:
    seen = visit("book/05_scorers", scheme, fresh=True)
    assert [address for address in seen.addresses if "searchindex" in address] == []
    seen.page.keyboard.press("Control+k")
    seen.page.locator("input[type=search]:visible").first.fill("saturation")
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_selector("#search-results li a", timeout=20_000)
    assert seen.page.url.endswith("search.html?q=saturation")
    assert seen.complaints == []


def test_worked_answer_opens_by_keyboard(visit: Open) -> None:
    for chapter in chapters():
        page = visit(chapter, fresh=True).page
        buttons = page.locator(".admonition.solution .toggle-button")
        if buttons.count():
            answer = page.locator(".admonition.solution").first
            before = answer.bounding_box()["height"]
            buttons.first.focus()
            page.keyboard.press("Enter")
            page.wait_for_timeout(400)
            assert answer.bounding_box()["height"] > before
            return
    pytest.fail("no chapter has a question with a worked answer")
