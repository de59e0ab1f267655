"""Builds the models of the experiments and loads trained ones."""

import json
from collections.abc import Callable
from pathlib import Path

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.fixed import EveryStepDecoder, InitialStateDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, BilinearScorer
from seq2seq.training import load_checkpoint
from seq2seq.vocab import SPECIALS, Vocabulary

RESULTS = Path(__file__).parent / "results"
EMBEDDING_SIZE = 64
ENCODER_SIZE = 128  # both directions together: 64 each
HIDDEN_SIZE = 128
ATTENTION_SIZE = 64  # of additive scores; the loop that computes them is most of the cost of a step


def initial_state(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    """LSTM cells, as in Sutskever et al. (2014)."""
    decoder = InitialStateDecoder(target_vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE, cell="lstm")
    return Seq2Seq(encoder(source_vocab_size, "lstm"), decoder)


def every_step(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    """GRU cells, as in Cho et al. (2014)."""
    decoder = EveryStepDecoder(target_vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE)
    return Seq2Seq(encoder(source_vocab_size), decoder)


def bahdanau(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    """GRU cells and additive scores, as in Bahdanau et al. (2015)."""
    scorer = AdditiveScorer(HIDDEN_SIZE, ENCODER_SIZE, ATTENTION_SIZE)
    decoder = BahdanauDecoder(target_vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE, scorer)
    return Seq2Seq(encoder(source_vocab_size), decoder)


def luong(source_vocab_size: int, target_vocab_size: int, scorer: Scorer, fed: bool = False) -> Seq2Seq:
    """LSTM cells, as in Luong et al. (2015), but with a bidirectional encoder."""
    kind = InputFeedingDecoder if fed else LuongDecoder
    decoder = kind(target_vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE, scorer, cell="lstm")
    return Seq2Seq(encoder(source_vocab_size, "lstm"), decoder)


def luong_bilinear(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    return luong(source_vocab_size, target_vocab_size, BilinearScorer(HIDDEN_SIZE, ENCODER_SIZE))


def luong_bilinear_feeding(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    return luong(source_vocab_size, target_vocab_size, BilinearScorer(HIDDEN_SIZE, ENCODER_SIZE), fed=True)


MODELS: dict[str, Callable[[int, int], Seq2Seq]] = {
    "initial_state": initial_state,
    "every_step": every_step,
    "bahdanau": bahdanau,
    "luong_bilinear": luong_bilinear,
    "luong_bilinear_feeding": luong_bilinear_feeding,
}


def encoder(vocab_size: int, cell: str = "gru", bidirectional: bool = True) -> Encoder:
    """An encoder with states of ENCODER_SIZE, in one direction or two."""
    return Encoder(vocab_size, EMBEDDING_SIZE, ENCODER_SIZE // (2 if bidirectional else 1), bidirectional, cell)


def build(name: str, source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    """An untrained model by name; call ``torch.manual_seed`` first.

    Raises:
        ValueError: the name is not one of MODELS.
    """
    if name not in MODELS:
        raise ValueError(f"name: got {name!r}, expected one of {list(MODELS)}.")
    return MODELS[name](source_vocab_size, target_vocab_size)


def save_vocabularies(path: Path, source_vocab: Vocabulary, target_vocab: Vocabulary) -> None:
    source, target = (vocab.tokens[len(SPECIALS) :] for vocab in (source_vocab, target_vocab))
    words = {"source": source, "target": target}
    path.write_text(json.dumps(words, ensure_ascii=False, indent=0) + "\n")


def load_vocabularies(path: Path) -> tuple[Vocabulary, Vocabulary]:
    words = json.loads(path.read_text())
    return Vocabulary(words["source"]), Vocabulary(words["target"])


def load_trained(name: str, folder: Path = RESULTS / "length_curve") -> tuple[Seq2Seq, Vocabulary, Vocabulary]:
    """A trained model of the length curve, in evaluation mode, with its source and target vocabularies."""
    source_vocab, target_vocab = load_vocabularies(folder / "vocabularies.json")
    model = build(name, len(source_vocab), len(target_vocab))
    load_checkpoint(folder / f"{name}.pt", model)
    return model.eval(), source_vocab, target_vocab
