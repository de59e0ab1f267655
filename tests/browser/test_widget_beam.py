"""The search to step through, in chapter 11."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator
from visits import Visit, spoken

from scripts import called

Open = Callable[..., Visit]

TREE = [  # word, log-probability, parent, step, score
    ["<bos>", 0.0, None, 0, None],
    ["a", -0.5, 0, 1, None],
    ["b", -1.0, 0, 1, None],
    ["c", -0.7, 1, 2, None],
    ["<eos>", -1.1, 2, 2, -1.1],
    ["<eos>", -0.9, 3, 3, -0.9],
]


@pytest.fixture(params=["http", "file"])
def widget(visit: Open, request: pytest.FixtureRequest) -> Locator:
    page = visit("book/11_decoding", request.param, fresh=True).page
    return page.get_by_role("group", name="A beam search, step by step")


def set_slider(widget: Locator, name: str, value: int) -> None:
    widget.get_by_role("slider", name=name).fill(str(value))


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (0, ["open", "pruned", "pruned", "pruned", "pruned", "pruned"]),
        (1, ["open", "open", "open", "pruned", "pruned", "pruned"]),
        (2, ["open", "open", "open", "open", "closed", "pruned"]),
        (3, ["open", "open", "open", "open", "closed", "closed"]),
    ],
)
def test_branch_without_offspring_is_pruned(browser: Browser, step: int, expected: list[str]):
    assert called(browser, "beam", "standing", [[TREE, step]]) == [expected]


def test_way_leads_from_the_first_word_to_the_last(browser: Browser):
    assert called(browser, "beam", "way", [[TREE, 5], [TREE, 4], [TREE, 0]]) == [[1, 3, 5], [2, 4], []]


def test_tree_grows_by_keyboard(widget):
    nodes = []
    widget.get_by_role("slider", name="Step").press("Home")
    assert "begins with one hypothesis" in spoken(widget)
    for _ in range(3):
        nodes.append(widget.locator("text.bm-word").count())
        widget.get_by_role("button", name="Next step").press("Enter")
    assert nodes == [1, 4, 7]
    assert spoken(widget).startswith("Step 3 of ")
    widget.get_by_role("button", name="Back").press("Space")
    assert spoken(widget).startswith("Step 2 of ")


def test_first_and_last_step_have_no_neighbour(widget):
    widget.get_by_role("slider", name="Step").press("Home")
    assert widget.get_by_role("button", name="Back").is_disabled()
    widget.get_by_role("slider", name="Step").press("End")
    assert widget.get_by_role("button", name="Next step").is_disabled()


def test_pruned_branches_are_dashed(widget):
    set_slider(widget, "Beam size", 5)
    widget.get_by_role("slider", name="Step").press("End")
    dashes = widget.locator("line.bm-pruned").first.evaluate("line => getComputedStyle(line).strokeDasharray")
    assert re.findall(r"\d+", dashes) == ["4", "4"]
    assert widget.locator("line.bm-won").count() > 3


def test_penalty_changes_the_winner(widget):
    said = {}
    for penalty in ("none", "mean per word"):
        widget.get_by_role("combobox", name="Sentence").select_option(index=1)
        set_slider(widget, "Beam size", 5)
        widget.get_by_role("combobox", name="Length penalty").select_option(penalty)
        widget.get_by_role("slider", name="Step").press("End")
        said[penalty] = re.search("“(.*)” has won", spoken(widget))[1]
        assert widget.locator(".bm-done li strong").first.inner_text() == said[penalty]
    assert len(said["mean per word"].split()) > len(said["none"].split())


def test_scores_fall_from_the_best_ended_on(widget):
    set_slider(widget, "Beam size", 5)
    widget.get_by_role("combobox", name="Length penalty").select_option("mean per word")
    widget.get_by_role("slider", name="Step").press("End")
    lines = widget.locator(".bm-done li").all_inner_texts()
    scores = [float(re.search(r"score −([\d.]+)", line)[1]) for line in lines]
    assert scores == sorted(scores)


def test_table_and_picture_follow(widget):
    before = widget.get_by_role("img").get_attribute("aria-label")
    widget.locator("summary").click()
    set_slider(widget, "Step", 3)
    assert widget.locator("tbody tr").count() == 9
    assert widget.get_by_role("img").get_attribute("aria-label") != before
