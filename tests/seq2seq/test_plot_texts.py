"""What a learner calls a word or a run is drawn as it stands, in whatever letters."""

import io
import warnings

import matplotlib as mpl
import pytest
import torch
from matplotlib import font_manager
from matplotlib.font_manager import FontEntry

from seq2seq import fonts
from seq2seq.plots import alignment_plot, length_cost, length_curve, loss_curve

COST = [{"length": 5, "batch_size": 5, "seconds": 0.1}]
PLOTS = {
    "alignment": lambda word: alignment_plot(torch.ones(1, 1), [word], [word]),
    "loss": lambda word: loss_curve({word: [2.0, 1.0]}),
    "length": lambda word: length_curve({"models": {word: [{"bleu": {"4-10": 98.0, "11-20": 96.0}}]}}),
    "cost": lambda word: length_cost({"models": {word: {"by_length": COST, "by_batch_size": COST}}}),
}
STRANGE = ["$$", "a$$b", "from$5to$6", "$x", r"\alpha", "_begins", "a_b^c{", "%", "#"]


def texts(figure):
    labels = [text for axes in figure.axes for text in (*axes.get_xticklabels(), *axes.get_yticklabels())]
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes)]
    return [*labels, *(text for legend in legends if legend for text in legend.get_texts())]


@pytest.mark.parametrize("word", STRANGE)
@pytest.mark.parametrize("plot", PLOTS)
def test_a_word_is_drawn_as_it_is_written(plot, word):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a legend that is wider than the figure
        figure = PLOTS[plot](word)
        figure.savefig(io.BytesIO())
    drawn = [text for text in texts(figure) if text.get_text() == word]
    assert drawn, [text.get_text() for text in texts(figure)]
    assert not any(text.get_parse_math() for text in drawn)


@pytest.fixture
def narrow(monkeypatch):
    """A style whose own font has Latin letters alone; what else is installed is up to the test."""

    def narrow(*others):
        entry = [font for font in font_manager.fontManager.ttflist if font.name in ("cmr10", *others)]
        monkeypatch.setattr(font_manager.fontManager, "ttflist", entry)

    with mpl.rc_context({"font.family": ["cmr10"], "axes.formatter.use_mathtext": True}):
        yield narrow


@pytest.mark.parametrize("plot", PLOTS)
def test_letters_that_the_font_lacks_come_from_one_that_has_them(narrow, plot):
    """Matplotlib brings both fonts along: one has no Cyrillic letters, the other has."""
    narrow("DejaVu Sans")
    figure = PLOTS[plot]("кот")
    families = [text.get_fontfamily() for text in texts(figure) if text.get_text() == "кот"]
    assert families
    assert all(each == ["cmr10", "DejaVu Sans"] for each in families)


@pytest.mark.parametrize("plot", PLOTS)
def test_letters_that_no_font_has_are_named(narrow, plot):
    narrow()
    with pytest.warns(UserWarning, match="no installed font has к о т, which will be drawn as boxes; install one"):
        PLOTS[plot]("кот")


def test_letters_of_the_own_font_need_no_other(narrow):
    narrow("DejaVu Sans")
    assert fonts.families(["chat", "a b\n", ""]) == ["cmr10"]


def test_a_font_of_boxes_is_not_taken(narrow, monkeypatch):
    with mpl.rc_context({"font.family": ["DejaVu Sans"]}):
        boxes = FontEntry(fname=font_manager.findfont("DejaVu Sans"), name="Last Resort High-Efficiency")
    narrow()
    monkeypatch.setattr(font_manager.fontManager, "ttflist", [boxes, *font_manager.fontManager.ttflist])
    with pytest.warns(UserWarning, match="no installed font has к"):
        assert fonts.families(["к"]) == ["cmr10"]
