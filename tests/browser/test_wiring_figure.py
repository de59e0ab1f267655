"""The decoders' wiring in chapters 7 and 8: stepped through by mouse, by touch and by keyboard."""

import pytest
from visits import PHONE

FIGURES = {"book/07_bahdanau": "#fig-bahdanau", "book/08_luong": "#fig-luong-wiring"}
LOOKS = {"light": {}, "dark": {"dark": True}, "phone": {"phone": True}}


@pytest.fixture(params=FIGURES)
def place(request):
    return request.param


def opened(visit, place, **looks):
    page = visit(place, fresh=True, **looks).page
    return page, page.locator(FIGURES[place])


def classes(figure, wiring, kind):
    boxes = figure.locator(f'[data-wiring="{wiring}"] .node[data-id^="{kind}"]')
    return boxes.evaluate_all(
        "boxes => boxes.map(box => [...box.classList].filter(one => /^(now|waits)$/.test(one))[0])"
    )


@pytest.mark.parametrize("looks", LOOKS)
def test_at_first_everything_is_there_and_next_begins_anew(visit, place, looks):
    page, figure = opened(visit, place, **LOOKS[looks])
    assert figure.locator(".waits, .now").count() == 0
    figure.get_by_role("button", name="Next").click()
    assert classes(figure, "bahdanau", "α") == ["waits"] * 3
    figure.get_by_role("button", name="Next").click()
    assert classes(figure, "bahdanau", "α") == ["now", "waits", "waits"]
    assert "α₁ = softmax(score(s₀, h))" in figure.locator('[data-wiring="bahdanau"] .wiring-said').inner_text()
    figure.get_by_role("button", name="Back").click()
    assert classes(figure, "bahdanau", "α") == ["waits"] * 3
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"]


def test_the_keyboard_reaches_every_step(visit, place):
    page, figure = opened(visit, place)
    slider = figure.get_by_role("slider", name="Step")
    slider.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert classes(figure, "bahdanau", "s") == [None, "now", "waits", "waits"]
    assert slider.get_attribute("aria-valuetext") == "step 3 of 11"
    page.keyboard.press("End")
    assert classes(figure, "bahdanau", "p") == ["now"] * 3


def test_play_goes_on_to_the_end_and_pauses(visit, place):
    page, figure = opened(visit, place)
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # from here time passes only as told
    figure.get_by_role("button", name="Play").click()
    page.clock.run_for(3500)
    assert classes(figure, "bahdanau", "s") == [None, "now", "waits", "waits"]
    figure.get_by_role("button", name="Pause").click()
    page.clock.run_for(3500)
    assert classes(figure, "bahdanau", "s") == [None, "now", "waits", "waits"]
    figure.get_by_role("button", name="Play").click()
    page.clock.run_for(30_000)
    assert figure.locator(".waits").count() == 0
    assert figure.get_by_role("button", name="Play").count() == 1


def test_luongs_states_are_computed_at_once_unless_they_are_fed_or_words_have_to_be_chosen(visit):
    _, figure = opened(visit, "book/08_luong")
    following = figure.get_by_role("button", name="Next")
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


def test_by_touch(browser, server, place):
    context = browser.new_context(viewport=PHONE, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{server}/{place}.html")
    figure = page.locator(FIGURES[place])
    for _ in range(3):
        figure.get_by_role("button", name="Next").tap()
    assert classes(figure, "bahdanau", "c") == ["now", "waits", "waits"]
    context.close()


def test_letters_can_be_read_on_a_phone(visit, place):
    _, figure = opened(visit, place, phone=True)
    heights = figure.locator(".node .letter").evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    assert min(heights) >= 12
