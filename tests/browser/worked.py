"""Widgets as they are worked: which there are, their controls by name, and what they show and say."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator

Show = Callable[..., Locator]  # show("beam", "phone")

WIDGETS = {
    "beam": ("book/11_decoding", "A beam search, step by step"),
    "beside": ("book/E_lost_centre", "Your window beside a trained model's"),
    "bottleneck": ("book/03_bottleneck", "Translations by the length of the source"),
    "estimate": ("book/10_hard", "Estimates of a gradient, and what is learnt from them"),
    "forming": ("book/index", "An alignment that forms while the model is trained"),
    "look_up": ("book/04_attention", "A query among keys and values"),
    "masking": ("book/06_masking", "A softmax with a mask and a temperature"),
    "matrix": ("book/05_scorers", "The matrix of the bilinear score"),
    "sampling": ("book/10_hard", "The soft context, and draws of the hard one"),
    "saturation": ("book/05_scorers", "Weights of random keys by vector size"),
    "window": ("book/09_local", "A window over a sentence"),
}
NUMBER = re.compile(r"−?\d+\.\d+")


def control(widget: Locator, name: str) -> Locator:
    return widget.get_by_label(name, exact=True).or_(widget.get_by_role("button", name=name, exact=True))


def work(widget: Locator, controls: dict[str, str | float | bool]) -> str:
    """What is said after controls, by name: a slider is set, a list chosen from, a box ticked, or a key pressed."""
    for name, how in controls.items():
        handle = control(widget, name)
        match handle.evaluate("handle => handle.type"), how:
            case "checkbox", bool():
                handle.set_checked(how)
            case "range" | "number", int() | float():
                handle.fill(str(how))
            case "select-one", str():
                handle.select_option(label=how)
            case _, int():
                for _ in range(how):
                    handle.click()
            case _:
                handle.press(str(how))
    return "\n".join([*widget.locator(".cw-spoken").all_inner_texts(), caption(widget)])


def numbers(text: str) -> list[float]:
    return [float(number.replace("−", "-")) for number in NUMBER.findall(text)]


def drawn(widget: Locator, texts: str) -> list[float]:
    return [float(text.split()[-1].replace("−", "-")) for text in widget.locator(f"text.{texts}").all_text_contents()]


def picture(widget: Locator) -> str:
    return "; ".join(image.get_attribute("aria-label") for image in widget.get_by_role("img").all())


def table(widget: Locator) -> list[list[str]]:
    rows = "rows => rows.map(row => [...row.querySelectorAll('td')].map(cell => cell.textContent))"
    return widget.locator("table tbody tr").evaluate_all(rows)


def caption(widget: Locator) -> str:
    return widget.locator("caption").text_content()
