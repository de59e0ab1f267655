"""Every widget of the built book, whatever it shows: it stands there without a kernel, and everyone can work it."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from playwright.sync_api import Locator, expect
from visits import FRAMES, HTML, STATES, TOO_SMALL, TWICE, Open, drag, in_turn, with_current_scripts, with_widgets

# What is told step by step → where it is after 3.5 seconds.
PLAYED = {"book/index": 5, "book/12_alignment": 4, "book/07_bahdanau": 3, "book/08_luong": 3}
CONTROLS = "input[type=range], input[type=checkbox], select, button, summary"
LOOKS = {  # what is amiss → a script that returns where
    "nothing is shown": """() => [...document.querySelectorAll(".cw-problem")]
        .filter(problem => problem.checkVisibility() && problem.innerText).map(problem => problem.innerText)""",
    "an id stands twice": TWICE,
    "a control has not the name that stands beside it": """() => [...document.querySelectorAll(".cw input, .cw select")]
        .filter(input => input.checkVisibility())
        .filter(input => !(input.labels.length === 1 && input.labels[0].offsetWidth > 0 &&
            input.labels[0].innerText.trim() !== "" && !input.ariaLabel))
        .map(input => input.outerHTML)""",
    "a slider does not say the value that it shows": """() => [...document.querySelectorAll(".cw input[type=range]")]
        .filter(input => !input.getAttribute("aria-valuetext") ||
            input.getAttribute("aria-valuetext") !== input.parentElement.querySelector("output").textContent)
        .map(input => input.outerHTML)""",
    "a control is too small to hit": TOO_SMALL,
    "a picture or a widget has no name": """() => [...document.querySelectorAll(".cw, .cw svg[role=img]")]
        .filter(named => (named.getAttribute("aria-label") || "").trim().length < 5)
        .map(named => named.outerHTML)""",
}
WIDER = """() => [...document.querySelectorAll(".cw")]
    .filter(widget => widget.querySelector("table.cw-table").offsetWidth > widget.offsetWidth)
    .map(widget => widget.ariaLabel)"""
REST = """(control) => {
    const widget = control.closest(".cw").cloneNode(true);
    const own = control.closest(".cw-control") ?? control;
    const every = [...control.closest(".cw").querySelectorAll("*")];
    [...widget.querySelectorAll("*")][every.indexOf(own)].remove();
    widget.querySelector(".cw-spoken")?.remove();
    return widget.innerHTML;
}"""  # without the control that is worked, which shows its own value, and what is spoken, which waits for a pause
ANSWERS = f"""([control, before, frames]) => new Promise((resolve) => {{
    const look = (left) => {{
        if (({REST})(control) !== before) resolve(true);
        else if (left) requestAnimationFrame(() => look(left - 1));
        else resolve(false);
    }};
    look(frames);
}})"""
JUMPS = """() => {
    const jumps = [];
    for (const widget of document.querySelectorAll(".cw")) {
        for (const fold of widget.querySelectorAll("details")) fold.open = true;
        const first = widget.offsetHeight;
        const look = (control, deed) => {
            deed();
            const [name, now] = [control.labels?.[0]?.innerText || control.innerText, widget.offsetHeight];
            if (now !== first) jumps.push(`${widget.ariaLabel}, ${name}: ${first} → ${now}`);
        };
        const change = (control, value) => {
            control.value = value;
            for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind, { bubbles: true }));
        };
        const values = ({ options, type, min, max }) =>
            options ? [...options].map((option) => option.value)
            : type === "number" ? ["", min, max]
            : [0, 0.1, 0.4, 0.6, 0.9, 1].map((share) => Number(min) + share * (max - min));
        const controls = [...widget.querySelectorAll("input, select, button")];
        for (const control of controls) {
            if (control.matches("button, [type=checkbox]")) look(control, () => control.click());
            else for (const value of values(control)) look(control, () => change(control, value));
        }
    }
    return jumps;
}"""


def far_end(control: Locator) -> dict[str, float]:
    """A place on a slider's track that is not where its thumb is."""
    box = control.bounding_box()
    share = control.evaluate("slider => (slider.value - slider.min) / (slider.max - slider.min)")
    return {"x": box["width"] * (0.15 if share > 0.5 else 0.85), "y": box["height"] / 2}


def by_pointer(touch: Callable[..., None], control: Locator, kind: str) -> None:
    if kind == "SELECT":  # its list is drawn by the browser
        now, count = control.evaluate("select => [select.selectedIndex, select.options.length]")
        control.select_option(index=(now + 1) % count)
    else:
        touch(control, position=far_end(control) if kind == "range" else None)


def by_keyboard(control: Locator, kind: str) -> None:
    back = control.evaluate("input => input.type === 'range' ? input.value >= +input.max : input.selectedIndex > 0")
    keys = {"range": "ArrowLeft" if back else "ArrowRight", "SELECT": "ArrowUp" if back else "ArrowDown"}
    control.press(keys.get(kind, "Space" if kind == "checkbox" else "Enter"))


HANDS = {"light": by_keyboard, "dark": partial(by_pointer, Locator.click), "phone": partial(by_pointer, Locator.tap)}


def answers(control: Locator, hand: Callable[[Locator, str], None], frames: int) -> bool:
    """Whether the widget changes within so many frames, which come late where the page is slow."""
    kind = control.evaluate("input => ['BUTTON', 'SELECT', 'SUMMARY'].find(tag => tag === input.tagName) ?? input.type")
    control.evaluate(FRAMES)  # what was done before is drawn
    before = control.evaluate(REST)
    hand(control, kind)
    return control.page.evaluate(ANSWERS, [control.element_handle(), before, frames])


def silent(widget: Locator, hand: Callable[[Locator, str], None]) -> Iterator[str]:
    """The controls that can be worked without an answer."""
    controls = widget.locator(CONTROLS).all()
    for frames in (60, 600):  # some have nothing to change until others were worked
        ready = [control for control in controls if control.is_visible() and control.is_enabled()]
        controls = [control for control in ready if not answers(control, hand, frames)]
    return (control.evaluate("control => control.outerHTML") for control in controls)


def loose(widget: Locator) -> Iterator[str]:
    for handle in widget.locator("[data-handle]").all():
        before = handle.evaluate(REST)
        drag(handle, -30, -20)
        if handle.evaluate(REST) == before:
            yield handle.evaluate("handle => handle.outerHTML")


@in_turn(with_widgets(), HANDS)
def test_everyone_can_work_it(bare: Open, name: str, mode: str) -> None:
    visit = bare(name, mode)
    page, widgets = visit.page, visit.page.locator(".cw").all()
    amiss = {what: page.evaluate(script) for what, script in LOOKS.items()}
    width = page.evaluate("document.documentElement.scrollWidth")
    amiss["the page scrolls sideways"] = width > page.viewport_size["width"]
    for widget in widgets:
        label = widget.get_attribute("aria-label")
        amiss[f"{label}: controls without an answer"] = list(silent(widget, HANDS[mode]))
        rows = widget.locator("table.cw-table:visible tbody tr").count()  # shown: its summary is a control too
        amiss[f"{label}: nothing in its table"] = rows == 0
        amiss[f"{label}: handles that move nothing else"] = list(loose(widget))
    amiss["a control changes a widget's height"] = page.evaluate(JUMPS)
    if mode == "light":
        page.emulate_media(media="print")
        tables, rows = page.locator("table.cw-table:visible").count(), page.locator(".cw-row:visible").count()
        amiss["print shows no text, or controls"] = (tables, rows) != (len(widgets), 0)
        amiss["print cuts off a table"] = page.evaluate(WIDER)
        page.emulate_media(media="screen")
        built = STATES.findall((HTML / f"{name}.html").read_text(encoding="utf-8"))
        is_old = [json.loads(with_current_scripts(states)) != json.loads(states) for states in built]
        amiss["the book has other scripts and styles than the library"] = any(is_old)
    amiss["the console"] = visit.complaints + visit.failures
    assert {what: misses for what, misses in amiss.items() if misses} == {}


def test_a_page_has_its_turns_while_its_widgets_are_measured(bare: Open) -> None:
    visit = bare("book/05_scorers", "clock")  # a context of its own, which goes with its script
    visit.page.add_init_script("""window.bursts = 0;
        const count = (changes) => changes.flatMap((change) => [...change.addedNodes])
            .forEach((node) => (bursts += !!node.classList?.contains("cw-copy")));
        new MutationObserver(count).observe(document, { childList: true, subtree: true });""")
    visit.load(visit.page.url)
    widgets = visit.page.locator(".cw")
    assert visit.page.evaluate("bursts") > 5 * widgets.count() > 0
    assert visit.page.locator(".cw-copy").count() == 0


@pytest.mark.parametrize(("name", "place"), PLAYED.items())
def test_what_plays_pauses_goes_on_to_the_end_and_begins_again(bare: Open, name: str, place: int) -> None:
    page = bare(name, "clock").page
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # from here time passes only as told
    button = page.get_by_role("button", name=re.compile("^(Watch it form|Play|Pause)$")).first
    slider = button.locator("xpath=ancestor::*[.//input[@type='range']][1]").locator("input[type=range]")
    told, title = page.locator(".cw-spoken, .wiring-said").first, button.inner_text()
    slider.press("Home")
    first, words = slider.input_value(), told.inner_text()
    button.press("Enter")
    page.clock.run_for(3500)
    expect(button).to_have_text("Pause")
    button.press("Enter")
    assert int(slider.input_value()) == place
    assert (there := told.inner_text()) != words
    page.clock.run_for(5000)
    assert told.inner_text() == there
    button.press("Space")
    page.clock.run_for(100_000)
    expect(button).to_have_text(title)
    assert slider.input_value() == slider.get_attribute("max")
    button.press("Enter")
    assert slider.input_value() == first
