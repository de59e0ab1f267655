"""Multi30k, German to English: two fixed-vector models and two with attention, beside published scores.

    python -m seq2seq.experiments.multi30k                       # downloads what is missing; trains all four
    python -m seq2seq.experiments.multi30k --models additive --preset full --device cuda
    python -m seq2seq.experiments.multi30k --models additive luong --seeds 3

``luong`` has input feeding, bilinear scores and LSTM cells.
The scores that a popular tutorial publishes for the first three (embedding 256, hidden 512, 10 epochs, greedy,
lowercased, test_2016_flickr): 13.8, 20.6 and 28.3 BLEU (bentrevett/pytorch-seq2seq, chapters 1 to 3).
BLEU is of greedy translation, as in the tutorial; the record also has that of a beam of 5, and greedy BLEU by length.
The preset "laptop" trains each model within an hour on one CPU core; "full" has the tutorial's sizes, for a GPU.
The smoke test downloads nothing: it uses sentences of the grammar.
Each run writes its file when it finishes; a run that already has a file with the same settings is skipped.
"""

import argparse
import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import torch

from seq2seq.batch import collate, token_batches
from seq2seq.beam.penalty import mean_penalty
from seq2seq.beam.search import beam_search
from seq2seq.corpora.download import DownloadError
from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.multi30k import multi30k
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.decoder import Decoder
from seq2seq.decoders.fixed import EveryStepDecoder, InitialStateDecoder
from seq2seq.decoders.luong import InputFeedingDecoder
from seq2seq.device import choose_device, device_name
from seq2seq.encoders import Encoder
from seq2seq.experiments.command_line import add_seeds, is_done, parse, parser_with_show, read, write
from seq2seq.experiments.study import spread
from seq2seq.metrics import bleu, perplexity
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, BilinearScorer
from seq2seq.search import greedy
from seq2seq.training import train
from seq2seq.vocab import Vocabulary

COMMAND = "python -m seq2seq.experiments.multi30k"
PUBLISHED = {"fixed_lstm": 13.8, "fixed_gru": 20.6, "additive": 28.3, "luong": None}
PRESETS = {
    "laptop": {"embedding": 256, "hidden": 256, "dropout": 0.3, "epochs": 12, "tokens_per_batch": 1000},
    "full": {"embedding": 256, "hidden": 512, "dropout": 0.5, "epochs": 12, "tokens_per_batch": 2000},
    "quick": {"embedding": 8, "hidden": 8, "dropout": 0.3, "epochs": 1, "tokens_per_batch": 1000},
}
PARTS = ("train", "val", "test_2016_flickr")
LEARNING_RATE = 2e-3
WARMUP_STEPS = 400
BEAM_SIZE = 5
LONGEST = 60  # words of a translation
BUCKETS = ((1, 8), (9, 12), (13, 16), (17, 100))  # of source words


def build(name: str, settings: dict, source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    """An untrained model; the two with a fixed vector have a unidirectional encoder, as in the tutorial."""
    embedding, hidden, dropout = (settings[key] for key in ("embedding", "hidden", "dropout"))
    cell = "lstm" if name in ("fixed_lstm", "luong") else "gru"
    encoder = Encoder(source_vocab_size, embedding, hidden, name in ("additive", "luong"), cell, dropout)
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


def run(name: str, seed: int, settings: dict, sets: dict[str, list[Pair]], device: torch.device) -> dict:
    """Train and test one model; returns the record of the run."""
    vocabs = vocabularies(sets["train"], min_count=2)
    model, record = trained(name, seed, settings, sets["train"], vocabs, device)
    test = sets[PARTS[-1]]
    greedily = {part: translate(model, sets[part], *vocabs) for part in PARTS[1:]}
    return record | {
        "published_bleu": PUBLISHED[name],
        "bleu": {part: round(bleu(found, targets(sets[part])), 2) for part, found in greedily.items()},
        "beam_bleu": {PARTS[-1]: round(bleu(translate(model, test, *vocabs, BEAM_SIZE), targets(test)), 2)},
        "bleu_by_length": by_length(greedily[PARTS[-1]], test, BUCKETS),
        "perplexity": {
            part: round(perplexity(model, token_batches(sets[part], *vocabs, 4000)), 3) for part in PARTS[1:]
        },
    }


def vocabularies(pairs: list[Pair], min_count: int) -> tuple[Vocabulary, Vocabulary]:
    """Of the words that are at least so often in the training pairs."""
    return (
        Vocabulary.build((pair.source for pair in pairs), min_count),
        Vocabulary.build((pair.target for pair in pairs), min_count),
    )


def trained(
    name: str,
    seed: int,
    settings: dict,
    pairs: list[Pair],
    vocabs: tuple[Vocabulary, Vocabulary],
    device: torch.device,
) -> tuple[Seq2Seq, dict]:
    """A model after all its epochs, in evaluation mode on the CPU, and the record of its training."""
    torch.manual_seed(seed)
    model = build(name, settings, *map(len, vocabs)).to(device)
    batches = token_batches(pairs, *vocabs, settings["tokens_per_batch"], torch.Generator().manual_seed(seed))
    history = train(
        model,
        batches,
        steps=settings["epochs"] * sum(1 for _ in batches),
        learning_rate=LEARNING_RATE,
        warmup_steps=WARMUP_STEPS,
        device=device,
        description=f"{name}, {settings['preset']}, seed {seed}",
    )
    return model.to("cpu").eval(), {
        "model": name,
        "seed": seed,
        "settings": settings,
        "torch": torch.__version__,
        "device": device_name(device),
        "threads": torch.get_num_threads(),
        "vocabulary_sizes": [len(vocab) for vocab in vocabs],
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "steps": history.steps,
        "target_tokens": history.tokens,
        "cpu_seconds": round(history.cpu_seconds, 1),
        "training_loss": [round(part.mean().item(), 4) for part in torch.tensor(history.losses).chunk(40)],
    }


def targets(pairs: list[Pair]) -> list[tuple[str, ...]]:
    return [pair.target for pair in pairs]


def translate(
    model: Seq2Seq, pairs: list[Pair], source_vocab: Vocabulary, target_vocab: Vocabulary, beam_size: int = 1
) -> list[list[str]]:
    """Greedy translations, or the best of a beam by mean log-probability per word."""
    hypotheses = []
    for start in range(0, len(pairs), 100):
        batch = collate(pairs[start : start + 100], source_vocab, target_vocab)
        if beam_size == 1:
            ids, _ = greedy(model, batch.source, batch.source_lengths, max_length=LONGEST)
        else:
            given = batch.source, batch.source_lengths, LONGEST, beam_size
            ids = beam_search(model, *given, penalty=mean_penalty).ids[:, 0]
        hypotheses += [target_vocab.decode(row) for row in ids.tolist()]
    return hypotheses


def by_length(hypotheses: list[list[str]], pairs: list[Pair], buckets: Sequence[tuple[int, int]]) -> dict[str, float]:
    """BLEU by bucket of source length, shortest and longest; empty buckets are left out."""
    found = {}
    for shortest, longest in buckets:
        rows = [row for row, pair in enumerate(pairs) if shortest <= len(pair.source) <= longest]
        if rows:
            score = bleu([hypotheses[row] for row in rows], [pairs[row].target for row in rows])
            found[f"{shortest}-{longest}"] = round(score, 2)
    return found


def table(models: dict[str, list[dict]]) -> str:
    """BLEU, greedy and with a beam, and perplexity as a Markdown table: means over seeds, with the ranges."""
    test = PARTS[-1]
    lines = [
        "| model | seeds | BLEU val | BLEU test | beam | published | perplexity | parameters | device |",
        "|---" * 9 + "|",
    ]
    for name, runs in models.items():
        beams = [run["beam_bleu"][test] for run in runs if "beam_bleu" in run]
        cells = [
            spread([run["bleu"]["val"] for run in runs], 1),
            spread([run["bleu"][test] for run in runs], 1),
            spread(beams, 1) if beams else "–",
            str(runs[0]["published_bleu"] or "–"),
            spread([run["perplexity"][test] for run in runs], 2),
        ]
        lines.append(
            f"| {name} | {len(runs)} | " + " | ".join(cells) + f" | {runs[0]['parameters']:,} | {runs[0]['device']} |"
        )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    options = _options(arguments)
    if options.show:
        print(table(read(options.out / "multi30k.json")["models"]))
        return
    torch.set_num_threads(options.threads)
    settings = {
        "preset": options.preset,
        **PRESETS[options.preset],
        **({"epochs": options.epochs} if options.epochs else {}),
        "learning_rate": LEARNING_RATE,
        "warmup_steps": WARMUP_STEPS,
    }
    device = choose_device(options.device)
    if options.quick:
        sets = {part: corpus(200, seed, (4, 12)) for seed, part in enumerate(PARTS)}
    else:
        try:
            sets = {part: multi30k(part, folder=options.data) for part in PARTS}
        except DownloadError as error:
            raise SystemExit(f"{error}") from None
    folder = options.out / "multi30k"
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(options.seeds):
        for name in options.models:
            path = folder / f"{name}-{options.preset}-{seed}.json"
            if not is_done(path, settings):
                write(path, run(name, seed, settings, sets, device))
                write(options.out / "multi30k.json", {"command": COMMAND, "models": collect(options.out)})
    print(table(collect(options.out)))


def collect(out: Path) -> dict[str, list[dict]]:
    """All runs, by model and preset: those of the existing report, perhaps from another machine, and the new ones."""
    path = out / "multi30k.json"
    before = json.loads(path.read_text())["models"] if path.exists() else {}
    new = [json.loads(file.read_text()) for file in (out / "multi30k").glob("*.json")]
    by_seed: dict[str, dict[int, dict]] = {f"{model}_{preset}": {} for preset in PRESETS for model in PUBLISHED}
    for run in itertools.chain(*before.values(), new):
        by_seed[f"{run['model']}_{run['settings']['preset']}"][run["seed"]] = run
    return {name: [runs[seed] for seed in sorted(runs)] for name, runs in by_seed.items() if runs}


def _options(arguments: list[str] | None) -> argparse.Namespace:
    options_parser = parser_with_show(COMMAND, __doc__.splitlines()[0])
    options_parser.add_argument("--models", nargs="+", default=list(PUBLISHED), choices=list(PUBLISHED))
    options_parser.add_argument("--preset", default="laptop", choices=list(PRESETS))
    options_parser.add_argument("--epochs", type=int, help="overrides the preset's")
    options_parser.add_argument(
        "--data", type=Path, help="the folder of the .gz files; missing files are downloaded to it"
    )
    options_parser.add_argument("--device", help="cpu, cuda or mps (default: the best available)")
    options_parser.add_argument("--threads", type=int, default=1)
    add_seeds(options_parser, 1)
    options = parse(options_parser, arguments)
    if options.quick:
        options.preset = "quick"
    return options


if __name__ == "__main__":
    main()
