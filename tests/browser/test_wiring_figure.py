"""The decoders' wiring in chapters 7 and 8: stepped through by mouse, by touch and by keyboard."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator
from visits import Visit

FIGURES = {"book/07_bahdanau": "#fig-bahdanau", "book/08_luong": "#fig-luong-wiring"}
Show = Callable[..., Locator]


@pytest.fixture
def show(bare: Callable[..., Visit]) -> Show:
    return lambda name, mode="light": bare(name, mode).page.locator(FIGURES[name])


def button(figure: Locator, name: str) -> Locator:
    return figure.get_by_role("button", name=name)


def classes(figure: Locator, wiring: str, kind: str) -> list[str | None]:
    names = "boxes => boxes.map(box => [...box.classList].filter(name => /^(now|waits)$/.test(name))[0])"
    return figure.locator(f'[data-wiring="{wiring}"] .node[data-id^="{kind}"]').evaluate_all(names)


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize(("mode", "hand"), {"light": "focus", "dark": "click", "phone": "tap"}.items())
def test_at_first_everything_is_there_and_next_begins_anew(show: Show, name: str, mode: str, hand: str):
    figure = show(name, mode)

    def press(words: str) -> None:
        getattr(button(figure, words), hand)()
        if hand == "focus":
            figure.page.keyboard.press("Enter")

    assert figure.locator(".waits, .now").count() == 0
    press("Next")
    assert classes(figure, "bahdanau", "α") == ["waits"] * 3
    press("Next")
    assert classes(figure, "bahdanau", "α") == ["now", "waits", "waits"]
    assert "α₁ = softmax(score(s₀, h))" in figure.locator('[data-wiring="bahdanau"] .wiring-said').inner_text()
    press("Next")
    assert classes(figure, "bahdanau", "c") == ["now", "waits", "waits"]
    for _ in range(2):
        press("Back")
    assert classes(figure, "bahdanau", "α") == ["waits"] * 3
    slider = figure.get_by_role("slider", name="Step")
    slider.press("Home")
    for _ in range(3):
        slider.press("ArrowRight")
    assert classes(figure, "bahdanau", "s") == [None, "now", "waits", "waits"]
    assert slider.get_attribute("aria-valuetext") == "step 3 of 11"
    slider.press("End")
    assert classes(figure, "bahdanau", "p") == ["now"] * 3
    assert figure.page.evaluate("document.documentElement.scrollWidth") <= figure.page.viewport_size["width"]
    if mode == "phone":
        letters = figure.locator(".node .letter")
        assert min(letters.evaluate_all("all => all.map(letter => letter.getBoundingClientRect().height)")) >= 12


def test_luongs_states_are_computed_at_once_unless_they_are_fed_or_words_have_to_be_chosen(show: Show):
    figure = show("book/08_luong")
    following, feeding = button(figure, "Next"), figure.get_by_role("checkbox", name="input feeding")
    for _ in range(2):
        following.click()
    assert classes(figure, "luong", "s") == [None, "now", "now", "now"]
    assert classes(figure, "bahdanau", "s") == [None, "waits", "waits", "waits"]
    assert figure.locator(".fed:visible").count() == 0
    feeding.check()
    following.click()
    assert figure.locator(".fed:visible").count() == 2
    assert classes(figure, "luong", "s") == [None, "now", "waits", "waits"]
    feeding.uncheck()
    figure.get_by_role("combobox", name="Mode").select_option("translating")
    following.click()
    assert classes(figure, "luong", "s") == [None, "now", "waits", "waits"]
    assert classes(figure, "luong", "y") == [None, "waits", "waits"]
    assert "1 of 17." in figure.locator('[data-wiring="luong"] .wiring-said').inner_text()
