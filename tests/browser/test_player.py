"""The player in chapter 12: every control by keyboard, and what it shows against the models' own numbers."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from visits import PHONE, Open, spoken

from seq2seq.experiments.playbacks import NAMES, SENTENCES, playbacks
from seq2seq.widgets.playback import Playback, Step


@pytest.fixture
def page(request: pytest.FixtureRequest, bare: Open) -> Page:
    return bare("book/12_alignment", getattr(request, "param", "light")).page


@pytest.fixture
def player(page: Page) -> Locator:
    return page.get_by_role("group", name="A decoder, step by step")


@pytest.fixture(scope="module")
def trained() -> dict[str, list[Playback]]:
    return playbacks()


def slider(player: Locator) -> Locator:
    return player.get_by_role("slider", name="Step", exact=True)


def words_said(player: Locator) -> list[str]:
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
    ends = [float(number.replace("−", "-")) for number in (low, high)]
    assert ends == pytest.approx([min(step.context), max(step.context)], abs=0.5 / 31 + 0.006)


@pytest.mark.parametrize("count", [1, pytest.param(4, marks=pytest.mark.long("every sentence"))])
def test_every_step_of_every_model_and_sentence(player: Locator, trained: dict[str, list[Playback]], count: int):
    grid = player.locator(".pl-grid")
    for number, (name, runs) in enumerate(trained.items()):
        player.get_by_label("Model").select_option(label=name)
        for playback in runs[:4] if count > 1 else [runs[number]]:
            player.get_by_label("Sentence").select_option(label=" ".join(playback.source))
            slider(player).press("Home")
            for place, step in enumerate(playback.steps, 1):
                assert words_said(player) == [before.word for before in playback.steps[:place]]
                assert f"Step {place} of {len(playback.steps)}: reads “{step.read}”" in spoken(player)
                assert_shows(player, playback.source, step)
                assert grid.locator(".pl-label").count() == place
                assert grid.locator(".pl-cell").count() == place * len(playback.source)
                assert grid.get_attribute("aria-label").count("looks most at") == place
                slider(player).press("ArrowRight")


def test_at_first_it_names_models_and_sentences_and_rests_then_buttons_and_keys_step(player: Locator, page: Page):
    assert player.get_by_label("Model").locator("option").all_inner_texts() == list(NAMES)
    assert player.get_by_label("Sentence").locator("option").all_inner_texts() == list(SENTENCES)
    assert player.get_by_role("textbox").count() == 0, "without a kernel there is nothing to type in"
    heard = player.locator("[aria-live=polite]")
    assert heard.inner_text() == ""
    slider(player).press("ArrowRight")
    expect(heard).to_have_text(re.compile("^Step 2 of 10: reads “les”, looks most at “cars”"))
    slider(player).press("Home")
    back, forward = (player.get_by_role("button", name=name) for name in ("Back", "Forward"))
    expect(back).to_be_disabled()
    for button, key, count in ((forward, "Enter", 2), (forward, " ", 3), (back, "Enter", 2)):
        button.press(key)
        assert len(words_said(player)) == count
    rows = player.locator(".cw-table tbody tr")
    assert rows.count() == 2
    assert rows.nth(1).locator("th").text_content() == "voitures"
    assert rows.nth(1).locator("td").all_text_contents()[:2] == ["les", "0.00"]
    page.keyboard.press("ArrowRight")  # the focus is on a button: the keys of the slider work there too
    assert len(words_said(player)) == 3
    slider(player).press("End")
    slider(player).press("ArrowLeft")
    forward.press("Enter")
    expect(forward).to_be_disabled()
    page.keyboard.press("ArrowLeft")  # the keys go on where a button has come to its end
    last = int(slider(player).get_attribute("max"))
    assert slider(player).input_value() == str(last - 1)
    select = player.get_by_label("Model")
    select.focus()
    select.press("ArrowDown")
    assert select.input_value() == "1"
    assert slider(player).input_value() == str(last - 1), "the model changes and the step stays"


@pytest.mark.parametrize("page", ["clock"], indirect=True)
def test_space_plays_wherever_one_has_clicked(player: Locator, page: Page):
    page.clock.install()
    for place, part in enumerate((".pl-grid", ".pl-strip", ".cw-spoken", ".pl-said", ".pl-source", ".pl-may")):
        player.get_by_label("Model").select_option(index=place % len(NAMES))
        slider(player).press("Home")
        player.locator(part).first.click()
        before = page.evaluate("scrollY")
        page.keyboard.press(" ")
        expect(player.locator(".pl-play")).to_have_text("Pause")
        page.keyboard.press(" ")
        expect(player.locator(".pl-play")).to_have_text("Play")
        assert page.evaluate("scrollY") == before


def test_cells_are_pointed_at_clicked_and_walked_by_keys(
    player: Locator, page: Page, trained: dict[str, list[Playback]]
):
    slider(player).press("End")
    playback = next(iter(trained.values()))[0]
    readout = player.locator(".pl-cell-said")
    for turn, place in ((1, 2), (4, 4), (0, 0)):
        cell(player, turn, place).hover()
        step = playback.steps[turn]
        weight = f"weight {step.weights[place]:.3f} on “{playback.source[place]}”"
        expect(readout).to_have_text(f"Step {turn + 1}, which says “{step.word}”: {weight}.")
    player.locator(".pl-title").first.hover()
    expect(readout).to_have_text(re.compile("^Point at a cell"))
    cell(player, 2, 1).click()
    assert spoken(player).startswith("Step 3 of ")
    expect(readout).to_have_text(re.compile("^Step 3, .* on “french”"))
    for key, words in {
        "Right": "^Step 4, .*french",
        "Down": "cars”",
        "Up": "french”",
        "Left": "^Step 3, .*french",
    }.items():
        page.keyboard.press(f"Arrow{key}")
        expect(readout).to_have_text(re.compile(words))
    assert spoken(player).startswith("Step 3 of ")


def cell(player: Locator, turn: int, place: int) -> Locator:
    return player.locator(f".pl-cell[data-turn='{turn}'][data-place='{place}']")


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_longest_sentence_fits_a_phone(player: Locator, page: Page):
    player.get_by_label("Sentence").select_option(label=SENTENCES[-1])
    slider(player).press("End")
    player.locator("summary", has_text="As text").press("Enter")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    rights = player.locator(".pl-grid text").evaluate_all("all => all.map(text => text.getBoundingClientRect().right)")
    assert max(rights) <= PHONE["width"]
