"""The search to step through, in chapter 11."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator
from visits import Visit, spoken

from scripts import called
from seq2seq.experiments.searches import BEAM_SIZES, PENALTIES, SENTENCES, search, winner

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
    place = BEAM_SIZES.index(value) if name == "Beam size" else value
    widget.get_by_role("slider", name=name).fill(str(place))


def choose(widget: Locator, source: str) -> None:
    widget.get_by_role("combobox", name="Sentence").select_option(label=source)


def said_at_the_end(widget: Locator) -> str:
    widget.get_by_role("slider", name="Step").press("End")
    return re.search("“(.*)” has won", spoken(widget))[1]


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


def test_scores_are_divided_by_the_penalty_of_the_length(browser: Browser):
    nodes = [["<bos>", 0.0, None, 0, 0], ["a", -0.5, 0, 1, 0], ["<eos>", -0.9, 1, 2, 1], ["b", -1.0, 1, 2, 0]]
    [tree] = called(browser, "beam", "treeOf", [[nodes, 3, [1, 2]]])
    assert tree == [["<bos>", 0.0, None, 0, None], ["a", -0.5, 0, 1, None], ["<eos>", -0.9, 1, 2, -0.45]]


def test_every_search_ends_with_the_library_s_winner(widget):
    for source in list(SENTENCES)[1:4]:
        choose(widget, source)
        for size in BEAM_SIZES:
            set_slider(widget, "Beam size", size)
            for name, penalty in PENALTIES.items():
                widget.get_by_role("combobox", name="Length penalty").select_option(name)
                expected = " ".join(winner(search(source.split(), size, penalty), penalty))
                assert said_at_the_end(widget) == expected
                assert (", the reference" in spoken(widget)) == (expected == SENTENCES[source])


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
    dashes = widget.locator("path.bm-pruned").first.evaluate("path => getComputedStyle(path).strokeDasharray")
    assert re.findall(r"\d+", dashes) == ["4", "4"]
    assert widget.locator("path.bm-won").count() > 3


def test_penalty_changes_the_winner(widget):
    said = {}
    choose(widget, "the girl never breaks any computers .")
    set_slider(widget, "Beam size", 5)
    for penalty in ("none", "mean per word"):
        widget.get_by_role("combobox", name="Length penalty").select_option(penalty)
        said[penalty] = said_at_the_end(widget)
        assert widget.locator(".bm-done li strong").first.inner_text() == said[penalty]
    assert len(said["mean per word"].split()) > len(said["none"].split())


def test_scores_fall_from_the_best_ended_on(widget):
    set_slider(widget, "Beam size", 5)
    widget.get_by_role("combobox", name="Length penalty").select_option("mean per word")
    widget.get_by_role("slider", name="Step").press("End")
    lines = widget.locator(".bm-done li:not(.bm-later)").all_inner_texts()
    scores = [float(re.search(r"score −([\d.]+)", line)[1]) for line in lines]
    assert scores == sorted(scores)


def test_table_and_picture_follow(widget):
    before = widget.get_by_role("img").get_attribute("aria-label")
    widget.locator("summary").click()
    set_slider(widget, "Step", 3)
    assert widget.locator("tbody tr").count() == 9
    assert widget.get_by_role("img").get_attribute("aria-label") != before


def test_nothing_below_the_tree_moves_while_it_grows(widget):
    choose(widget, "the girl never breaks any computers .")
    set_slider(widget, "Beam size", 5)
    below = widget.locator("summary", has_text="As text")
    heights = set()
    for step in range(8):
        set_slider(widget, "Step", step)
        heights.add(below.evaluate("one => one.getBoundingClientRect().top + scrollY"))
    assert max(heights) - min(heights) < 1


def test_arrow_keys_step_from_the_tree_and_the_buttons(widget):
    widget.get_by_role("slider", name="Step").press("Home")
    widget.locator(".bm-scroll").press("ArrowRight")
    assert spoken(widget).startswith("Step 1 of ")
    widget.get_by_role("button", name="Next step").press("ArrowLeft")
    assert spoken(widget).startswith("Step 0 of ")


def edges(widget: Locator) -> list[list[float]]:
    """Left and right of the tree's box and of the step shown, both taken at once: the tree may be drawn anew."""
    return widget.evaluate(
        """one => [".bm-scroll", ".bm-column"].map(where => {
            const {left, right} = one.querySelector(where).getBoundingClientRect();
            return [left, right];
        })"""
    )


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_step_that_is_shown_can_be_seen(visit: Open, phone: bool):
    page = visit("book/11_decoding", phone=phone, fresh=True).page
    widget = page.get_by_role("group", name="A beam search, step by step")
    choose(widget, list(SENTENCES)[-1])
    widget.get_by_role("slider", name="Step").press("End")
    box, column = edges(widget)
    assert box[0] - 1 <= column[0]
    assert column[1] <= box[1] + 1
    widget.get_by_role("slider", name="Step").press("Home")
    box, column = edges(widget)
    assert column[0] >= box[0] - 1
