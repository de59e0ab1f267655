"""The player in chapter 12: every control by keyboard, and what it shows against the models' own numbers."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from visits import Visit, spoken

from seq2seq.demos.playback import Step
from seq2seq.experiments.playbacks import NAMES, SENTENCES, playbacks

Open = Callable[..., Visit]
PAGE = "book/12_alignment"


@pytest.fixture
def page(request: pytest.FixtureRequest, visit: Open) -> Page:
    return visit(PAGE, getattr(request, "param", "file"), fresh=True).page


@pytest.fixture
def player(page: Page) -> Locator:
    return page.get_by_role("group", name="A decoder, step by step")


@pytest.fixture(scope="module")
def trained() -> dict:
    return playbacks()


def slider(player: Locator) -> Locator:
    return player.get_by_role("slider", name="Step", exact=True)


def said(player: Locator) -> list[str]:
    return player.locator(".pl-said li:visible").all_inner_texts()


def assert_shows(player: Locator, source: tuple[str, ...], step: Step) -> None:
    """Words, weights, candidates and context of the step, as its numbers say, to the digits that are shown."""
    cells = [text.split("\n") for text in player.locator(".pl-source li").all_inner_texts()]
    assert [cell[0] for cell in cells] == list(source)
    assert [float(cell[-1]) for cell in cells] == pytest.approx(step.weights, abs=0.0056)
    may = [text.split("\n") for text in player.locator(".pl-may li").all_inner_texts()]
    assert [word for word, _ in may] == [word for word, _ in step.candidates]
    chances = [0.0 if "<" in chance else float(chance) for _, chance in may]
    assert chances == pytest.approx([chance for _, chance in step.candidates], abs=0.0011)
    low, high = re.search(r"from (\S+) to (\S+)", player.locator(".pl-strip").get_attribute("aria-label")).groups()
    shown = [float(number.replace("−", "-")) for number in (low, high)]
    assert shown == pytest.approx([min(step.context), max(step.context)], abs=0.5 / 31 + 0.006)


@pytest.mark.parametrize("page", ["http", "file"], indirect=True)
def test_every_step_of_every_model_and_sentence(player: Locator, page: Page, trained: dict) -> None:
    for name, kept in trained.items():
        player.get_by_label("Model").select_option(label=name)
        for playback in kept[:4]:
            player.get_by_label("Sentence").select_option(label=" ".join(playback.source))
            slider(player).press("Home")
            for number, step in enumerate(playback.steps, 1):
                assert said(player) == [before.said for before in playback.steps[:number]]
                assert f"Step {number} of {len(playback.steps)}: reads “{step.read}”" in spoken(player)
                assert_shows(player, playback.source, step)
                slider(player).press("ArrowRight")


def test_choices_name_models_and_sentences(player: Locator) -> None:
    assert player.get_by_label("Model").locator("option").all_inner_texts() == list(NAMES)
    assert player.get_by_label("Sentence").locator("option").all_inner_texts() == list(SENTENCES)


def test_buttons_step_by_keyboard(player: Locator, page: Page) -> None:
    back, forward = (player.get_by_role("button", name=name) for name in ("Back", "Forward"))
    expect(back).to_be_disabled()
    forward.press("Enter")
    forward.press(" ")
    assert len(said(player)) == 3
    back.press("Enter")
    assert len(said(player)) == 2
    page.keyboard.press("ArrowRight")  # the focus is on a button: the keys of the slider work there too
    assert len(said(player)) == 3


def test_table_and_its_name_grow_with_the_steps(player: Locator) -> None:
    grid = player.locator(".pl-grid")
    slider(player).press("End")
    steps = int(slider(player).get_attribute("max"))
    assert grid.locator(".pl-label").count() == steps
    assert grid.locator(".pl-cell").count() == steps * len(SENTENCES[0].split())
    assert grid.get_attribute("aria-label").count("looks most at") == steps
    slider(player).press("Home")
    assert grid.locator(".pl-label").count() == 1


def test_text_follows_the_step(player: Locator) -> None:
    player.locator("summary", has_text="As text").press("Enter")
    slider(player).press("ArrowRight")
    rows = player.locator(".cw-table tbody tr")
    assert rows.count() == 2
    assert rows.nth(1).locator("th").inner_text() == "voitures"
    assert [cell.inner_text() for cell in rows.nth(1).locator("td").all()][:2] == ["les", "0.00"]


def test_model_changes_and_the_step_stays(player: Locator) -> None:
    slider(player).press("End")
    slider(player).press("ArrowLeft")
    before = slider(player).input_value()
    select = player.get_by_label("Model")
    select.focus()
    select.press("ArrowDown")
    assert select.input_value() == "1"
    assert slider(player).input_value() == before


def test_play_stops_at_the_end_and_begins_again(player: Locator, page: Page) -> None:
    page.clock.install()
    player.get_by_label("Sentence").select_option(label=SENTENCES[1])
    play = player.locator(".pl-play")
    last = int(slider(player).get_attribute("max"))
    slider(player).focus()
    page.keyboard.press(" ")
    expect(play).to_have_text("Pause")
    page.clock.run_for(1200 * last)
    expect(play).to_have_text("Play")
    assert slider(player).input_value() == str(last)
    play.press("Enter")
    assert slider(player).input_value() == "1"
    page.keyboard.press("Enter")
    page.clock.run_for(5000)
    assert slider(player).input_value() == "1"


def cell(player: Locator, turn: int, place: int) -> Locator:
    return player.locator(f".pl-cell[data-turn='{turn}'][data-place='{place}']")


def test_a_cell_says_its_words_and_its_weight(player: Locator, trained: dict) -> None:
    slider(player).press("End")
    kept = next(iter(trained.values()))[0]
    told = player.locator(".pl-cell-said")
    for turn, place in ((1, 2), (4, 4), (0, 0)):
        cell(player, turn, place).hover()
        step = kept.steps[turn]
        expected = (
            f"Step {turn + 1}, which says “{step.said}”: weight {step.weights[place]:.3f} on “{kept.source[place]}”."
        )
        expect(told).to_have_text(expected)
    player.locator(".pl-title").first.hover()
    expect(told).to_have_text(re.compile("^Point at a cell"))


def test_keys_work_after_a_click_on_the_heat_map(player: Locator, page: Page) -> None:
    slider(player).press("End")
    cell(player, 2, 1).click()
    assert spoken(player).startswith("Step 3 of ")
    expect(player.locator(".pl-cell-said")).to_have_text(re.compile("^Step 3, .* on “french”"))
    page.keyboard.press("ArrowRight")
    assert spoken(player).startswith("Step 4 of ")
    expect(player.locator(".pl-cell-said")).to_have_text(re.compile("^Step 4, .* on “french”"))
    page.keyboard.press("ArrowDown")
    expect(player.locator(".pl-cell-said")).to_have_text(re.compile("on “cars”"))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(player.locator(".pl-cell-said")).to_have_text(re.compile("on “the”"))
    page.keyboard.press("ArrowLeft")
    assert spoken(player).startswith("Step 3 of ")


@pytest.mark.parametrize("where", [".pl-grid", ".pl-strip", ".cw-spoken", ".pl-said", ".pl-source", ".pl-may"])
def test_space_plays_wherever_one_has_clicked(player: Locator, page: Page, where: str) -> None:
    page.clock.install()
    for model in range(len(NAMES)):
        player.get_by_label("Model").select_option(index=model)
        slider(player).press("Home")
        player.locator(where).first.click()
        before = page.evaluate("scrollY")
        page.keyboard.press(" ")
        expect(player.locator(".pl-play")).to_have_text("Pause")
        page.keyboard.press(" ")
        expect(player.locator(".pl-play")).to_have_text("Play")
        assert page.evaluate("scrollY") == before


def test_keys_go_on_where_a_button_has_come_to_its_end(player: Locator, page: Page) -> None:
    slider(player).press("End")
    slider(player).press("ArrowLeft")
    player.get_by_role("button", name="Forward").press("Enter")
    expect(player.get_by_role("button", name="Forward")).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    assert int(slider(player).input_value()) == int(slider(player).get_attribute("max")) - 1


def test_nothing_below_the_table_moves(player: Locator) -> None:
    below = player.locator("summary", has_text="As text")
    places = set()
    for number in (1, 3, 6, 10):
        slider(player).fill(str(number))
        places.add(below.evaluate("one => one.getBoundingClientRect().top + scrollY"))
    assert max(places) - min(places) < 1


def test_nothing_moves_by_itself(player: Locator, page: Page) -> None:
    page.wait_for_timeout(1500)
    assert slider(player).input_value() == "1"


def test_what_changed_is_read_out(player: Locator) -> None:
    heard = player.locator("[aria-live=polite]")
    assert heard.inner_text() == ""
    slider(player).press("ArrowRight")
    expect(heard).to_have_text(re.compile("^Step 2 of 10: reads “les”, looks most at “cars”"))


def test_page_without_a_kernel_has_no_field_to_type_in(player: Locator) -> None:
    assert player.get_by_role("textbox").count() == 0


@pytest.fixture
def phone(visit: Open) -> Page:
    return visit(PAGE, phone=True, fresh=True).page


def test_longest_sentence_fits_a_phone(phone: Page) -> None:
    player = phone.get_by_role("group", name="A decoder, step by step")
    player.get_by_label("Sentence").select_option(label=SENTENCES[-1])
    slider(player).press("End")
    player.locator("summary", has_text="As text").press("Enter")
    assert phone.evaluate("() => document.documentElement.scrollWidth") <= 390
    sizes = player.locator(".pl-grid text").evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
    assert max(sizes) <= 390
