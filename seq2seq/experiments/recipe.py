"""The models of the experiments: how they are built, and how a trained one is loaded."""

import json
from collections.abc import Callable
from pathlib import Path

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.decoder import Decoder
from seq2seq.decoders.fixed import EveryStepDecoder, InitialStateDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, DotScorer
from seq2seq.training import load_checkpoint
from seq2seq.vocab import SPECIALS, Vocabulary

RESULTS = Path(__file__).parent / "results"
EMBEDDING_SIZE = 64
ENCODER_SIZE = 128  # both directions together: 64 each
HIDDEN_SIZE = 128


def initial_state(vocab_size: int) -> Decoder:
    return InitialStateDecoder(vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE)


def every_step(vocab_size: int) -> Decoder:
    return EveryStepDecoder(vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE)


def bahdanau(vocab_size: int) -> Decoder:
    scorer = AdditiveScorer(HIDDEN_SIZE, ENCODER_SIZE, HIDDEN_SIZE)
    return BahdanauDecoder(vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE, scorer)


def luong_dot(vocab_size: int) -> Decoder:
    return LuongDecoder(vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE, DotScorer())


DECODERS: dict[str, Callable[[int], Decoder]] = {
    "initial_state": initial_state,
    "every_step": every_step,
    "bahdanau": bahdanau,
    "luong_dot": luong_dot,
}


def build(name: str, source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    """A fresh model with a two-way encoder and the named decoder; seed with ``torch.manual_seed`` before.

    Raises:
        ValueError: the name is not one of DECODERS.
    """
    if name not in DECODERS:
        raise ValueError(f"name: got {name!r}, expected one of {list(DECODERS)}.")
    encoder = Encoder(source_vocab_size, EMBEDDING_SIZE, ENCODER_SIZE // 2)
    return Seq2Seq(encoder, DECODERS[name](target_vocab_size))


def save_vocabularies(path: Path, source_vocab: Vocabulary, target_vocab: Vocabulary) -> None:
    own = {side: vocab.tokens[len(SPECIALS) :] for side, vocab in [("source", source_vocab), ("target", target_vocab)]}
    path.write_text(json.dumps(own, ensure_ascii=False, indent=0) + "\n")


def load_vocabularies(path: Path) -> tuple[Vocabulary, Vocabulary]:
    own = json.loads(path.read_text())
    return Vocabulary(own["source"]), Vocabulary(own["target"])


def load_trained(name: str, folder: Path = RESULTS / "length_curve") -> tuple[Seq2Seq, Vocabulary, Vocabulary]:
    """A trained model of the length curve, in evaluation mode, with its source and target vocabularies."""
    source_vocab, target_vocab = load_vocabularies(folder / "vocabularies.json")
    model = build(name, len(source_vocab), len(target_vocab))
    load_checkpoint(folder / f"{name}.pt", model)
    return model.eval(), source_vocab, target_vocab
