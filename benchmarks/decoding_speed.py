"""Decoding speed: greedy and beam search in batches against one sentence and one hypothesis at a time.

    python -m benchmarks.decoding_speed            # a few minutes on one core
    python -m benchmarks.decoding_speed --quick    # a smoke test of a few seconds

Each model is first trained briefly, so that its sentences end; then both implementations translate the same sentences
in alternation, in one process on one thread.
A GPU gets a thousand sentences at once, of which the naive loop translates some; it also replays what it has recorded.
`equal` is the share of identical translations.
"""

from collections.abc import Callable, Sequence
from functools import partial

import torch

from benchmarks.clock import Clock, replaying
from benchmarks.models import MODELS
from benchmarks.naive import decoding
from benchmarks.naive.model import NaiveModel
from benchmarks.report import machine, markdown, options, write
from benchmarks.ways import copied
from seq2seq.batch import Batch, collate, token_batches
from seq2seq.beam.search import beam_search
from seq2seq.corpora.grammar import corpus
from seq2seq.model import Seq2Seq
from seq2seq.search import greedy
from seq2seq.training import train
from seq2seq.vocab import PAD, Vocabulary

COMMAND = "python -m benchmarks.decoding_speed"
SETTINGS = {
    "training_pairs": 6000,
    "training_steps": 400,
    "sentences": 100,
    "sentences_per_batch": 50,
    "lengths": [4, 50],
    "max_length": 70,
    "beam_size": 5,
    "runs": 5,
    "tokens_per_batch": 400,
}
GPU = SETTINGS | {"sentences": 1000, "sentences_per_batch": 1000, "naive_every": 50, "runs": 3}
QUICK = SETTINGS | {"training_pairs": 200, "training_steps": 3, "sentences": 3, "max_length": 20, "runs": 1}


def main(arguments: Sequence[str] | None = None) -> None:
    chosen = options(COMMAND, __doc__.splitlines()[0], arguments)
    device = chosen.device
    settings = QUICK if chosen.quick else SETTINGS if device.type == "cpu" else GPU
    torch.set_num_threads(1)
    clock = Clock(device)
    pairs = corpus(settings["training_pairs"], 1, tuple(settings["lengths"]))
    vocabs = Vocabulary.build(pair.source for pair in pairs), Vocabulary.build(pair.target for pair in pairs)
    tests = corpus(settings["sentences"], 2, tuple(settings["lengths"]))
    tests = sorted(tests, key=lambda pair: len(pair.source))  # so that a batch holds sentences of about equal length
    size = settings["sentences_per_batch"]
    batches = [collate(tests[at : at + size], *vocabs).to(device) for at in range(0, len(tests), size)]
    report: dict = {"command": COMMAND, "settings": settings, **machine(device), "models": {}}
    rows = []
    for name in chosen.models:
        torch.manual_seed(0)
        model = MODELS[name](len(vocabs[0]), len(vocabs[1]))
        generator = torch.Generator().manual_seed(0)
        training_batches = token_batches(pairs, *vocabs, settings["tokens_per_batch"], generator)
        train(model, training_batches, steps=settings["training_steps"], device=device, progress=False)
        entry = measure(model, batches, clock, settings)
        report["models"][name] = entry
        rows += [{"model": name, "search": search} | numbers for search, numbers in entry.items()]
        print(name, entry, flush=True)
        write(chosen.json, report)
    print(markdown(rows))


def measure(model: Seq2Seq, batches: list[Batch], clock: Clock, settings: dict) -> dict[str, dict[str, float]]:
    """Tokens per second, including EOS, of both searches in both implementations."""
    naive, longest, beam_size = NaiveModel(copied(model)), settings["max_length"], settings["beam_size"]
    every = settings.get("naive_every", 1)  # the naive loop translates one in so many sentences

    def greedy_ours() -> list[list[int]]:
        ids = [greedy(model, batch.source, batch.source_lengths, longest)[0] for batch in batches]
        return [_unpadded(row) for part in ids for row in part.tolist()]

    def beam_ours() -> list[list[int]]:
        best = [beam_search(model, batch.source, batch.source_lengths, longest, beam_size) for batch in batches]
        return [_unpadded(row) for part in best for row in part.ids[:, 0].tolist()]

    def greedy_naive() -> list[list[int]]:
        return [decoding.greedy(naive, source, longest) for source in _sources(batches)[::every]]

    def beam_naive() -> list[list[int]]:
        return [decoding.beam(naive, source, longest, beam_size)[1] for source in _sources(batches)[::every]]

    entry = {}
    for name, ours, theirs in [("greedy", greedy_ours, greedy_naive), (f"beam {beam_size}", beam_ours, beam_naive)]:
        ways = {name: partial(_run, clock.device, False, ours)}
        if clock.device.type != "cpu":
            ways[f"{name}, replayed"] = partial(_run, clock.device, True, ours)
        words, their_words = {way: run() for way, run in ways.items()}, theirs()
        their_seconds, *seconds = clock.in_turns(theirs, *ways.values(), runs=settings["runs"], warmups=0)
        their_rate = sum(map(len, their_words)) / their_seconds
        for way, our_seconds in zip(ways, seconds, strict=True):
            rate = sum(map(len, words[way])) / our_seconds
            entry[way] = {
                "tokens_per_second": rate,
                "naive_tokens_per_second": their_rate,
                "ratio": rate / their_rate,
                "equal": sum(map(list.__eq__, words[way][::every], their_words)) / len(their_words),
            }
    return entry


def _run(device: torch.device, replays: bool, search: Callable[[], list[list[int]]]) -> list[list[int]]:
    with replaying(device, replays):
        return search()


def _unpadded(row: list[int]) -> list[int]:
    """The ids without trailing padding."""
    while row and row[-1] == PAD:
        row = row[:-1]
    return row


def _sources(batches: list[Batch]) -> list[torch.Tensor]:
    return [
        row[:length]
        for batch in batches
        for row, length in zip(batch.source, batch.source_lengths.tolist(), strict=True)
    ]


if __name__ == "__main__":
    main()
