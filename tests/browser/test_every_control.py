"""Every control of every widget, by mouse, finger and keyboard, in light, dark and on a phone: the widget answers."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, TimeoutError
from visits import DESKTOP, PHONE, WIDGETS_STAND, with_widgets

MODES = {
    "light": {"viewport": DESKTOP, "color_scheme": "light"},
    "dark": {"viewport": DESKTOP, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "color_scheme": "light", "is_mobile": True},
}
CONTROLS = "input[type=range], input[type=checkbox], select, button, summary"
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
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="module", params=with_widgets())
def widget_page(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=MODES)
def page(request: pytest.FixtureRequest, browser: Browser, server: str, widget_page: str) -> Iterator[Page]:
    context = browser.new_context(has_touch=True, reduced_motion="reduce", **MODES[request.param])
    page = context.new_page()
    page.goto(f"{server}/{widget_page}.html")
    page.wait_for_function(WIDGETS_STAND)
    yield page
    context.close()


def far_end(control: Locator) -> dict[str, float]:
    """A place on a slider's track that is not where its thumb is."""
    box = control.bounding_box()
    share = control.evaluate("one => (one.value - one.min) / (one.max - one.min)")
    return {"x": box["width"] * (0.15 if share > 0.5 else 0.85), "y": box["height"] / 2}


def by_mouse(control: Locator, kind: str) -> None:
    by(control.click, control, kind)


def by_finger(control: Locator, kind: str) -> None:
    by(control.tap, control, kind)


def by(touch: Callable[..., None], control: Locator, kind: str) -> None:
    if kind == "SELECT":  # its list is drawn by the browser
        now, count = control.evaluate("one => [one.selectedIndex, one.options.length]")
        control.select_option(index=(now + 1) % count)
    else:
        touch(position=far_end(control) if kind == "range" else None)


def by_keyboard(control: Locator, kind: str) -> None:
    back = control.evaluate("one => one.type === 'range' ? one.value >= +one.max : one.selectedIndex > 0")
    keys = {"range": "ArrowLeft" if back else "ArrowRight", "SELECT": "ArrowUp" if back else "ArrowDown"}
    control.press(keys.get(kind, "Space" if kind == "checkbox" else "Enter"))


def answers(control: Locator, hand: Callable[[Locator, str], None]) -> bool:
    kind = control.evaluate("one => ['BUTTON', 'SELECT', 'SUMMARY'].find(tag => tag === one.tagName) ?? one.type")
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


@pytest.mark.parametrize("hand", [by_mouse, by_finger, by_keyboard])
def test_the_widget_answers(page: Page, hand: Callable[[Locator, str], None]) -> None:
    for widget in page.locator(".cw").all():
        silent = widget.locator(CONTROLS).all()
        for _ in range(2):  # some have nothing to change until others were worked
            ready = [control for control in silent if control.is_visible() and control.is_enabled()]
            silent = [control for control in ready if not answers(control, hand)]
        assert [control.evaluate("one => one.outerHTML") for control in silent] == []


def test_what_can_be_dragged_is_dragged(page: Page) -> None:
    for place in page.locator(".cw [data-handle]").all():
        widget = place.locator("xpath=ancestor::*[contains(concat(' ', @class, ' '), ' cw ')]")
        place.scroll_into_view_if_needed()
        before, box = widget.evaluate(SHOWN), place.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 30, y - 20, steps=3)
        page.mouse.up()
        assert widget.evaluate(SHOWN) != before
