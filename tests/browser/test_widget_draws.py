"""Widgets that draw and search step by step, beside the library's own draws and winners."""

import re

import pytest
import torch
from playwright.sync_api import Locator
from visits import spoken
from worked import Show, caption, control, picture, table, work

from seq2seq.experiments.searches import BEAM_SIZES, PENALTIES, SENTENCES, search, winner
from seq2seq.hard.attention import choice_at
from seq2seq.widgets.sampling import luck


def counted(widget: Locator) -> list[int]:
    return [int(re.search(r"\d+", text)[0]) for text in widget.locator("text.sp-count").all_text_contents()]


def test_draws_come_in_the_same_order_for_everyone_and_the_mean_of_many_near_the_soft_context(show: Show):
    widget = show("sampling")
    counts = [counted(widget) for _ in range(6) if work(widget, {"Draw": "Enter"})]
    uniform = torch.tensor(luck(6, torch.Generator().manual_seed(0)))
    expected = choice_at(torch.tensor([0.5, 0.3, 0.2]).expand(6, -1), uniform).cumsum(0).int().tolist()
    assert counts == expected
    assert "nothing is drawn yet" in work(widget, {"Begin again": 1})
    assert counted(widget) == [0, 0, 0]
    work(widget, {"Draw 100": "Space"})
    before = counted(widget)
    assert "Temperature 0.1, 100 draws" in work(widget, {"Temperature τ": "Home"})
    assert counted(widget)[0] > 95 > before[0], "at a low temperature every draw is the soft context"
    text = work(widget, {"Begin again": 1, "Temperature τ": 5, "Draw 100": 10})
    assert sum(counted(widget)) == 1000
    off, expected = map(float, re.search(r"([\d.]+) from it, where ([\d.]+) is to be expected", text).groups())
    assert off < 3 * expected < 0.12
    assert control(widget, "Draw 100").is_disabled()
    assert "1 draw." in work(widget, {"Begin again": 1, "Draw": 1})
    assert "drawn 1 time" in widget.locator("text.sp-count").all_text_contents()


def test_many_draws_come_near_and_a_baseline_comes_nearer_and_learns_faster(show: Show):
    widget = show("estimate")
    estimate, learnt = widget.locator(".cw-spoken").all()

    def off() -> list[float]:
        pattern = r"is ([\d.]+) from the exact gradient \(.*?\), .*? ([\d.]+) \("
        return [float(number) for number in re.search(pattern, estimate.inner_text()).groups()]

    assert "Nothing is drawn yet" in estimate.inner_text()
    work(widget, {"Draw": "Enter"})
    first = off()
    assert "After 901 draws" in work(widget, {"Draw 100": 9})
    without, with_baseline = off()
    assert with_baseline < without < first[0]
    assert len(table(widget)) == 8
    assert "variance of one draw" in caption(widget)
    assert "Nothing is drawn yet" in work(widget, {"No draws": 1, "Learn 50 steps": "Enter"})
    pattern = r"is −(\S+) without a baseline \(spread (\S+)\) and −(\S+) with the mean reward \(spread (\S+)\)"
    without, spread, with_baseline, spread_with = map(float, re.search(pattern, learnt.inner_text()).groups())
    assert with_baseline < without
    assert 3 * spread_with < spread
    assert widget.locator(".es-run.es-none").count() == 12
    assert "Nothing is learnt yet" in work(widget, {"Begin again": 1})
    average = {"Baseline of the right half": "moving average of the draws before"}
    assert "with a moving average" in work(widget, average | {"Learn a step": "Enter"})
    assert "After 1 step " in work(widget, {"Draws per step": "End", "Step size": "Home"})


def won(widget: Locator) -> str:
    work(widget, {"Step": "End"})
    return re.search("“(.*)” has won", spoken(widget))[1]


@pytest.mark.parametrize(
    "sources", [list(SENTENCES)[1:2], pytest.param(list(SENTENCES)[2:4], marks=pytest.mark.long("every sentence"))]
)
def test_every_search_ends_with_the_library_s_winner(show: Show, sources: list[str]):
    widget = show("beam")
    for source in sources:
        work(widget, {"Sentence": source})
        for size in BEAM_SIZES:
            work(widget, {"Beam size": BEAM_SIZES.index(size)})
            for name, penalty in PENALTIES.items():
                work(widget, {"Length penalty": name})
                expected = " ".join(winner(search(source.split(), size, penalty), penalty))
                assert won(widget) == expected
                assert (", the reference" in spoken(widget)) == (expected == SENTENCES[source])


def test_tree_grows_by_keyboard(show: Show):
    widget, nodes = show("beam"), []
    assert "begins with one hypothesis" in work(widget, {"Step": "Home"})
    assert control(widget, "Back").is_disabled()
    before = picture(widget)
    for _ in range(3):
        nodes.append(widget.locator("text.bm-word").count())
        work(widget, {"Next step": "Enter"})
    assert nodes == [1, 4, 7]
    assert len(table(widget)) == 9
    assert picture(widget) != before
    steps = [spoken(widget)]
    for place, key in (("Back", "Space"), (".cw-sideways:has(svg)", "ArrowRight"), ("Next step", "ArrowLeft")):
        (widget.locator(place) if place[0] == "." else control(widget, place)).press(key)
        steps.append(spoken(widget))
    assert [step.partition(" of ")[0] for step in steps] == ["Step 3", "Step 2", "Step 3", "Step 2"]
    work(widget, {"Step": "End"})
    assert control(widget, "Next step").is_disabled()


def test_penalty_changes_the_winner_and_scores_fall_from_the_best_on(show: Show):
    widget, winners = show("beam"), {}
    work(widget, {"Sentence": "the girl never breaks any computers .", "Beam size": BEAM_SIZES.index(5)})
    for penalty in ("none", "mean per word"):
        work(widget, {"Length penalty": penalty})
        winners[penalty] = won(widget)
        assert widget.locator(".bm-done li strong").first.inner_text() == winners[penalty]
    assert len(winners["mean per word"].split()) > len(winners["none"].split())
    ended = widget.locator(".bm-done li").all_inner_texts()
    scores = [float(re.search(r"score −([\d.]+)", text)[1]) for text in ended]
    assert scores == sorted(scores)
    dashes = widget.locator("path.bm-pruned").first.evaluate("path => getComputedStyle(path).strokeDasharray")
    assert re.findall(r"\d+", dashes) == ["4", "4"]
    assert widget.locator("path.bm-won").count() > 3


@pytest.mark.parametrize("mode", ["light", "phone"])
def test_the_step_that_is_shown_can_be_seen(show: Show, mode: str):
    widget = show("beam", mode)
    edges = """widget => {
        const at = (where) => widget.querySelector(where).getBoundingClientRect();
        return [at(".bm-column").left - at(".cw-sideways").left, at(".cw-sideways").right - at(".bm-column").right];
    }"""
    work(widget, {"Sentence": list(SENTENCES)[-1], "Step": "End"})
    assert min(widget.evaluate(edges)) >= -1
    work(widget, {"Step": "Home"})
    assert widget.evaluate(edges)[0] >= -1
