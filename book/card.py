"""The preview image of the book (Open Graph): attention weights of a trained model, and the course's name."""

from pathlib import Path

from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from book import figures

CARD = Path(__file__).resolve().parents[1] / "build" / "static" / "card.png"
WIDTH, HEIGHT = 1200, 630
PAPER = "#fbfaf7"
LONGEST = 11  # words of a sentence, so that labels remain legible


def draw_weights(table: Axes, size: float) -> None:
    """Draw the weights of one forced decoding, with a row for each target word; words in points of ``size``."""
    from seq2seq.demos import forced_decoding

    trained = forced_decoding.load()
    row = next(row for row, source in enumerate(trained.sources) if 8 <= len(source) <= LONGEST)
    source, target = trained.sources[row], trained.targets[row]
    table.imshow(trained.weights["bahdanau"][row, : len(target), : len(source)].numpy(), vmin=0, vmax=1, aspect="auto")
    table.grid(False)
    table.set_xticks(range(len(source)), source, rotation=60, ha="left", rotation_mode="anchor", fontsize=size)
    table.set_yticks(range(len(target)), target, fontsize=size)
    table.xaxis.tick_top()
    table.tick_params(length=0)
    for side in table.spines.values():
        side.set_visible(False)


def draw(path: Path = CARD) -> None:
    """Draw the weights beside the name."""
    figures.use_style()
    figure = plt.figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100, facecolor=PAPER, layout="none")
    draw_weights(figure.add_axes((0.11, 0.05, 0.40, 0.74)), 13)
    figure.text(0.57, 0.56, "Learning\nto Align", fontsize=58, fontweight="bold", color=figures.INK, linespacing=0.95)
    figure.text(
        0.57, 0.30, "Attention for sequence-to-sequence\nmodels, built and measured.", fontsize=21, color=figures.GREY
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, facecolor=PAPER)
    plt.close(figure)
