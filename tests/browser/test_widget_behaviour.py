"""Widgets of trained models: what they show when lengths and windows are pushed, beside what training left."""

import json
import re

import pytest
from playwright.sync_api import Locator
from visits import drag, spoken
from worked import Show, caption, control, drawn, picture, table, work

from seq2seq.experiments.recipe import RESULTS


def words(widget: Locator, name: str) -> list[str]:
    sentence = widget.locator(".bn-sentences p", has=widget.page.locator("strong", has_text=name)).inner_text()
    return sentence.split("\n")[1].split()


def test_the_length_is_pushed_or_typed_and_long_sentences_are_lost_by_the_vector_and_kept_by_attention(show: Show):
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
    assert "longer than any sentence of the training" in work(widget, {"Words in the source": "End"})
    assert len(words(widget, "Source")) == 60
    marks = {name: widget.locator("p", has_text=name).locator("mark") for name in ("Fixed vector", "Attention")}
    assert marks["Fixed vector"].count() > 20 > marks["Attention"].count()
    style = "mark => getComputedStyle(mark).textDecorationStyle"
    assert widget.locator("mark").first.evaluate(style) == "wavy", "wrong words are marked by colour alone"


def test_a_window_is_pushed_beyond_either_end(show: Show):
    widget, centre = show("window"), "Centre p"
    within, favoured = drawn(widget, "wd-sum")
    assert within == 1
    assert 0.3 < favoured < 1
    before = picture(widget)
    work(widget, {centre: 10.9})
    assert "beyond the end" in work(widget, {centre: "ArrowRight"})
    assert picture(widget) != before
    assert "beyond the beginning: the 2 words inside share" in work(widget, {centre: "Home"})
    assert drawn(widget, "wd-sum")[0] == 1
    assert "holds no word" in work(widget, {centre: "End", "Half width D": "Home"})
    assert drawn(widget, "wd-sum") == [0, 0]
    work(widget, {centre: 6})
    assert sum("outside" in row for row in table(widget)) == 9
    drag(widget.locator("[data-handle=centre]"), 100, 0)
    assert float(control(widget, centre).input_value()) > 7


def on_gold(widget: Locator) -> list[float | None]:
    """What falls on the right word, with the reader's centre and with the model's."""
    texts = widget.locator(".wd-sum").all_text_contents()
    return [float(text.split()[-1]) if ":" in text else None for text in texts]


def test_the_model_s_window_is_what_it_was_in_training_and_the_reader_s_stands_beside_it(show: Show):
    widget, trained = show("beside"), json.loads((RESULTS / "centres.json").read_text())["windows"]
    for number, sentence in enumerate(trained):
        control(widget, "Sentence").select_option(index=number)
        for step in range(0, len(sentence["target"]), 3):
            text = work(widget, {"French word": step})
            assert on_gold(widget)[1] == pytest.approx(sentence["on_right"][step], abs=0.02)
            right = [f"“{sentence['source'][place]}” ({place + 1})" for place in sentence["right"][step]]
            assert [part for part in (f"“{sentence['target'][step]}”", *right) if part not in text] == []
    control(widget, "Sentence").select_option(index=0)
    assert {"your softmax", "model's softmax"} <= set(widget.locator("thead th").all_text_contents())
    assert re.search(r"your centre \S+ with half width 5", caption(widget))
    work(widget, {"French word": 2, "Take the model's centre": "Enter"})
    mine, theirs = on_gold(widget)
    assert mine == pytest.approx(theirs, abs=0.03)
    assert float(control(widget, "Centre p").input_value()) == pytest.approx(trained[0]["centres"][2] + 1, abs=0.051)
    lost = trained[4]["target"].index("avocat")
    control(widget, "Sentence").select_option(index=4)
    work(widget, {"French word": lost, "Centre p": trained[4]["right"][lost][0] + 1})
    mine, theirs = on_gold(widget)
    assert theirs == 0
    assert mine > 0.8
    assert widget.locator(".wd-gold").count() == 2


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
