"""The effect of beam size: trained models with beams of 1 to 20, with and without length normalisation.

    python -m seq2seq.experiments beam_size    # a few minutes on one core; uses length_curve's trained models

A wider beam finds hypotheses of higher probability, which need not be better translations (Koehn & Knowles, 2017,
section 3.6).
"""

import argparse
import time
from itertools import chain
from pathlib import Path

import torch

from seq2seq.batch import collate
from seq2seq.beam.penalty import Penalty, gnmt_penalty, mean_penalty, no_penalty
from seq2seq.beam.search import beam_search, rescore
from seq2seq.corpora.pair import Pair
from seq2seq.experiments.experiment import Measurement
from seq2seq.experiments.recipe import MODELS, build, load_trained
from seq2seq.experiments.study import QUICK, fingerprint, prepare
from seq2seq.experiments.study import SETTINGS as STUDY_SETTINGS
from seq2seq.experiments.tables import markdown
from seq2seq.metrics import bleu, exact_match
from seq2seq.model import Seq2Seq
from seq2seq.vocab import Vocabulary

BEAM_SIZES = [1, 2, 3, 5, 10, 20]
PENALTIES: dict[str, Penalty] = {"none": no_penalty, "gnmt_0.6": gnmt_penalty(0.6), "mean": mean_penalty}
SETTINGS: dict = {"beam_sizes": BEAM_SIZES, "sentences_per_bucket": 50, "sentences_per_batch": 50}
METRICS = ("bleu", "exact_match", "length_ratio", "log_probability", "search_errors", "tokens_per_second")


def measure_all(settings: dict, options: argparse.Namespace) -> dict:
    data = prepare(STUDY_SETTINGS | (QUICK if options.quick else {}))
    sets = {name: pairs[: settings["sentences_per_bucket"]] for name, pairs in data.sets.items()}
    models = trained(options.out / "length_curve")
    if options.quick:
        models = dict(list(models.items())[:1])
    if options.quick and not models:  # a temporary folder has no trained models
        vocabs = data.source_vocab, data.target_vocab
        models = {"bahdanau": (build("bahdanau", len(vocabs[0]), len(vocabs[1])), *vocabs)}
    started = time.process_time()
    measured = {
        name: {
            penalty: [measure(*model_and_vocabs, sets, size, penalty, settings) for size in settings["beam_sizes"]]
            for penalty in PENALTIES
        }
        for name, model_and_vocabs in models.items()
    }
    return {
        "settings": settings,
        "torch": torch.__version__,
        "threads": 1,
        "test_fingerprint": fingerprint(data.sets),
        "models": measured,
        "cpu_seconds": round(time.process_time() - started, 1),
    }


def trained(folder: Path) -> dict[str, tuple[Seq2Seq, Vocabulary, Vocabulary]]:
    """Each model whose weights are in the folder."""
    return {name: load_trained(name, folder) for name in MODELS if (folder / f"{name}.pt").exists()}


def measure(
    model: Seq2Seq,
    source_vocab: Vocabulary,
    target_vocab: Vocabulary,
    sets: dict[str, list[Pair]],
    beam_size: int,
    penalty: str,
    settings: dict,
) -> dict:
    """Quality of the best hypotheses over all sets, BLEU of each set, and quality of the search.

    `log_probability` is the mean over sentences of the model's log-probability of the best hypothesis;
    `search_errors` is the share of sentences whose reference has a higher score than the best hypothesis.
    """
    hypotheses: dict[str, list[list[str]]] = {}
    log_probability, errors, words, seconds = 0.0, 0, 0, 0.0
    for name, pairs in sets.items():
        hypotheses[name] = []
        for at in range(0, len(pairs), settings["sentences_per_batch"]):
            batch = collate(pairs[at : at + settings["sentences_per_batch"]], source_vocab, target_vocab)
            longest = 2 * batch.source.size(1) + 10
            given = model, batch.source, batch.source_lengths
            started = time.process_time()
            beam = beam_search(*given, longest, beam_size, penalty=PENALTIES[penalty])
            seconds += time.process_time() - started
            lengths = batch.target_mask.sum(1, keepdim=True)
            reference = rescore(*given, batch.target_out.unsqueeze(1), lengths) / PENALTIES[penalty](lengths)
            log_probability += beam.log_probabilities.sum().item()
            errors += int((reference > beam.scores + 1e-4).sum())  # tolerance for rounding
            words += int(beam.lengths.sum())
            hypotheses[name] += [target_vocab.decode(row) for row in beam.ids[:, 0].tolist()]
    references = {name: [pair.target for pair in pairs] for name, pairs in sets.items()}
    ours, theirs = (list(chain.from_iterable(part.values())) for part in (hypotheses, references))
    return {
        "beam_size": beam_size,
        "bleu": round(bleu(ours, theirs), 2),
        "bleu_by_length": {name: round(bleu(hypotheses[name], references[name]), 2) for name in sets},
        "exact_match": round(exact_match(ours, theirs), 4),
        "length_ratio": round(sum(map(len, ours)) / sum(map(len, theirs)), 4),
        "log_probability": round(log_probability / len(ours), 4),
        "search_errors": round(errors / len(ours), 4),
        "tokens_per_second": round(words / seconds),
    }


def table(report: dict) -> str:
    rows = [
        [name, penalty, row["beam_size"], *(f"{row[metric]:g}" for metric in METRICS)]
        for name, penalties in report["models"].items()
        for penalty, by_size in penalties.items()
        for row in by_size
    ]
    return markdown(["model", "normalisation", "beam", *METRICS], rows)


BEAM_SIZE = Measurement(
    name="beam_size",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"beam_sizes": [1, 3], "sentences_per_bucket": 1},
    measure=measure_all,
    table=table,
)
