"""How the centres of local-p move during training, by sentence length.

    python -m seq2seq.experiments centres    # three minutes on one core

The run is that of `local_p` in ``local_attention``, measured during training.
Of some sentences all scores are kept, so that a page can put a window of its own around another centre:
in this wiring no decoder state, and so no score, depends on where the model looked.
"""

import torch
from torch import Tensor

from seq2seq.batch import Batch, collate
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.local import LocalPredictiveDecoder
from seq2seq.experiments.evaluation import forced_weights
from seq2seq.experiments.experiment import Measurement
from seq2seq.experiments.local_attention import LOCAL_ATTENTION, PREDICTIVE, centres, distances, gold_centres
from seq2seq.experiments.study import QUICK, SETTINGS, prepare
from seq2seq.experiments.trained import Data, train_on
from seq2seq.model import Seq2Seq
from seq2seq.training import forced_loss

NAME = "centres"
SEED = 0
STEPS = round(LOCAL_ATTENTION.settings["minutes"] * PREDICTIVE.steps_per_minute)
EVERY = 150  # steps between measurements
LOOKED_AT = 50  # sentences per length
BUCKETS = ("4-10", "11-20", "21-30", "31-40", "41-50")
LAST = 0.99  # beyond this share of the sentence the sigmoid is flat
SHOWN = ("4-10", "11-20", "21-30")  # the lengths whose sentences fit a picture
SHOWN_EACH = 2


def shares(positions: Tensor, pairs: list[Pair], data: Data) -> Tensor:
    """The centres of all real target tokens as shares of the source length, flattened."""
    batch = collate(pairs, *data.vocabularies)
    return (positions / batch.source_lengths.unsqueeze(1))[batch.target_mask]


def look(model: Seq2Seq, data: Data) -> dict[str, dict[str, float]]:
    """By length: distance from the gold centres, share of links in the window, shares of centres at either end."""
    assert isinstance(model.decoder, LocalPredictiveDecoder)
    model.eval()
    looks = {}
    for name in BUCKETS:
        pairs = data.sets[name][:LOOKED_AT]
        positions = centres(model, pairs, data)
        assert positions is not None
        share = shares(positions, pairs, data)
        looks[name] = distances(positions, pairs, model.decoder.half_width) | {
            "at_the_start": round((share < 1 - LAST).float().mean().item(), 4),
            "at_the_end": round((share > LAST).float().mean().item(), 4),
        }
    model.train()
    return looks


def trace(model: Seq2Seq, pair: Pair, data: Data) -> dict:
    """The centres over one sentence, and the gold ones as pairs of target position and centre."""
    positions = centres(model, [pair], data)
    assert positions is not None
    (row,) = positions.tolist()
    return {
        "source_words": len(pair.source),
        "centres": [round(centre, 2) for centre in row[: len(pair.target)]],
        "gold": sorted(gold_centres(pair).items()),
    }


def right_words(pair: Pair) -> list[list[int]]:
    """For each target word, the source positions of its gold links; none for a word without any."""
    return [sorted(source for source, target in pair.links if target == word) for word in range(len(pair.target))]


def crosses(pair: Pair) -> bool:
    """Whether two links cross: the later target word has the earlier source word."""
    links = sorted(pair.links, key=lambda link: link[1])
    return any(before[0] > after[0] and before[1] < after[1] for before in links for after in links)


@torch.no_grad()
def window(model: Seq2Seq, pair: Pair, data: Data) -> dict:
    """One sentence with all that a window needs: words, gold positions, centres and scores, and the weight on them."""
    assert isinstance(model.decoder, LocalPredictiveDecoder)
    batch = collate([pair], *data.vocabularies)
    memory, state = model.read(batch.source, batch.source_lengths)
    hidden, _ = model.decoder.rnn(model.decoder.embedding(batch.target_in), state)
    scores = model.decoder.attention.scorer.score_all(hidden, memory.projected_keys)[0]
    (positions,) = model.decoder.centres(batch.target_in, state, memory)
    (weights,) = forced_weights(model, [pair], *data.vocabularies) or []
    right, words = right_words(pair), range(len(pair.target))
    return {
        "source": list(pair.source),
        "target": list(pair.target),
        "right": right,
        "centres": [round(positions[word].item(), 3) for word in words],
        "scores": [[round(score, 2) for score in scores[word, : len(pair.source)].tolist()] for word in words],
        "on_right": [round(weights[word, right[word]].sum().item(), 3) for word in words],
    }


def mean_on_right(model: Seq2Seq, pairs: list[Pair], data: Data) -> float:
    """The weight on the linked source words, a mean over the target words that have any."""
    on_right = [
        weights[target, sources].sum().item()
        for weights, pair in zip(forced_weights(model, pairs, *data.vocabularies) or [], pairs, strict=True)
        for target, sources in enumerate(right_words(pair))
        if sources
    ]
    return round(sum(on_right) / len(on_right), 4)


def measure(data: Data, steps: int, every: int) -> dict:
    """Train the model of PREDICTIVE, measuring its centres during training."""
    looks = []

    def loss(model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        step = round(progress * steps)
        if step % every == 0:
            looks.append({"step": step, "by_length": look(model, data)})
        return forced_loss(model, batch, progress)

    model, _ = train_on(data, PREDICTIVE.build, SEED, SETTINGS, description=NAME, steps=steps, loss=loss)
    looks.append({"step": steps, "by_length": look(model, data)})
    model.eval()
    traces = {name: trace(model, data.sets[name][0], data) for name in BUCKETS}
    crossing = [[pair for pair in data.sets[name] if crosses(pair)][:SHOWN_EACH] for name in SHOWN]
    return {
        "half_width": model.decoder.half_width,
        "looks": looks,
        "traces": traces,
        "on_right": {name: mean_on_right(model, data.sets[name][:LOOKED_AT], data) for name in BUCKETS},
        "windows": [window(model, pair, data) for pairs in crossing for pair in pairs],
    }


CENTRES = Measurement(
    name=NAME,
    title=__doc__.splitlines()[0],
    settings=SETTINGS | {"seed": SEED, "steps": STEPS, "every": EVERY, "looked_at": LOOKED_AT, "last": LAST},
    quick=QUICK | {"steps": 4, "every": 2},
    measure=lambda settings, options: (
        {"settings": settings} | measure(prepare(settings), settings["steps"], settings["every"])
    ),
)
