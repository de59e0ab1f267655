"""Global against local attention: general scores over all words, around the target position, around a predicted one.

    python -m seq2seq.experiments.local_attention            # 4 models × 3 seeds, 2 core-minutes each
    python -m seq2seq.experiments.local_attention --quick    # a smoke test of seconds, results in a temporary folder

The window reaches D words to each side of its centre.
The record of a run has the distance of the centre from the gold position, and the share of gold links within the
window: no score can reach a word outside it.
"""

import torch
from torch import Tensor

from seq2seq.batch import collate
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.local import LocalMonotonicDecoder, LocalPredictiveDecoder
from seq2seq.experiments.recipe import EMBEDDING_SIZE, ENCODER_SIZE, HIDDEN_SIZE, encoder, luong_bilinear
from seq2seq.experiments.study import Data, Study, Variant
from seq2seq.model import Seq2Seq
from seq2seq.scorers import BilinearScorer

HALF_WIDTH = 5  # D
PAPERS_HALF_WIDTH = 10
POSITION_SIZE = 16  # at the learning rate of the studies, 128 rows saturate the sigmoid before anything is learned


def local_m(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    """The model of `recipe.luong_bilinear` with a window around the target's own position."""
    sizes = target_vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE
    decoder = LocalMonotonicDecoder(*sizes, BilinearScorer(HIDDEN_SIZE, ENCODER_SIZE), HALF_WIDTH, cell="lstm")
    return Seq2Seq(encoder(source_vocab_size, "lstm"), decoder)


def local_p(source_vocab_size: int, target_vocab_size: int, half_width: int = HALF_WIDTH) -> Seq2Seq:
    """The model of `recipe.luong_bilinear` with a window around a predicted position."""
    sizes = target_vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE
    decoder = LocalPredictiveDecoder(
        *sizes, BilinearScorer(HIDDEN_SIZE, ENCODER_SIZE), half_width, cell="lstm", position_size=POSITION_SIZE
    )
    return Seq2Seq(encoder(source_vocab_size, "lstm"), decoder)


def local_p_wide(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    """The same with the paper's half width."""
    return local_p(source_vocab_size, target_vocab_size, PAPERS_HALF_WIDTH)


@torch.no_grad()
def centres(model: Seq2Seq, pairs: list[Pair], data: Data) -> Tensor | None:
    """The centres of a teacher-forced pass, (pairs, target_len), counted from 0; None for global attention."""
    batch = collate(pairs, data.source_vocab, data.target_vocab)
    if isinstance(model.decoder, LocalPredictiveDecoder):
        memory, state = model.read(batch.source, batch.source_lengths)
        return model.decoder.centres(batch.target_in, state, memory)
    if isinstance(model.decoder, LocalMonotonicDecoder):
        return torch.arange(batch.target_in.size(1)).expand(batch.target_in.shape)
    return None


def gold_centres(pair: Pair) -> dict[int, float]:
    """For each target word that has a link, the mean position of the source words it is linked to."""
    linked: dict[int, list[int]] = {}
    for source, target in pair.links:
        linked.setdefault(target, []).append(source)
    return {target: sum(sources) / len(sources) for target, sources in linked.items()}


def distances(found: Tensor, pairs: list[Pair], half_width: int) -> dict[str, float]:
    """The mean distance of the centres from the gold ones, in words, and the share of gold links within the window."""
    rows = found.tolist()
    from_gold = [
        abs(row[target] - gold)
        for row, pair in zip(rows, pairs, strict=True)
        for target, gold in gold_centres(pair).items()
    ]
    from_links = [
        abs(row[target] - source) for row, pair in zip(rows, pairs, strict=True) for source, target in pair.links
    ]
    return {
        "mean_distance": round(sum(from_gold) / len(from_gold), 3),
        "links_in_window": round(sum(distance <= half_width for distance in from_links) / len(from_links), 4),
    }


def measure(model: Seq2Seq, data: Data) -> dict:
    """The entry "centres" of a record, by length; empty for global attention."""
    model.eval()
    decoder = model.decoder
    if not isinstance(decoder, LocalMonotonicDecoder | LocalPredictiveDecoder):
        return {}
    by_length = {}
    for name, pairs in data.sets.items():
        found = centres(model, pairs, data)
        if found is not None:
            by_length[name] = distances(found, pairs, decoder.half_width)
    return {"half_width": decoder.half_width, "centres": by_length}


def table(models: dict[str, list[dict]]) -> str:
    """Distance of the centre from the gold one and links within the window, by length, for the first seed."""
    local = {name: runs[0] for name, runs in models.items() if "centres" in runs[0]}
    if not local:
        return ""
    names = list(next(iter(local.values()))["centres"])
    lines = ["| model | D | " + " | ".join(names) + " |", "|---" * (2 + len(names)) + "|"]
    for name, run in local.items():
        cells = [f"{row['mean_distance']:.1f}; {row['links_in_window']:.0%}" for row in run["centres"].values()]
        lines.append(f"| {name} | {run['half_width']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


STUDY = Study(
    name="local_attention",
    title=__doc__.splitlines()[0],
    variants=[
        Variant("global", luong_bilinear, 3400),
        Variant("local_m", local_m, 3400),
        Variant("local_p", local_p, 3150),
        Variant("local_p_wide", local_p_wide, 3150),
    ],
    seeds=3,
    measure=measure,
    measured=table,
)


if __name__ == "__main__":
    STUDY.main()
