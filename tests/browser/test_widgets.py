"""Every widget of the built book, whatever it shows: it stands there without a kernel, and everyone can work it.

Silence of the console, the absence of other hosts, axe and the width of a phone are tested for every page already.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page
from visits import Visit, with_widgets

Open = Callable[..., Visit]
SHOW_MORE = {"Words in the source", "Beam size"}  # sliders that ask for longer sentences or a larger tree
HEIGHTS = """async (showMore) => {
    const moved = [];
    const ranges = [...document.querySelectorAll(".cw input[type=range]")].filter((one) => one.checkVisibility());
    for (const range of ranges) {
        const [widget, heights] = [range.closest(".cw"), []];
        const [top, picture] = [() => widget.getBoundingClientRect().top, widget.querySelector(".cw-picture")];
        const height = showMore.includes(range.labels[0].innerText)
            ? () => picture.getBoundingClientRect().top - top()
            : () => widget.offsetHeight;
        for (let at = 0; at < 15; at += 1) {
            range.value = Number(range.min) + (at / 14) * (range.max - range.min);
            range.dispatchEvent(new Event("input", { bubbles: true }));
            await new Promise(requestAnimationFrame);
            await new Promise(requestAnimationFrame);
            heights.push(height());
        }
        if (new Set(heights).size > 1) moved.push(`${widget.ariaLabel}, ${range.labels[0].innerText}: ${heights}`);
    }
    return moved;
}"""


@pytest.fixture(scope="module", params=with_widgets())
def widget_page(request: pytest.FixtureRequest) -> str:
    return request.param


def test_only_pages_with_widgets_load_their_scripts(visit: Open, name: str) -> None:
    loaded = [address for address in visit(name).addresses if "/_static/widgets.js" in address]
    assert bool(loaded) == (name in with_widgets())


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_every_widget_is_shown(visit: Open, widget_page: str, scheme: str) -> None:
    page = visit(widget_page, scheme).page
    assert page.locator(".cw:not(.lt)").count() == page.locator("script[type$='jupyter.widget-view+json']").count()
    assert page.locator(".cw-problem:visible").all_inner_texts() == []


def test_ids_are_unique(visit: Open, widget_page: str) -> None:
    ids = visit(widget_page).page.evaluate("() => [...document.querySelectorAll('.cw [id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))


def test_the_name_of_a_control_is_what_stands_beside_it(visit: Open, widget_page: str) -> None:
    unnamed = visit(widget_page).page.evaluate(
        """() => [...document.querySelectorAll(".cw input, .cw select")]
            .filter(input => input.checkVisibility())
            .filter(input => !(input.labels.length === 1 && input.labels[0].offsetWidth > 0 &&
                input.labels[0].innerText.trim() !== "" && !input.ariaLabel))
            .map(input => input.outerHTML)"""
    )
    assert unnamed == []


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_controls_are_large_enough_to_hit(visit: Open, widget_page: str, phone: bool) -> None:
    small = visit(widget_page, phone=phone).page.evaluate(
        """() => [...document.querySelectorAll(".cw :is(input, select, button, summary)")]
            .filter(control => control.checkVisibility())
            .filter(control => control.offsetWidth < 24 || control.offsetHeight < 24)
            .map(control => control.outerHTML + control.offsetWidth + "×" + control.offsetHeight)"""
    )
    assert small == []


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_slider_makes_nothing_else_jump(visit: Open, widget_page: str, phone: bool) -> None:
    assert visit(widget_page, phone=phone, fresh=True).page.evaluate(HEIGHTS, sorted(SHOW_MORE)) == []


def test_every_picture_and_every_widget_has_a_name(visit: Open, widget_page: str) -> None:
    unnamed = visit(widget_page).page.evaluate(
        """() => [...document.querySelectorAll(".cw, .cw svg[role=img]")]
            .filter(one => (one.getAttribute("aria-label") || "").trim().length < 5).map(one => one.outerHTML)"""
    )
    assert unnamed == []


def test_the_text_opens_by_keyboard(visit: Open, widget_page: str) -> None:
    page = visit(widget_page, fresh=True).page
    for widget in page.locator(".cw").all():
        widget.locator("summary", has_text="As text").focus()
        page.keyboard.press("Enter")
        assert widget.locator("table.cw-table tbody tr").count() > 0
        assert widget.locator("table.cw-table").is_visible()


def test_print_shows_the_text(visit: Open, widget_page: str) -> None:
    page = visit(widget_page, fresh=True).page
    page.emulate_media(media="print")
    assert _shown(page, "table.cw-table") == page.locator(".cw").count()
    assert _shown(page, ".cw-row") == 0


def _shown(page: Page, what: str) -> int:
    return page.evaluate(
        "what => [...document.querySelectorAll(`.cw ${what}`)].filter(one => one.checkVisibility()).length", what
    )
