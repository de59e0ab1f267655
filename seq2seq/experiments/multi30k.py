"""Multi30k, German to English: two fixed-vector models and two with attention, beside published scores.

    python -m seq2seq.experiments multi30k    # downloads what is missing; trains all four
    python -m seq2seq.experiments multi30k --models additive --preset full --device cuda
    python -m seq2seq.experiments multi30k --models additive luong --seeds 3

``luong`` has input feeding, bilinear scores and LSTM cells.
The scores that a popular tutorial publishes for the first three (embedding 256, hidden 512, 10 epochs, greedy,
lowercased, test_2016_flickr): 13.8, 20.6 and 28.3 BLEU (bentrevett/pytorch-seq2seq, chapters 1 to 3).
BLEU is of greedy translation, as in the tutorial; the record also has that of a beam of 5, and greedy BLEU by length.
The preset "laptop" trains each model within an hour on one CPU core; "full" has the tutorial's sizes, for a GPU.
The smoke test downloads nothing: it uses sentences of the grammar.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from seq2seq.batch import Batch, collate, token_batches
from seq2seq.beam.penalty import mean_penalty
from seq2seq.beam.search import beam_search
from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.multi30k import multi30k
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.decoder import Decoder
from seq2seq.decoders.fixed import EveryStepDecoder, InitialStateDecoder
from seq2seq.decoders.luong import InputFeedingDecoder
from seq2seq.device import choose_device
from seq2seq.encoders import Encoder
from seq2seq.experiments import experiment
from seq2seq.experiments.runs import Cell, Runs
from seq2seq.experiments.tables import MISSING, PARAMETERS, Column, count, first, of_runs, spread
from seq2seq.experiments.trained import Data, train_model, with_vocabularies
from seq2seq.metrics import bleu, bleu_by_length, perplexity
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, BilinearScorer
from seq2seq.search import greedy
from seq2seq.vocab import Vocabulary

PUBLISHED = {"fixed_lstm": 13.8, "fixed_gru": 20.6, "additive": 28.3, "luong": None}
PRESETS = {
    "laptop": {"embedding": 256, "hidden": 256, "dropout": 0.3, "epochs": 12, "tokens_per_batch": 1000},
    "full": {"embedding": 256, "hidden": 512, "dropout": 0.5, "epochs": 12, "tokens_per_batch": 2000},
    "quick": {"embedding": 8, "hidden": 8, "dropout": 0.3, "epochs": 1, "tokens_per_batch": 1000},
}
PARTS = ("train", "val", "test_2016_flickr")
TEST = PARTS[-1]
LEARNING_RATE = 2e-3
WARMUP_STEPS = 400
BEAM_SIZE = 5
LONGEST = 60  # words of a translation
BUCKETS = ((1, 8), (9, 12), (13, 16), (17, 100))  # of source words


def build(name: str, settings: dict, source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    """An untrained model; the two with a fixed vector have a unidirectional encoder, as in the tutorial."""
    embedding, hidden, dropout = (settings[key] for key in ("embedding", "hidden", "dropout"))
    cell = "lstm" if name in ("fixed_lstm", "luong") else "gru"
    both_ways = name in ("additive", "luong")
    encoder = Encoder(source_vocab_size, embedding, hidden, bidirectional=both_ways, cell=cell, dropout=dropout)
    sizes = (target_vocab_size, embedding, hidden, encoder.state_size)
    decoder: Decoder
    if name == "fixed_lstm":
        decoder = InitialStateDecoder(*sizes, cell="lstm", dropout=dropout)
    elif name == "fixed_gru":
        decoder = EveryStepDecoder(*sizes, dropout=dropout)
    elif name == "luong":
        scorer = BilinearScorer(hidden, encoder.state_size)
        decoder = InputFeedingDecoder(*sizes, scorer, cell="lstm", dropout=dropout)
    else:
        decoder = BahdanauDecoder(*sizes, AdditiveScorer(hidden, encoder.state_size, hidden), dropout=dropout)
    return Seq2Seq(encoder, decoder)


def data(settings: dict, options: argparse.Namespace) -> tuple[Data, torch.device]:
    torch.set_num_threads(options.threads)
    device = choose_device(options.device)
    if options.quick:
        sets = {part: corpus(200, seed, (4, 12)) for seed, part in enumerate(PARTS)}
    else:
        sets = {part: multi30k(part, folder=options.data) for part in PARTS}
    return with_vocabularies(sets["train"], sets, min_count=2), device


def run(
    name: str, preset: str, seed: int, settings: dict, data_and_device: tuple[Data, torch.device]
) -> tuple[Seq2Seq, dict]:
    """Train and test one model."""
    data, device = data_and_device
    sets, vocabs, test = data.sets, data.vocabularies, data.sets[TEST]
    model, entries = trained(name, seed, settings, data, device)
    model.to(device)
    greedily = {part: translate(model, sets[part], *vocabs) for part in PARTS[1:]}

    def batches(part: str) -> Iterator[Batch]:
        return (batch.to(device) for batch in token_batches(sets[part], *vocabs, 4000))

    measures = {
        "published_bleu": PUBLISHED[name],
        "bleu": {part: round(bleu(words, targets(sets[part])), 2) for part, words in greedily.items()},
        "beam_bleu": {TEST: round(bleu(translate(model, test, *vocabs, BEAM_SIZE), targets(test)), 2)},
        "bleu_by_length": by_length(greedily[TEST], test, BUCKETS),
        "perplexity": {part: round(perplexity(model, batches(part)), 3) for part in PARTS[1:]},
    }
    return model.to("cpu"), entries | measures


def trained(name: str, seed: int, settings: dict, data: Data, device: torch.device, **how: Any) -> tuple[Seq2Seq, dict]:
    """A model after all its epochs, in evaluation mode on the CPU, and what its record tells of the training."""
    order = torch.Generator().manual_seed(seed)
    batches = token_batches(data.training, *data.vocabularies, settings["tokens_per_batch"], order)
    model, entries = train_model(
        lambda: build(name, settings, *map(len, data.vocabularies)),
        lambda _: batches,  # in another order than those that were counted
        seed,
        settings,
        description=f"{name}, {settings['preset']}",
        steps=settings["epochs"] * sum(1 for _ in batches),
        device=device,
        parts=40,
        learning_rate=LEARNING_RATE,
        warmup_steps=WARMUP_STEPS,
        **how,
    )
    sizes = {"threads": torch.get_num_threads(), "vocabulary_sizes": list(map(len, data.vocabularies))}
    return model.eval(), entries | sizes


def targets(pairs: list[Pair]) -> list[tuple[str, ...]]:
    return [pair.target for pair in pairs]


def translate(
    model: Seq2Seq, pairs: list[Pair], source_vocab: Vocabulary, target_vocab: Vocabulary, beam_size: int = 1
) -> list[list[str]]:
    """Greedy translations, or the best of a beam by mean log-probability per word."""
    hypotheses, device = [], next(model.parameters()).device
    for start in range(0, len(pairs), 100):
        batch = collate(pairs[start : start + 100], source_vocab, target_vocab).to(device)
        if beam_size == 1:
            ids, _ = greedy(model, batch.source, batch.source_lengths, max_length=LONGEST)
        else:
            given = batch.source, batch.source_lengths, LONGEST, beam_size
            ids = beam_search(model, *given, penalty=mean_penalty).ids[:, 0]
        hypotheses += [target_vocab.decode(row) for row in ids.tolist()]
    return hypotheses


def by_length(hypotheses: list[list[str]], pairs: list[Pair], buckets: Sequence[tuple[int, int]]) -> dict[str, float]:
    """BLEU by bucket of source length, shortest and longest; empty buckets are left out."""
    scores = bleu_by_length(hypotheses, targets(pairs), [len(pair.source) for pair in pairs], buckets)
    return {f"{shortest}-{longest}": round(score, 2) for (shortest, longest), score in scores.items()}


COLUMNS: dict[str, Column] = {
    "seeds": count,
    "BLEU val": spread(1, "bleu", "val"),
    "BLEU test": spread(1, "bleu", TEST),
    "beam": spread(1, "beam_bleu", TEST),
    "published": lambda runs: str(runs[0]["published_bleu"] or MISSING),
    "perplexity": spread(2, "perplexity", TEST),
    **PARAMETERS,
    "device": first("", "device"),
}


def settings_of(cell: Cell, asked: dict) -> dict:
    """The settings of a preset; those of the preset that is asked for may have other epochs."""
    preset = cell[1]
    epochs = {"epochs": asked["epochs"]} if asked["epochs"] and preset == asked["preset"] else {}
    rates = {"learning_rate": LEARNING_RATE, "warmup_steps": WARMUP_STEPS}
    return {"preset": preset, **PRESETS[preset], **epochs, **rates}


def preset_of(options: argparse.Namespace) -> str:
    return "quick" if options.quick else options.preset


RECORD = "model seed settings torch device threads vocabulary_sizes parameters steps target_tokens cpu_seconds "
RECORD += "training_loss"
MULTI30K = Runs(
    name="multi30k",
    title=__doc__.splitlines()[0],
    asked=lambda options: {"preset": preset_of(options), "epochs": options.epochs},
    options={
        "--preset": {"default": "laptop", "choices": list(PRESETS)},
        "--epochs": {"type": experiment.count, "help": "overrides the preset's"},
        "--data": {"type": Path, "help": "the folder of the .gz files; missing files are downloaded to it"},
        "--device": {"type": experiment.device, "help": "cpu, cuda or mps (default: the best available)"},
        "--threads": {"type": experiment.count, "default": 1},
    },
    seeds=1,
    models=[(model, preset) for preset in PRESETS for model in PUBLISHED],
    data=data,
    settings_of=settings_of,
    run=run,
    record=RECORD,
    by=("model", "preset"),
    choices={"model": None, "preset": lambda options: [preset_of(options)]},
    shared=False,
    lay_out=lambda runs, data: {f"{model}_{preset}": records for (model, preset), records in runs.items()},
    table=of_runs(COLUMNS),
)
