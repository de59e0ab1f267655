"""The book's figures: what they show, in whatever letters, their texts for who cannot see them, and no trace left."""

import io

import matplotlib as mpl
import pytest
import torch
from matplotlib import font_manager
from matplotlib import pyplot as plt
from matplotlib.font_manager import FontEntry

from seq2seq import fonts, plots

SOURCE, TARGET = ["the", "black", "cat"], ["le", "chat"]
WEIGHTS = torch.tensor([[0.7, 0.2, 0.1, 0.0], [0.1, 0.05, 0.85, 0.0], [0.3, 0.3, 0.4, 0.0]])
RESULTS = {
    "models": {
        "bahdanau": [
            {"bleu": {"4-10": 98.0, "11-20": 96.0}, "aer": {"4-10": 0.1, "11-20": 0.2}},
            {"bleu": {"4-10": 99.0, "11-20": 95.0}, "aer": {"4-10": 0.3, "11-20": 0.2}},
        ],
        "every_step": [{"bleu": {"4-10": 80.0, "11-20": 40.0}, "aer": {}}],
    }
}


def test_figures_have_a_transparent_ground_and_leave_style_and_pyplot_as_they_were():
    before = dict(mpl.rcParams)
    for figure in (plots.alignment_plot(WEIGHTS, SOURCE, TARGET), plots.length_curve(RESULTS)):
        figure.savefig(io.BytesIO(), format="png")
        assert figure.get_facecolor()[3] == 0
    assert dict(mpl.rcParams) == before
    assert plt.get_fignums() == []


def test_an_alignment_shows_the_words_in_order_the_weights_without_padding_and_gold_links():
    axes = plots.alignment_plot(WEIGHTS.clone().requires_grad_(), SOURCE, TARGET, frozenset({(0, 0), (2, 1)})).axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == SOURCE
    assert [label.get_text() for label in axes.get_yticklabels()] == TARGET
    assert axes.images[0].get_array().tolist() == WEIGHTS[:2, :3].tolist()
    corners = {(round(patch.get_x() + 0.44), round(patch.get_y() + 0.44)) for patch in axes.patches}
    assert corners == {(0, 0), (2, 1)}
    with pytest.raises(ValueError, match=r"shape \(3, 4\), expected at least \(target=2, source=5\)"):
        plots.alignment_plot(WEIGHTS, ["w"] * 5, TARGET)
    with pytest.raises(ValueError, match=r"links: got \(9, 9\), expected a source position below 3 and .* below 2"):
        plots.alignment_plot(WEIGHTS, SOURCE, TARGET, {(9, 9)})
    assert plots.alignment_alt_text(WEIGHTS.numpy(), SOURCE, TARGET) == plots.alignment_alt_text(
        WEIGHTS, SOURCE, TARGET
    )
    with mpl.rc_context({"image.cmap": "gray"}):  # the caller's own style
        assert plots.alignment_plot(WEIGHTS, SOURCE, TARGET).axes[0].images[0].get_cmap().name == "gray"


def test_curves_are_drawn_of_what_was_measured():
    """The mean over seeds, of the models that have the metric."""
    assert plots.length_curve(RESULTS).axes[0].lines[0].get_ydata().tolist() == [98.5, 95.5]
    assert len(plots.length_curve(RESULTS, "aer").axes[0].lines) == 1
    long, short = {"bleu": {"11-20": 40.0}}, {"bleu": {"11-20": 30.0, "4-10": 80.0}}
    figure = plots.length_curve({"models": {"luong": [long], "bahdanau": [short]}})
    figure.draw_without_rendering()
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["4–10", "11–20"]
    assert figure.axes[0].lines[1].get_ydata().tolist() == [80.0, 30.0]
    many = {"models": {f"model {number}": RESULTS["models"]["every_step"] for number in range(9)}}
    assert len(plots.length_curve(many).axes[0].lines) == 9


def test_the_texts_of_the_figures():
    assert plots.alignment_alt_text(WEIGHTS, SOURCE, TARGET) == (
        "Heat map of attention weights, 2 target words by 3 source words. "
        "Largest weight in each row: le looks at the (0.70); chat looks at cat (0.85)."
    )
    assert plots.length_curve_alt_text(RESULTS) == (
        "Line chart of BLEU against source length. "
        "Bahdanau: 4-10 words 98.5, 11-20 words 95.5. "
        "fixed vector, every step: 4-10 words 80.0, 11-20 words 40.0."
    )


PLOTS = {  # of words, where the models stand or those of a sentence
    "alignment": lambda *words: plots.alignment_plot(torch.eye(len(words)), words, words),
    "length": lambda *words: plots.length_curve({"models": dict.fromkeys(words, RESULTS["models"]["every_step"])}),
}
STRANGE = ["$$", "a$$b", "from$5to$6", "$x", r"\alpha", "_begins", "a_b^c{", "%", "#"]


def texts(figure):
    labels = [text for axes in figure.axes for text in (*axes.get_xticklabels(), *axes.get_yticklabels())]
    legends = [axes.get_legend() for axes in figure.axes]
    return [*labels, *(text for legend in legends if legend for text in legend.get_texts())]


@pytest.mark.filterwarnings("ignore::UserWarning")  # a legend that is wider than the figure
@pytest.mark.parametrize("plot", PLOTS)
def test_words_are_drawn_as_they_are_written(plot):
    drawn = {}
    for words in (STRANGE[:5], STRANGE[5:]):  # there are six markers, and no more models are drawn
        figure = PLOTS[plot](*words)
        figure.savefig(io.BytesIO())
        drawn |= {text.get_text(): text.get_parse_math() for text in texts(figure)}
    assert {word: drawn.get(word, "missing") for word in STRANGE} == dict.fromkeys(STRANGE, False)


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
