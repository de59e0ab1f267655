"""What scheduled sampling learns where the true distribution is known: sentences of two words (after Huszár, 2015).

    python -m seq2seq.experiments.improper            # 5 shares of gold words × 3 seeds: a minute or two
    python -m seq2seq.experiments.improper --quick    # a smoke test of seconds, results in a temporary folder

The first word is one of four, equally likely; the second repeats it with a probability of .85.
A large enough model is trained with a constant share of gold words; its own words are drawn as in Bengio et al. (2015).
Its distribution over all sixteen sentences is computed exactly and compared with the true one.

The model's own first word is independent of the gold second word in the loss.
So the distribution of the second word that minimises the loss is a mixture, with e the share of gold words:
q(y2 | y1) = e p(y2 | y1) + (1 - e) p(y2): correct only for e = 1, and independent of the first word for e = 0.
"""

import math
import random

import torch

from seq2seq.batch import collate, token_batches
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.fixed import EveryStepDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.command_line import add_seeds, parse, parser_with_show, read, write
from seq2seq.losses.scheduled_sampling import ScheduledSampling
from seq2seq.model import Seq2Seq
from seq2seq.training import train
from seq2seq.vocab import Vocabulary

COMMAND = "python -m seq2seq.experiments.improper"
WORDS = ("a", "b", "c", "d")
SETTINGS: dict = {
    "gold_shares": [1.0, 0.75, 0.5, 0.25, 0.0],
    "same_word": 0.85,
    "pairs": 20_000,
    "steps": 800,
    "tokens_per_batch": 900,
    "learning_rate": 1e-2,
    "embedding_size": 8,
    "size": 16,
    "threads": 1,
}
VOCAB = Vocabulary(WORDS)


def true(first: str, second: str, same_word: float) -> float:
    """p(y2 | y1)."""
    return same_word if first == second else (1 - same_word) / (len(WORDS) - 1)


def sentences(size: int, same_word: float) -> list[Pair]:
    generator = random.Random(1)
    pairs = []
    for _ in range(size):
        first = generator.choice(WORDS)
        (second,) = generator.choices(WORDS, [true(first, word, same_word) for word in WORDS])
        pairs.append(Pair(("a",), (first, second), frozenset()))
    return pairs


@torch.no_grad()
def learned(model: Seq2Seq) -> dict[str, list[float]]:
    """q(y2 | y1) for every y1, renormalised over the words; and q(y1) under the empty key."""
    batch = collate([Pair(("a",), (first,), frozenset()) for first in WORDS], VOCAB, VOCAB)
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    own = VOCAB.encode(WORDS)
    shares = torch.softmax(logits.double(), -1)[..., own]
    shares = shares / shares.sum(-1, keepdim=True)
    return {"": shares[0, 0].tolist(), **{word: shares[row, 1].tolist() for row, word in enumerate(WORDS)}}


def divergence(first: list[float], second: dict[str, list[float]], same_word: float) -> float:
    """KL(p || q) in nats: p is the true distribution of sentences, q that of these probabilities."""
    total = 0.0
    for one, word in enumerate(WORDS):
        for other, following in enumerate(WORDS):
            joint = true(word, following, same_word) / len(WORDS)
            total += joint * math.log(joint / (first[one] * second[word][other]))
    return total


def predicted(share: float, same_word: float) -> dict[str, list[float]]:
    """The mixture that minimises the loss, by the formula."""
    uniform = 1 / len(WORDS)
    return {one: [share * true(one, other, same_word) + (1 - share) * uniform for other in WORDS] for one in WORDS}


def run(share: float, seed: int, settings: dict) -> dict:
    torch.manual_seed(seed)
    encoder = Encoder(len(VOCAB), settings["embedding_size"], settings["size"])
    decoder = EveryStepDecoder(len(VOCAB), settings["embedding_size"], settings["size"], encoder.state_size)
    model = Seq2Seq(encoder, decoder)
    pairs = sentences(settings["pairs"], settings["same_word"])
    history = train(
        model,
        token_batches(pairs, VOCAB, VOCAB, settings["tokens_per_batch"], torch.Generator().manual_seed(seed)),
        steps=settings["steps"],
        learning_rate=settings["learning_rate"],
        loss=ScheduledSampling(lambda progress: share),
        device="cpu",
        description=f"{share:.0%} gold, seed {seed}",
    )
    model.eval()
    found = learned(model)
    same = sum(found[word][place] for place, word in enumerate(WORDS)) / len(WORDS)
    return {
        "seed": seed,
        "steps": history.steps,
        "cpu_seconds": round(history.cpu_seconds, 1),
        "same_word": round(same, 4),
        "divergence": round(divergence(found[""], found, settings["same_word"]), 4),
    }


def table(report: dict) -> str:
    lines = [
        "| gold words | p(same word), each seed | by the formula | KL from the true sentences | by the formula |",
        "|---" * 5 + "|",
    ]
    for share, entry in report["shares"].items():
        same = " ".join(f"{run['same_word']:.3f}" for run in entry["runs"])
        divergences = " ".join(f"{run['divergence']:.3f}" for run in entry["runs"])
        lines.append(
            f"| {float(share):.0%} | {same} | {entry['predicted_same_word']:.3f} | {divergences} | "
            f"{entry['predicted_divergence']:.3f} |"
        )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    options_parser = parser_with_show(COMMAND, __doc__.splitlines()[0])
    add_seeds(options_parser, 3)
    options = parse(options_parser, arguments)
    if options.show:
        print(table(read(options.out / "improper.json")))
        return
    settings = SETTINGS | ({"pairs": 300, "steps": 5, "gold_shares": [1.0, 0.0]} if options.quick else {})
    torch.set_num_threads(settings["threads"])
    shares = {}
    for share in settings["gold_shares"]:
        mixture = predicted(share, settings["same_word"])
        shares[str(share)] = {
            "predicted_same_word": round(mixture[WORDS[0]][0], 4),
            "predicted_divergence": round(divergence([1 / len(WORDS)] * len(WORDS), mixture, settings["same_word"]), 4),
            "runs": [run(share, seed, settings) for seed in range(options.seeds)],
        }
    report = {"command": COMMAND, "settings": settings, "torch": torch.__version__, "shares": shares}
    write(options.out / "improper.json", report)
    print(table(report))


if __name__ == "__main__":
    main()
