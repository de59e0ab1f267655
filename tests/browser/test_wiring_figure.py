"""The decoders' wiring in chapters 7 and 8: stepped through by mouse, by touch and by keyboard."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator
from visits import Visit

FIGURES = {"book/07_bahdanau": "#fig-bahdanau", "book/08_luong": "#fig-luong-wiring"}
Show = Callable[..., Locator]

each_figure = pytest.mark.parametrize("name", FIGURES)


@pytest.fixture
def show(bare: Callable[..., Visit]) -> Show:
    return lambda name, mode="light": bare(name, mode).page.locator(FIGURES[name])


def button(figure: Locator, name: str) -> Locator:
    return figure.get_by_role("button", name=name)


def classes(figure: Locator, wiring: str, kind: str) -> list[str | None]:
    boxes = figure.locator(f'[data-wiring="{wiring}"] .node[data-id^="{kind}"]')
    return boxes.evaluate_all(
        "boxes => boxes.map(box => [...box.classList].filter(name => /^(now|waits)$/.test(name))[0])"
    )


@each_figure
@pytest.mark.parametrize("mode", ["dark", "phone"])
def test_at_first_everything_is_there_and_next_begins_anew(show: Show, name: str, mode: str):
    figure, hand = show(name, mode), "tap" if mode == "phone" else "click"

    def press(words: str) -> None:
        getattr(button(figure, words), hand)()

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
    assert figure.page.evaluate("document.documentElement.scrollWidth") <= figure.page.viewport_size["width"]
    if mode == "phone":
        letters = figure.locator(".node .letter")
        assert min(letters.evaluate_all("all => all.map(letter => letter.getBoundingClientRect().height)")) >= 12


@each_figure
def test_the_keyboard_reaches_every_step(show: Show, name: str):
    figure = show(name)
    slider = figure.get_by_role("slider", name="Step")
    slider.press("Home")
    for _ in range(3):
        slider.press("ArrowRight")
    assert classes(figure, "bahdanau", "s") == [None, "now", "waits", "waits"]
    assert slider.get_attribute("aria-valuetext") == "step 3 of 11"
    slider.press("End")
    assert classes(figure, "bahdanau", "p") == ["now"] * 3


@each_figure
def test_play_goes_on_to_the_end_and_pauses(show: Show, name: str):
    figure = show(name, "clock")
    clock = figure.page.clock
    clock.install(time=0)
    clock.pause_at(1000)  # from here time passes only as told
    button(figure, "Play").click()
    clock.run_for(3500)
    assert classes(figure, "bahdanau", "s") == [None, "now", "waits", "waits"]
    button(figure, "Pause").click()
    clock.run_for(3500)
    assert classes(figure, "bahdanau", "s") == [None, "now", "waits", "waits"]
    button(figure, "Play").click()
    clock.run_for(30_000)
    assert figure.locator(".waits").count() == 0
    assert button(figure, "Play").count() == 1


def test_luongs_states_are_computed_at_once_unless_they_are_fed_or_words_have_to_be_chosen(show: Show):
    figure = show("book/08_luong")
    following = button(figure, "Next")
    following.click()
    following.click()
    assert classes(figure, "luong", "s") == [None, "now", "now", "now"]
    assert classes(figure, "bahdanau", "s") == [None, "waits", "waits", "waits"]
    assert figure.locator(".fed:visible").count() == 0
    figure.get_by_role("checkbox", name="input feeding").check()
    following.click()
    assert figure.locator(".fed:visible").count() == 2
    assert classes(figure, "luong", "s") == [None, "now", "waits", "waits"]
    figure.get_by_role("checkbox", name="input feeding").uncheck()
    figure.get_by_role("combobox", name="Mode").select_option("translating")
    following.click()
    assert classes(figure, "luong", "s") == [None, "now", "waits", "waits"]
    assert classes(figure, "luong", "y") == [None, "waits", "waits"]
    assert "1 of 17." in figure.locator('[data-wiring="luong"] .wiring-said').inner_text()
