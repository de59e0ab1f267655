"""Each public function of the library, found by itself, meets the same bad arguments: the right value, or a sentence.

What else a call needs comes from SPECIMENS, by the names of the arguments, which mean the same everywhere.
The answers to graded tasks are left out: they stay as short as the exercise is, and their callers have the guards.
"""

import importlib
import inspect
import itertools
import math
import pkgutil
import random
import types
import typing
from dataclasses import replace

import pytest
import torch
from small_models import BATCH, MODELS, PAIRS, SIZE, VOCAB, bahdanau, defined, library_modules
from torch import nn

import autograder.tasks
from seq2seq import plots
from seq2seq.batch import Batch, collate
from seq2seq.beam.penalty import no_penalty
from seq2seq.beyond.extended_vocabulary import extend
from seq2seq.corpora.drawings import drawings
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.speech import utterances
from seq2seq.decoders.pointer import PointerDecoder
from seq2seq.encoders import Encoder
from seq2seq.metrics import perplexity
from seq2seq.model import Seq2Seq
from seq2seq.training import forced_loss
from seq2seq.vocab import Vocabulary
from seq2seq.widgets.playback import ByMask

SAYINGS = utterances(3, 0, (3, 4))
FEW = Vocabulary.build([pair.source for pair in PAIRS[:2]])


def pointing():
    return Seq2Seq(Encoder(len(FEW), 3, 4, cell="lstm"), PointerDecoder(len(FEW), 3, 4, 8, 5))


SPECIMENS = {
    **{"model": bahdanau, "translator": lambda: ByMask(bahdanau()), "source": lambda: BATCH.source},
    **{"source_lengths": lambda: BATCH.source_lengths, "ids": lambda: torch.full((len(PAIRS), 1, 3), 4)},
    **{"lengths": lambda: torch.full((len(PAIRS), 1), 3), "batch": lambda: BATCH, "batches": lambda: [BATCH]},
    "pairs": lambda: PAIRS,
    **dict.fromkeys(("source_vocab", "target_vocab", "vocab"), lambda: VOCAB),
    **dict.fromkeys(("hypotheses", "references", "sentences"), lambda: [["le", "chat"]]),
    **dict.fromkeys(("tokens", "words"), lambda: ["0", "1"]),
    "unknown": lambda: ["morva"],
    "buckets": lambda: [(1, 9)],
    "penalty": lambda: no_penalty,
    "generator": lambda: random.Random(0),
    "weights": lambda: torch.softmax(torch.randn(2, 2), dim=-1),
    "scores": lambda: torch.randn(2, 3),
    "source_mask": lambda: torch.ones(2, 3, dtype=torch.bool),
    **{"states": lambda: torch.randn(2, 3, 4), "log_likelihoods": lambda: torch.randn(2, 2)},
    **{"log_likelihood": lambda: torch.randn(2), "baseline": lambda: torch.tensor(0.0), "utterances": lambda: SAYINGS},
    **{"drawings": lambda: drawings(2, 0), "gold": lambda: frozenset({(0, 0)}), "links": frozenset},
    **{"positions": lambda: torch.arange(3), "centres": lambda: torch.zeros(2, 1)},
    **dict.fromkeys(("progress", "gold_share"), lambda: 0.5),
    **dict.fromkeys(("n_best", "n", "half_width", "annotator", "step", "validation", "test", "alpha"), lambda: 1),
    **dict.fromkeys(("beam_size", "size", "batch_size", "source_length", "target_length", "train"), lambda: 2),
    **dict.fromkeys(("draws", "symbols", "max_length", "warmup_steps", "tokens_per_batch"), lambda: 3),
    **dict.fromkeys(("null_share", "peak", "tension"), lambda: 0.1),
    "seed": lambda: 0,
    "length": lambda: 30,
}
SENTENCES = {"source": lambda: ["a", "b"], "target": lambda: ["c", "d"]}
# What the name of an argument does not tell.
SPECIAL = {
    "beam_tree": {"source": lambda: BATCH.source[0, :2]},
    "greedy_copying": {"model": pointing, "batch": lambda: extend(PAIRS, FEW, FEW)},
    "bleu_by_length": {"source_lengths": lambda: [2]},
    "decode": {"ids": lambda: [4, 5]},
    "weight_on_spans": {"weights": lambda: torch.rand(3, 9, 500)},
    **{name: {"generator": torch.Generator} for name in ("adding", "multiplication")},
    "sequences": {"lengths": lambda: (3, 4)},
    **dict.fromkeys(("alignment_plot", "alignment_alt_text", "Pair"), SENTENCES),
    "AlignedPair": SENTENCES | {"possible": frozenset},
    "play": {"words": lambda: list(PAIRS[0].source)},
    "train": {"steps": lambda: 1, "device": lambda: "cpu", "progress": lambda: False},
    "speak": {
        **{"choose": lambda: lambda words, state: (words, None, state), "state": lambda: None},
        "previous": lambda: BATCH.source[:, 0],
    },
    "splits": {"test": lambda: 1},
    "gaussian_window_softmax": {"scores": lambda: torch.randn(2, 1, 3)},
    "take": {"pairs": lambda: iter(PAIRS)},
}
# Numbers that count, and the least that has a meaning; others are above 0, or shares, or free for a reason.
LEAST = {
    **dict.fromkeys(("max_length", "beam_size", "n_best", "n", "steps", "tokens_per_batch", "candidates"), 1),
    **dict.fromkeys(("symbols", "source_length", "passes"), 1),
    **dict.fromkeys(("size", "batch_size", "neighbours", "train", "validation", "test", "half_width"), 0),
    "draws": 2,
    "length": 22,
}
ABOVE_ZERO = {"temperature", "learning_rate", "clip", "cpu_seconds"}
SHARES = {"keep", "gold_share", "null_share"}
FREE = {
    **dict.fromkeys(("seed", "shift", "first", "target_length", "tension"), "every whole number has a meaning"),
    **dict.fromkeys(("baseline", "reward_weight", "penalty_weight", "weight", "entropy_weight", "pull"), "of any sign"),
    **dict.fromkeys(
        ("soft_until", "soft_share", "pull_until", "wide_until", "progress"), "beyond 0 and 1: always, never"
    ),
    **dict.fromkeys(("step", "peak", "warmup_steps"), "given by the training loop"),
    **dict.fromkeys(("slope", "start", "floor"), "what comes of them is checked"),
    **dict.fromkeys(("base", "pace", "alpha", "annotator", "first_half_width"), "a range of its own, in the refusals"),
}
INNER = ("guards", "vocab", "device", "layers.precision", "corpora.ranges", "corpora.grammar.lexicon")
INNER += ("beam.beam", "gradient", "recordings", "unread")
APART = {
    **dict.fromkeys(("edit_distance", "longest_common_subsequence", "families"), "letters may be meant"),
    **dict.fromkeys(
        ("linked", "tatoeba", "anonymous", "surface", "distinct", "lessons", "sound", "padded", "in_order"),
        "of read or made data",
    ),
    **dict.fromkeys(("attend_masked", "attend_gathered", "final_distribution"), "tried in the refusals"),
    **dict.fromkeys(("recurrent_layer", "inverse_sigmoid", "LocalLoss", "attention_by"), "tried in the refusals"),
    **dict.fromkeys(("in_window", "window_positions", "gaussian_window_softmax"), "in an exercise, as they stand"),
    **dict.fromkeys(("normalised_scores", "split_heads"), "in an exercise, as they stand"),
    **dict.fromkeys(("generating_loss", "copying_loss", "covering_loss", "marginal_loss"), "of decoders of their own"),
    **dict.fromkeys(("positions", "causal_mask"), "of a length that was read from a tensor"),
    **dict.fromkeys(("word_positions", "write_page", "scorer_in_page"), "sizes and words of what a chapter has made"),
    **dict.fromkeys(("BestPositionsLoss", "GumbelLoss"), "settings, checked by what is called with them"),
}


def graded():
    names = [file.name for file in pkgutil.iter_modules(autograder.tasks.__path__)]
    files = [importlib.import_module(f"autograder.tasks.{name}") for name in names]
    return {task.reference for file in files for task in file.check.tasks.values()}


def is_record(subject):
    """A class whose objects the library makes; sentences of a learner's own enter by Pair and AlignedPair."""
    plain = inspect.isclass(subject) and (hasattr(subject, "__dataclass_fields__") or issubclass(subject, tuple))
    return (
        plain and subject.__name__ not in ("Pair", "AlignedPair") and not subject.__name__.endswith(("Loss", "Batches"))
    )


def subjects():
    every = [each for module in [*library_modules(), plots] for each in defined(module)]
    apart = graded() | {each for each in every if is_record(each) or each.__name__ in APART}
    modules = {
        each for each in every if inspect.isclass(each) and issubclass(each, nn.Module | torch.autograd.Function)
    }
    inner = {f"seq2seq.{name}" for name in INNER}
    return [each for each in every if each not in apart | modules and each.__module__ not in inner]


def types_of(subject):
    called = subject.__init__ if inspect.isclass(subject) else subject
    try:
        return {name: kind for name, kind in typing.get_type_hints(called).items() if name != "return"}
    except NameError:  # a figure's type is imported by type checkers alone
        return {
            name: eval(text, vars(importlib.import_module(subject.__module__)))
            for name, text in called.__annotations__.items()
            if name != "return"
        }


def is_number(kind):
    union = typing.get_origin(kind) in (typing.Union, types.UnionType)
    kinds = set(typing.get_args(kind)) if union else {kind} if isinstance(kind, type) else set()
    return bool(kinds & {int, float}) and kinds <= {int, float, type(None)}


def depth(kind):
    """How deep in sequences a string stands: 1 in a sentence, 2 in many; 0 if it stands in none."""
    inner = typing.get_args(kind)[:1]
    if getattr(typing.get_origin(kind), "__name__", "") not in ("Sequence", "Iterable", "tuple", "list"):
        return 0
    return 1 if inner == (str,) else 1 + depth(*inner) if depth(*inner) else 0


def arguments_for(subject):
    """A call that is right."""
    given, special = {}, SPECIAL.get(subject.__name__, {})
    for name, parameter in inspect.signature(subject).parameters.items():
        if parameter.default is parameter.empty or name in special:
            assert name in SPECIMENS | special, f"{subject.__name__} takes {name}: write down a specimen of it"
            given[name] = (SPECIMENS | special)[name]()
    return given


def called(subject, **bad):
    """What comes of a call: "returned", or the sentence; what hangs is a loop over what never comes."""
    try:
        result = subject(**arguments_for(subject) | bad)
        list(itertools.islice(result, 3)) if isinstance(result, types.GeneratorType) else result
        return "returned"
    except (ValueError, TypeError) as error:
        return str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def faults(subject, name, values):
    """The calls that a sentence of ours, which names the argument and both sides, does not refuse."""
    messages = {str(value): called(subject, **{name: value}) for value in values}
    ours = [f"{name}: got", f"{name}: shape"]
    return [
        f"{subject.__name__}({name}={value}): {words}"
        for value, words in messages.items()
        if not (any(part in words for part in ours) and "expected" in words)
    ]


SUBJECTS = subjects()
NUMBERS = [(each, name) for each in SUBJECTS for name, kind in types_of(each).items() if is_number(kind)]
TOKENS = [(each, name, depth(kind)) for each in SUBJECTS for name, kind in types_of(each).items() if depth(kind)]


def test_each_number_that_a_function_takes_is_of_a_known_sort():
    known = {*LEAST, *ABOVE_ZERO, *SHARES, *FREE}
    assert {name for _, name in NUMBERS} - known == set()
    assert len(NUMBERS) > 60
    assert len(TOKENS) > 12


def test_the_specimens_make_a_call_that_is_right():
    messages = {subject: called(subject) for subject in dict.fromkeys(each for each, *_ in [*NUMBERS, *TOKENS])}
    assert {subject.__name__: words for subject, words in messages.items() if words != "returned"} == {}


def test_a_number_without_a_meaning_is_refused_by_name():
    wrong = []
    for subject, name in NUMBERS:
        if name in LEAST:
            wrong += faults(subject, name, [LEAST[name] - 1, -3, math.nan, math.inf, 2.5])
        elif name in ABOVE_ZERO:
            wrong += faults(subject, name, [0, -1.0, math.nan])
        elif name in SHARES:
            wrong += faults(subject, name, [-0.1, 1.1, math.nan])
    assert wrong == []


def test_a_string_for_tokens_is_refused():
    """One word as one string would be letters, each a token of its own."""
    wrong = []
    for subject, name, levels in [*TOKENS, (Vocabulary, "tokens", 1), (Vocabulary.build, "sentences", 2)]:
        wrong += faults(subject, name, ["le chat", ["le chat", "dort"]][:levels])
    assert wrong == []
    assert "tokens: got a string" in called(VOCAB.encode, tokens="le chat")
    with pytest.raises(TypeError, match="source: got a string"):
        collate([Pair("le chat", ("a",), frozenset())], VOCAB, VOCAB)


BAD_BATCHES = {
    "float ids": ({"source": BATCH.source.float()}, "source: got torch.float32, expected a tensor of integers"),
    "short ids": ({"source": BATCH.source.short()}, "source: got torch.int16, expected a tensor of integers"),
    "truth values": ({"source": BATCH.source > 0}, "source: got torch.bool, expected a tensor of integers"),
    "another device": ({"source": BATCH.source.to("meta")}, "source: got a tensor on meta, expected one on cpu"),
    "an id too large": ({"source": BATCH.source + SIZE}, f"source: got ids from {SIZE}"),
    "an id below 0": ({"source": BATCH.source - 1}, "source: got ids from -1"),
    "no sentence": ({"source": BATCH.source[:0], "source_lengths": BATCH.source_lengths[:0]}, "at least one sentence"),
    "one sentence alone": ({"source": BATCH.source[0]}, "a single one is a batch of one"),
    "a row too few": ({"source": BATCH.source[1:]}, "source_lengths: shape"),
    "a column too few": ({"source": BATCH.source[:, 1:]}, "source_lengths: got"),
    **{
        f"lengths as {name}": ({"source_lengths": bad}, "source_lengths: got")
        for name, bad in {
            **{"a list": BATCH.source_lengths.tolist(), "None": None, "an array": BATCH.source_lengths.numpy()},
            **{str(kind): BATCH.source_lengths.to(kind) for kind in (torch.float, torch.bool, torch.short)},
            "of another device": BATCH.source_lengths.to("meta"),
        }.items()
    },
    "lengths of 0": ({"source_lengths": BATCH.source_lengths * 0}, "source_lengths: got 0 to 0"),
}
BAD_TARGETS = {
    "float ids": (BATCH.target_in.float(), "target_in: got torch.float32"),
    "an id too large": (BATCH.target_in + SIZE, "target_in: got ids from"),
    "a row too few": (BATCH.target_in[1:], "target_in: shape"),
    "one sentence alone": (BATCH.target_in[0], "target_in: shape"),
    "no word": (BATCH.target_in[:, :0], "target_in: shape"),
}
READERS = [each for each in SUBJECTS if {"model", "source", "source_lengths"} <= set(types_of(each))]
BATCH_READERS = [
    each for each in SUBJECTS if {"model", "batch"} <= set(types_of(each)) and types_of(each)["batch"] is Batch
]


@pytest.mark.parametrize("make", MODELS)
def test_every_search_and_every_loss_refuses_a_batch_that_the_model_cannot_read(make):
    assert len(READERS) >= 4
    assert len(BATCH_READERS) >= 2
    wrong, model = [], make()
    for fault, (bad, words) in BAD_BATCHES.items():
        batch = replace(BATCH, **bad)
        messages = {reader.__name__: called(reader, model=model, **bad) for reader in READERS}
        messages |= {reader.__name__: called(reader, model=model, batch=batch) for reader in BATCH_READERS}
        messages["perplexity"] = called(perplexity, model=model, batches=[batch])
        wrong += [(fault, name, message) for name, message in messages.items() if words not in message]
    for fault, (target_in, words) in BAD_TARGETS.items():
        message = called(forced_loss, model=model, batch=replace(BATCH, target_in=target_in))
        wrong += [(fault, "forced_loss", message)] * (words not in message)
    assert wrong == []
