"""What is special to each widget: what it shows when it is worked, beside what the library says."""

import json
import math
import re
from collections.abc import Callable

import pytest
import torch
from playwright.sync_api import Locator
from visits import FRAMES, Open, drag, middle, spoken

from seq2seq.attention import attend
from seq2seq.experiments.recipe import RESULTS
from seq2seq.experiments.searches import BEAM_SIZES, PENALTIES, SENTENCES, search, winner
from seq2seq.hard.attention import choice_at
from seq2seq.widgets.sampling import luck

WIDGETS = {
    "beam": ("book/11_decoding", "A beam search, step by step"),
    "beside": ("book/09_local", "Your window beside a trained model's"),
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
KEYS = torch.tensor([[-1.2, 0.3], [0.5, -1.1], [1.3, 0.9], [-0.3, 1.5]])
NUMBER = re.compile(r"−?\d+\.\d+")

Show = Callable[..., Locator]


@pytest.fixture
def show(bare: Open) -> Show:
    def shown(name: str, mode: str = "light") -> Locator:
        page, label = WIDGETS[name]
        return bare(page, mode).page.get_by_role("group", name=label)

    return shown


def control(widget: Locator, name: str) -> Locator:
    return widget.get_by_label(name, exact=True).or_(widget.get_by_role("button", name=name, exact=True))


def work(widget: Locator, controls: dict[str, str | float | bool]) -> str:
    """What is said after controls, by name: a slider is set, a list chosen from, a box ticked, or a key pressed."""
    for name, how in controls.items():
        place = control(widget, name)
        match place.evaluate("place => place.type"), how:
            case "checkbox", bool():
                place.set_checked(how)
            case "range" | "number", int() | float():
                place.fill(str(how))
            case "select-one", str():
                place.select_option(label=how)
            case _, int():
                for _ in range(how):
                    place.click()
            case _:
                place.press(str(how))
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


def places_below(widget: Locator, name: str, values: list[float]) -> float:
    """How far what stands below moves while the slider or button is worked."""
    below, tops = widget.locator("summary", has_text="As text"), []
    for value in values:
        work(widget, {name: value})
        widget.evaluate(FRAMES)
        tops.append(below.evaluate("summary => summary.getBoundingClientRect().top + scrollY"))
    return max(tops) - min(tops)


def dial(widget: Locator) -> tuple[int, float]:
    direction, length = control(widget, "Query direction"), control(widget, "Query length")
    return int(direction.input_value()), float(length.get_attribute("aria-valuetext"))


def context_shown(widget: Locator) -> torch.Tensor:
    return torch.tensor(numbers(re.search(r"\((.+, .+)\)", spoken(widget))[1]))


def test_context_is_that_of_the_library_in_every_direction_and_the_mean_at_length_0(show: Show):
    widget, mask = show("look_up"), torch.ones(1, 4, dtype=torch.bool)
    for direction in range(5, 360, 50):
        work(widget, {"Query direction": direction})
        degrees, length = dial(widget)
        assert degrees == direction
        turn = torch.deg2rad(torch.tensor(float(degrees)))
        query = length * torch.stack([turn.cos(), turn.sin()])
        expected, weights = attend((KEYS @ query).unsqueeze(0), KEYS.unsqueeze(0), mask)
        torch.testing.assert_close(context_shown(widget), expected[0], atol=0.011, rtol=0)
        assert f"{degrees} degrees" in caption(widget)
        assert [float(row[2]) for row in table(widget)] == pytest.approx(weights[0].tolist(), abs=0.0011)
    seen = set()
    for name in ("bilinear", "scaled dot product", "additive", "dot product"):
        work(widget, {"Scorer": name})
        seen.add(picture(widget).partition("; ")[2])
    assert len(seen) == 4
    work(widget, {"Query length": "Home"})
    torch.testing.assert_close(context_shown(widget), KEYS.mean(0), atol=0.006, rtol=0)
    assert "same weight" in spoken(widget)


def test_query_can_be_dragged(show: Show):
    widget = show("look_up")
    mouse, handle = widget.page.mouse, widget.locator('[data-handle="query"]')
    plane = widget.get_by_role("img").first.bounding_box()
    x, y = plane["x"] + plane["width"] / 2, plane["y"] + plane["height"] * 166 / 316
    mouse.move(*middle(handle))
    mouse.down()
    for degrees in (90, 180, 270, 0):
        turn = math.radians(degrees)
        mouse.move(x + 90 * math.cos(turn), y - 90 * math.sin(turn))
        assert dial(widget)[0] == degrees
    mouse.move(x + 1, y)
    assert dial(widget)[1] == 0
    mouse.up()
    mouse.move(x, y - 90)
    assert dial(widget) == (0, 0)


def shown_by_matrix(widget: Locator) -> tuple[torch.Tensor, ...]:
    """W, the query, the gradients of both, and the weights."""
    told = numbers(caption(widget))
    W, query, of_matrix, of_query = (torch.tensor(told[a:b]) for a, b in ((0, 4), (4, 6), (6, 10), (10, 12)))
    weights = torch.tensor([numbers(row[-1])[0] for row in table(widget)])
    return W.view(2, 2), query, of_matrix.view(2, 2), of_query, weights


@pytest.mark.parametrize(("place", "wanted"), list(enumerate(["the", "cat", "sat", "down"])))
def test_weights_and_gradients_of_the_matrix_are_pytorch_s(show: Show, place: int, wanted: str):
    widget = show("matrix")
    work(widget, {"The weight should go to": wanted, "W 1,2": 0.6, "W 2,1": -0.4, "query 2": 0.7})
    work(widget, {"W 1,2": "ArrowRight"})
    W, query, *found = shown_by_matrix(widget)
    torch.testing.assert_close(W, torch.tensor([[1.0, 0.7], [-0.4, 1.0]]))
    torch.testing.assert_close(query, torch.tensor([1.2, 0.7]))
    W, query = W.requires_grad_(), query.requires_grad_()
    weights = torch.softmax(KEYS @ W.T @ query, 0)
    expected = (*torch.autograd.grad(weights[place].log(), (W, query)), weights.detach())
    torch.testing.assert_close(tuple(found), expected, atol=1.1e-3, rtol=0)


def test_learning_raises_the_chosen_weight_until_little_is_left(show: Show):
    widget, seen = show("matrix"), []
    work(widget, {"The weight should go to": "cat"})
    for _ in range(60):
        seen.append(float(shown_by_matrix(widget)[-1][1]))
        work(widget, {"One step of learning": "Enter"})
    assert seen == sorted(seen)
    assert seen[0] < 0.3
    assert seen[-1] > 0.9
    assert "little is left to learn" in spoken(widget)
    work(widget, {"As at first": 1})
    assert float(shown_by_matrix(widget)[-1][1]) == seen[0]


def test_columns_and_query_can_be_dragged(show: Show):
    widget = show("matrix")
    for name, read in {"1": lambda shown: shown[0][:, 1], "query": lambda shown: shown[1]}.items():
        before = read(shown_by_matrix(widget))
        drag(widget.locator(f'[data-handle="{name}"]'), -40, 25)
        moved = read(shown_by_matrix(widget)) - before
        assert moved[0] < -0.3
        assert moved[1] < -0.2


def test_large_vectors_saturate_the_dot_product_alone_and_queries_come_round(show: Show):
    widget = show("saturation")
    work(widget, {"Vector size d": "End"})
    weights, gradients = drawn(widget, "cw-number"), drawn(widget, "st-gradient")
    assert max(weights[:10]) > 0.9 > max(weights[10:])
    assert gradients[0] < gradients[1] / 10
    rows = table(widget)
    assert float(rows[1][0]) > 0.9 > float(rows[1][1])
    assert all(re.fullmatch(r"\d\.\d\d", cell) for row in rows[4:] for cell in row)
    assert len(rows) == 4 + 10
    first = picture(widget)
    seen = [picture(widget) for _ in range(8) if work(widget, {"Another query": "Space"})]
    assert len(set(seen)) == 8
    assert seen[7] == first
    work(widget, {"Vector size d": "Home"})
    weights = drawn(widget, "cw-number")
    assert weights[:10] == weights[10:]
    assert "At d = 1," in spoken(widget)


def test_a_masked_token_leaves_its_weight_to_the_others_until_none_is_real(show: Show):
    widget = show("masking")
    work(widget, {"Temperature τ": "Home"})
    assert drawn(widget, "cw-number") == [0, 0, 1, 0, 0, 0, 0, 0]
    work(widget, {"Temperature τ": "End"})
    weights = drawn(widget, "cw-number")
    assert max(weights) - min(weights[:6]) < 0.05
    assert "The 5 real tokens share" in work(widget, {"3 back": "Space"})
    weights = drawn(widget, "cw-number")
    assert weights[2] == 0
    assert sum(weights) == pytest.approx(1, abs=0.03)
    for box in widget.get_by_role("checkbox").all():
        box.uncheck()
    assert drawn(widget, "cw-number") == [0] * 8
    assert "No token is real" in spoken(widget)
    assert "masked 0.00" in picture(widget)


def test_masked_after_the_softmax_the_row_falls_short(show: Show):
    widget = show("masking")
    assert "is gone" in work(widget, {"The mask comes": "after the softmax"})
    assert sum(drawn(widget, "cw-number")) < 0.96
    assert widget.locator(".cw-hollow").count() == 2
    work(widget, {"The mask comes": "after it, divided by the sum"})
    assert sum(drawn(widget, "cw-number")) == pytest.approx(1, abs=0.03)
    work(widget, dict.fromkeys(["1 she", "3 back", "4 in", "5 the", "6 evening"], False))
    assert drawn(widget, "cw-number")[1] == 1
    assert "NaN" in work(widget, {"Temperature τ": "Home"})
    assert math.isnan(drawn(widget, "cw-number")[1])


def words(widget: Locator, name: str) -> list[str]:
    sentence = widget.locator(".bn-sentences p", has=widget.page.locator("strong", has_text=name)).inner_text()
    return sentence.split("\n")[1].split()


def test_the_length_is_pushed_or_typed_and_a_wrong_one_is_named(show: Show):
    widget = show("bottleneck")
    typed, alert = control(widget, "or type it"), widget.get_by_role("alert")
    before, image, slider = len(words(widget, "Source")), picture(widget), control(widget, "Words in the source")
    slider.fill(str(before + 11))
    slider.press("ArrowRight")
    assert len(words(widget, "Source")) == before + 12
    assert typed.input_value() == str(before + 12)
    assert picture(widget) != image
    typed.fill("45")
    assert len(words(widget, "Source")) == 45
    assert slider.input_value() == "45"
    assert spoken(widget).startswith("45 words")
    marked = widget.locator("p", has_text="Fixed vector").locator("mark").all_inner_texts()
    cell = widget.locator("tbody tr", has_text="fixed vector").locator("td").last
    assert cell.text_content() == ", ".join(marked)
    for bad in ("3", "61", "7.5", ""):
        typed.fill(bad)
        assert "a whole number from 4 to 60 is expected" in alert.inner_text()
        assert typed.get_attribute("aria-invalid") == "true"
        assert len(words(widget, "Source")) == 45
    typed.fill("5")
    assert alert.inner_text() == ""


def test_long_sentences_are_lost_by_the_vector_and_kept_by_attention(show: Show):
    widget = show("bottleneck")
    assert "longer than any sentence of the training" in work(widget, {"Words in the source": "End"})
    assert len(words(widget, "Source")) == 60
    marks = {name: widget.locator("p", has_text=name).locator("mark") for name in ("Fixed vector", "Attention")}
    assert marks["Fixed vector"].count() > 20 > marks["Attention"].count()
    style = "mark => getComputedStyle(mark).textDecorationStyle"
    assert widget.locator("mark").first.evaluate(style) == "wavy", "wrong words are marked by colour alone"


@pytest.fixture(scope="module")
def trained() -> list[dict]:
    return json.loads((RESULTS / "centres.json").read_text())["windows"]


def test_a_window_is_pushed_beyond_either_end(show: Show):
    widget, centre = show("window"), "Centre p"
    within, favoured = drawn(widget, "wd-sum")
    assert within == 1
    assert 0.3 < favoured < 1
    before = picture(widget)
    work(widget, {centre: 9.9})
    assert "beyond the end" in work(widget, {centre: "ArrowRight"})
    assert picture(widget) != before
    assert "beyond the beginning: the 2 words inside share" in work(widget, {centre: "Home"})
    assert drawn(widget, "wd-sum")[0] == 1
    assert "holds no word" in work(widget, {centre: "End", "Half width D": "Home"})
    assert drawn(widget, "wd-sum") == [0, 0]
    work(widget, {centre: 5})
    assert sum("outside" in row for row in table(widget)) == 9
    drag(widget.locator("[data-handle=centre]"), 100, 0)
    assert float(control(widget, centre).input_value()) > 6


def on_gold(widget: Locator) -> list[float | None]:
    """What falls on the right word, with the reader's centre and with the model's."""
    texts = widget.locator(".wd-sum").all_text_contents()
    return [float(text.split()[-1]) if ":" in text else None for text in texts]


def test_the_model_s_window_is_what_it_was_in_training(show: Show, trained: list[dict]):
    widget = show("beside")
    for number, sentence in enumerate(trained):
        control(widget, "Sentence").select_option(index=number)
        for step in range(0, len(sentence["target"]), 3):
            text = work(widget, {"French word": step})
            assert on_gold(widget)[1] == pytest.approx(sentence["on_right"][step], abs=0.02)
            right = [f"“{sentence['source'][place]}” ({place})" for place in sentence["right"][step]]
            assert [part for part in (f"“{sentence['target'][step]}”", *right) if part not in text] == []


def test_the_reader_s_centre_beside_the_model_s(show: Show, trained: list[dict]):
    widget = show("beside")
    assert {"your softmax", "model's softmax"} <= set(widget.locator("thead th").all_text_contents())
    assert re.search(r"your centre \S+ with half width 5", caption(widget))
    work(widget, {"French word": 2, "Take the model's centre": "Enter"})
    mine, theirs = on_gold(widget)
    assert mine == pytest.approx(theirs, abs=0.03)
    assert float(control(widget, "Centre p").input_value()) == pytest.approx(trained[0]["centres"][2], abs=0.051)
    lost = trained[4]["target"].index("avocat")
    control(widget, "Sentence").select_option(index=4)
    work(widget, {"French word": lost, "Centre p": trained[4]["right"][lost][0]})
    mine, theirs = on_gold(widget)
    assert theirs == 0
    assert mine > 0.8
    assert widget.locator(".wd-gold").count() == 2


def counted(widget: Locator) -> list[int]:
    return [int(re.search(r"\d+", text)[0]) for text in widget.locator("text.sp-count").all_text_contents()]


def test_draws_come_in_the_same_order_for_everyone(show: Show):
    widget = show("sampling")
    counts = [counted(widget) for _ in range(6) if work(widget, {"Draw": "Enter"})]
    uniform = torch.tensor(luck(6, torch.Generator().manual_seed(0)))
    expected = choice_at(torch.tensor([0.5, 0.3, 0.2]).expand(6, -1), uniform).cumsum(0).int().tolist()
    assert counts == expected
    assert "nothing is drawn yet" in work(widget, {"Begin again": 1})
    assert counted(widget) == [0, 0, 0]


def test_mean_of_many_draws_comes_near_the_soft_context(show: Show):
    widget = show("sampling")
    work(widget, {"Draw 100": "Space"})
    before = counted(widget)
    assert "Temperature 0.1, 100 draws" in work(widget, {"Temperature τ": "Home"})
    assert counted(widget)[0] > 95 > before[0], "at a low temperature every draw is the soft context"
    text = work(widget, {"Begin again": 1, "Temperature τ": 5, "Draw 100": 10})
    assert sum(counted(widget)) == 1000
    off, expected = map(float, re.search(r"([\d.]+) from it, where ([\d.]+) is to be expected", text).groups())
    assert off < 3 * expected < 0.12
    assert control(widget, "Draw 100").is_disabled()


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


@pytest.mark.parametrize("mode", ["light", "phone"])
def test_nothing_moves_while_draws_and_steps_are_made(show: Show, mode: str):
    widget = show("estimate", mode)
    work(widget, buttons := {"Draw 100": 1, "Learn 50 steps": 1})
    assert max(places_below(widget, button, [0, 1]) for button in buttons) < 1


def test_it_forms_from_the_last_step_back_and_for_every_sentence(show: Show):
    widget = show("forming")
    assert re.search("(?s)After 4,200 steps.*this one is right", spoken(widget))
    formed = picture(widget)
    assert "After 0 steps" in work(widget, {"Steps of training": "Home"})
    assert picture(widget) != formed
    texts = widget.locator(".fo-cell title").all_text_contents()
    assert all(re.fullmatch(r"before “.+”, weight of “.+”: \d\.\d\d", text) for text in texts)
    sentences = widget.locator("option").all_inner_texts()
    assert len({picture(widget) for sentence in sentences if work(widget, {"Sentence": sentence})}) == 3


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
    for place, key in (("Back", "Space"), (".bm-scroll", "ArrowRight"), ("Next step", "ArrowLeft")):
        (widget.locator(place) if place[0] == "." else control(widget, place)).press(key)
        steps.append(spoken(widget))
    assert [step.partition(" of ")[0] for step in steps] == ["Step 3", "Step 2", "Step 3", "Step 2"]
    work(widget, {"Step": "End"})
    assert control(widget, "Next step").is_disabled()


def test_penalty_changes_the_winner_and_scores_fall_from_the_best_on(show: Show):
    widget, winners = show("beam"), {}
    work(widget, {"Sentence": "the girl never breaks any computers .", "Beam size": BEAM_SIZES.index(5)})
    assert places_below(widget, "Step", list(range(8))) < 1
    for penalty in ("none", "mean per word"):
        work(widget, {"Length penalty": penalty})
        winners[penalty] = won(widget)
        assert widget.locator(".bm-done li strong").first.inner_text() == winners[penalty]
    assert len(winners["mean per word"].split()) > len(winners["none"].split())
    ended = widget.locator(".bm-done li:not(.bm-later)").all_inner_texts()
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
        return [at(".bm-column").left - at(".bm-scroll").left, at(".bm-scroll").right - at(".bm-column").right];
    }"""
    work(widget, {"Sentence": list(SENTENCES)[-1], "Step": "End"})
    assert min(widget.evaluate(edges)) >= -1
    work(widget, {"Step": "Home"})
    assert widget.evaluate(edges)[0] >= -1
