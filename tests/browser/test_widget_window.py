"""The windows to push, in chapter 9; the script's weights against the library's, and the model's as it was trained."""

import json
import re
from collections.abc import Callable

import pytest
import torch
from playwright.sync_api import Browser, Locator
from visits import Visit, spoken

from scripts import called
from seq2seq.experiments.recipe import RESULTS
from seq2seq.local.attention import gaussian_window_softmax, window_softmax

Open = Callable[..., Visit]


@pytest.fixture(params=["http", "file"])
def widget(visit: Open, request: pytest.FixtureRequest) -> Locator:
    page = visit("book/09_local", request.param, fresh=True).page
    return page.get_by_role("group", name="A window over a sentence")


@pytest.fixture(params=[False, True], ids=["desktop", "phone"])
def beside(visit: Open, request: pytest.FixtureRequest) -> Locator:
    page = visit("book/09_local", phone=request.param, fresh=True).page
    return page.get_by_role("group", name="Your window beside a trained model's")


@pytest.fixture(scope="module")
def kept() -> list[dict]:
    return json.loads((RESULTS / "centres.json").read_text())["windows"]


def on_gold(widget: Locator) -> list[float | None]:
    """What falls on the right word, with the reader's centre and with the model's."""
    texts = widget.locator(".wd-sum").all_text_contents()
    return [float(text.split()[-1]) if ":" in text else None for text in texts]


def sums(widget: Locator) -> list[float]:
    return [float(text.split()[-1]) for text in widget.locator(".wd-sum").all_text_contents()]


def test_script_computes_the_library_s_weights(browser: Browser):
    scores = torch.randn(12, generator=torch.Generator().manual_seed(0))
    cases = [[scores.tolist(), centre / 4, half] for centre in range(-16, 65) for half in (1, 2, 4, 6)]
    for found, (_, centre, half) in zip(called(browser, "window", "localWeights", cases), cases, strict=True):
        given = scores.view(1, 1, -1), torch.arange(12), torch.tensor([[centre]]), half, torch.ones(1, 1, 12) > 0
        torch.testing.assert_close(torch.tensor(found["softmax"], dtype=torch.float), window_softmax(*given)[0, 0])
        torch.testing.assert_close(
            torch.tensor(found["product"], dtype=torch.float), gaussian_window_softmax(*given)[0, 0]
        )


def test_gaussian_takes_from_the_sum(widget):
    within, favoured = sums(widget)
    assert within == 1
    assert 0.3 < favoured < 1


def test_arrow_keys_push_the_window(widget):
    before = widget.get_by_role("img").get_attribute("aria-label")
    for _ in range(20):
        widget.get_by_role("slider", name="Centre p").press("ArrowRight")
    assert widget.get_by_role("img").get_attribute("aria-label") != before
    assert "beyond the end" in spoken(widget)


def test_window_beyond_the_end_is_empty(widget):
    widget.get_by_role("slider", name="Centre p").press("End")
    widget.get_by_role("slider", name="Half width D").press("Home")
    assert sums(widget) == [0, 0]
    assert "holds no word" in spoken(widget)


def test_window_at_the_beginning_shares_the_whole_one(widget):
    widget.get_by_role("slider", name="Centre p").press("Home")
    assert sums(widget)[0] == 1
    assert "beyond the beginning: the 2 words inside share" in spoken(widget)


def test_table_follows(widget):
    widget.get_by_role("slider", name="Half width D").press("Home")
    widget.locator("summary").click()
    assert widget.locator("tbody tr", has_text="outside").count() == 10


def test_a_ring_pushes_the_window(widget):
    before = widget.get_by_role("slider", name="Centre p").input_value()
    ring = widget.locator("[data-handle=centre]")
    ring.scroll_into_view_if_needed()
    box = ring.bounding_box()
    mouse = widget.page.mouse
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move(box["x"] + 120, box["y"] + box["height"] / 2)
    mouse.up()
    assert float(widget.get_by_role("slider", name="Centre p").input_value()) > float(before) + 1


def test_the_model_s_window_is_what_it_was_in_training(beside, kept):
    for number, sentence in enumerate(kept):
        beside.get_by_role("combobox", name="Sentence").select_option(index=number)
        for step in range(0, len(sentence["target"]), 3):
            beside.get_by_role("slider", name="French word").fill(str(step))
            theirs = on_gold(beside)[1]
            assert theirs == pytest.approx(sentence["on_right"][step], abs=0.02)
            said = spoken(beside)
            assert f"“{sentence['target'][step]}”" in said
            assert all(f"“{sentence['source'][place]}” ({place})" in said for place in sentence["right"][step])


def test_the_reader_s_centre_finds_what_the_model_s_loses(beside, kept):
    lost = kept[4]["target"].index("avocat")
    beside.get_by_role("combobox", name="Sentence").select_option(index=4)
    beside.get_by_role("slider", name="French word").fill(str(lost))
    beside.get_by_role("slider", name="Centre p").fill(str(kept[4]["right"][lost][0]))
    mine, theirs = on_gold(beside)
    assert theirs == 0
    assert mine > 0.8
    assert beside.locator(".wd-gold").count() == 2


def test_the_model_s_centre_can_be_taken(beside, kept):
    beside.get_by_role("slider", name="French word").fill("2")
    beside.get_by_role("button", name="Take the model's centre").press("Enter")
    mine, theirs = on_gold(beside)
    assert mine == pytest.approx(theirs, abs=0.03)
    taken = float(beside.get_by_role("slider", name="Centre p").input_value())
    assert taken == pytest.approx(kept[0]["centres"][2], abs=0.051)


def test_nothing_moves_from_word_to_word(beside):
    below = beside.locator("summary")
    places = set()
    for step in range(4):
        beside.get_by_role("slider", name="French word").fill(str(step))
        places.add(below.evaluate("one => one.getBoundingClientRect().top + scrollY"))
    assert max(places) - min(places) < 1


def test_both_windows_are_in_the_text(beside):
    beside.locator("summary").click()
    columns = beside.locator("thead th").all_inner_texts()
    assert "your softmax" in columns
    assert "model's softmax" in columns
    assert re.search(r"your centre \S+ with half width 5", beside.locator("caption").inner_text())
