"""Every widget of the built book, whatever it shows: it stands there without a kernel, and everyone can work it.

Each stands in a bare page, once in each mode, and is worked by another hand in each. Of the pages of the book it is
asserted elsewhere that their widgets are shown.
"""

import json
from collections.abc import Callable, Iterator

import pytest
from bare_page import STATES, with_current_scripts
from playwright.sync_api import Locator, TimeoutError
from visits import FRAMES, HTML, PHONE, Visit, with_widgets

Open = Callable[..., Visit]
CONTROLS = "input[type=range], input[type=checkbox], select, button, summary"
SHOW_MORE = {"Words in the source", "Beam size"}  # sliders that ask for longer sentences or a larger tree
LOOKS = {  # what is amiss → a script that returns where
    "nothing is shown": """() => [...document.querySelectorAll(".cw-problem")]
        .filter(problem => problem.checkVisibility() && problem.innerText).map(problem => problem.innerText)""",
    "an id stands twice": """() => [...document.querySelectorAll(".cw [id]")].map(element => element.id)
        .filter((id, place, all) => all.indexOf(id) !== place)""",
    "a control has not the name that stands beside it": """() => [...document.querySelectorAll(".cw input, .cw select")]
        .filter(input => input.checkVisibility())
        .filter(input => !(input.labels.length === 1 && input.labels[0].offsetWidth > 0 &&
            input.labels[0].innerText.trim() !== "" && !input.ariaLabel))
        .map(input => input.outerHTML)""",
    "a slider does not say the value that it shows": """() => [...document.querySelectorAll(".cw input[type=range]")]
        .filter(input => !input.getAttribute("aria-valuetext") ||
            input.getAttribute("aria-valuetext") !== input.parentElement.querySelector("output").textContent)
        .map(input => input.outerHTML)""",
    "a control is too small to hit": """() => [...document.querySelectorAll(
        ".cw :is(input, select, button, summary)")]
        .filter(control => control.checkVisibility())
        .filter(control => control.offsetWidth < 24 || control.offsetHeight < 24)
        .map(control => control.outerHTML + control.offsetWidth + "×" + control.offsetHeight)""",
    "a picture or a widget has no name": """() => [...document.querySelectorAll(".cw, .cw svg[role=img]")]
        .filter(named => (named.getAttribute("aria-label") || "").trim().length < 5)
        .map(named => named.outerHTML)""",
}
REST = """(control) => {
    const widget = control.closest(".cw").cloneNode(true);
    const own = control.closest(".cw-control") ?? control;
    const every = [...control.closest(".cw").querySelectorAll("*")];
    [...widget.querySelectorAll("*")][every.indexOf(own)].remove();
    widget.querySelector(".cw-spoken")?.remove();
    return widget.innerHTML;
}"""  # without the control that is worked, which shows its own value, and what is spoken, which waits for a pause
SHOWN = """(widget) => {
    const copy = widget.cloneNode(true);
    copy.querySelector(".cw-spoken")?.remove();
    return copy.innerHTML;
}"""
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


def far_end(control: Locator) -> dict[str, float]:
    """A place on a slider's track that is not where its thumb is."""
    box = control.bounding_box()
    share = control.evaluate("slider => (slider.value - slider.min) / (slider.max - slider.min)")
    return {"x": box["width"] * (0.15 if share > 0.5 else 0.85), "y": box["height"] / 2}


def by_mouse(control: Locator, kind: str) -> None:
    by(control.click, control, kind)


def by_finger(control: Locator, kind: str) -> None:
    by(control.tap, control, kind)


def by(touch: Callable[..., None], control: Locator, kind: str) -> None:
    if kind == "SELECT":  # its list is drawn by the browser
        now, count = control.evaluate("select => [select.selectedIndex, select.options.length]")
        control.select_option(index=(now + 1) % count)
    else:
        touch(position=far_end(control) if kind == "range" else None)


def by_keyboard(control: Locator, kind: str) -> None:
    back = control.evaluate("input => input.type === 'range' ? input.value >= +input.max : input.selectedIndex > 0")
    keys = {"range": "ArrowLeft" if back else "ArrowRight", "SELECT": "ArrowUp" if back else "ArrowDown"}
    control.press(keys.get(kind, "Space" if kind == "checkbox" else "Enter"))


HANDS = {"light": by_keyboard, "dark": by_mouse, "phone": by_finger}


def answers(control: Locator, hand: Callable[[Locator, str], None]) -> bool:
    kind = control.evaluate("input => ['BUTTON', 'SELECT', 'SUMMARY'].find(tag => tag === input.tagName) ?? input.type")
    control.evaluate(FRAMES)  # what was done before is drawn
    before = control.evaluate(REST)
    hand(control, kind)
    try:
        control.page.wait_for_function(
            f"([control, before]) => ({REST})(control) !== before",
            arg=[control.element_handle(), before],
            timeout=10_000,
        )
    except TimeoutError:
        return False
    return True


def silent(widget: Locator, hand: Callable[[Locator, str], None]) -> Iterator[str]:
    """The controls that can be worked without an answer."""
    controls = widget.locator(CONTROLS).all()
    for _ in range(2):  # some have nothing to change until others were worked
        ready = [control for control in controls if control.is_visible() and control.is_enabled()]
        controls = [control for control in ready if not answers(control, hand)]
    return (control.evaluate("control => control.outerHTML") for control in controls)


@pytest.mark.parametrize("mode", HANDS)
@pytest.mark.parametrize("name", with_widgets())
class TestEveryWidget:
    def test_everything_has_its_name_and_its_size(self, bare: Open, name: str, mode: str) -> None:
        visit = bare(name, mode)
        misses = {what: found for what, script in LOOKS.items() if (found := visit.page.evaluate(script))}
        assert misses == {}
        assert visit.complaints == visit.failures == []
        assert mode != "phone" or visit.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    def test_it_answers_to_every_control(self, bare: Open, name: str, mode: str) -> None:
        visit = bare(name, mode, fresh=False)
        for widget in visit.page.locator(".cw").all():
            assert list(silent(widget, HANDS[mode])) == []
            table = widget.locator("table.cw-table")
            assert table.is_visible()  # its summary is a control too
            assert table.locator("tbody tr").count() > 0
        assert visit.complaints == []

    def test_what_can_be_dragged_is_dragged(self, bare: Open, name: str, mode: str) -> None:
        page = bare(name, mode, fresh=False).page
        for handle in page.locator(".cw [data-handle]").all():
            widget = handle.locator("xpath=ancestor::*[contains(concat(' ', @class, ' '), ' cw ')]")
            handle.scroll_into_view_if_needed()
            before, box = widget.evaluate(SHOWN), handle.bounding_box()
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x - 30, y - 20, steps=3)
            page.mouse.up()
            assert widget.evaluate(SHOWN) != before

    def test_a_slider_makes_nothing_else_jump(self, bare: Open, name: str, mode: str) -> None:
        if mode != "dark":  # which is as wide as the light
            assert bare(name, mode).page.evaluate(HEIGHTS, sorted(SHOW_MORE)) == []


@pytest.mark.parametrize("name", with_widgets())
def test_print_shows_the_text_and_no_controls(bare: Open, name: str) -> None:
    page = bare(name, "light").page
    page.emulate_media(media="print")
    shown = "what => [...document.querySelectorAll(`.cw ${what}`)].filter(element => element.checkVisibility()).length"
    assert page.evaluate(shown, "table.cw-table") == page.locator(".cw").count()
    assert page.evaluate(shown, ".cw-row") == 0
    page.emulate_media(media="screen")


@pytest.mark.parametrize("name", with_widgets())
def test_the_book_has_the_scripts_and_styles_of_the_library(html: object, name: str) -> None:
    chapter = (HTML / f"{name}.html").read_text(encoding="utf-8")
    for states in STATES.findall(chapter):
        assert json.loads(with_current_scripts(states)) == json.loads(states), "the book is older than the library"
