"""Builds the models of the experiments and loads trained ones."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from torch import nn

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.fixed import EveryStepDecoder, InitialStateDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, ScaledDotScorer
from seq2seq.training import load_checkpoint
from seq2seq.vocab import SPECIALS, Vocabulary

Trained = TypeVar("Trained", bound=nn.Module)
Build = Callable[[int, int], Seq2Seq]  # from the sizes of the two vocabularies
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


def attentive(
    kind: type[BahdanauDecoder | LuongDecoder], scorer: Callable[[], Scorer], bidirectional: bool = True, **more: Any
) -> Build:
    """What builds models of a decoder with attention: GRU cells in Bahdanau's wiring, LSTM cells in Luong's.

    They are those of Bahdanau et al. (2015) and Luong et al. (2015), but in both the encoder is bidirectional if not
    told otherwise; `more` are further arguments of the decoder.
    """
    how: dict[str, Any] = more if issubclass(kind, BahdanauDecoder) else {"cell": "lstm"} | more

    def build(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
        decoder = kind(target_vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE, scorer(), **how)
        return Seq2Seq(encoder(source_vocab_size, how.get("cell", "gru"), bidirectional), decoder)

    return build


SCORERS: dict[str, Callable[[], Scorer]] = {
    "dot": DotScorer,
    "scaled_dot": ScaledDotScorer,
    "bilinear": lambda: BilinearScorer(HIDDEN_SIZE, ENCODER_SIZE),
    "additive": lambda: AdditiveScorer(HIDDEN_SIZE, ENCODER_SIZE, ATTENTION_SIZE),
}
bahdanau = attentive(BahdanauDecoder, SCORERS["additive"])
luong_bilinear = attentive(LuongDecoder, SCORERS["bilinear"])
MODELS: dict[str, Build] = {
    "initial_state": initial_state,
    "every_step": every_step,
    "bahdanau": bahdanau,
    "luong_bilinear": luong_bilinear,
    "luong_bilinear_feeding": attentive(InputFeedingDecoder, SCORERS["bilinear"]),
}


def encoder(vocab_size: int, cell: str = "gru", bidirectional: bool = True) -> Encoder:
    """An encoder with states of ENCODER_SIZE, in one direction or two."""
    size = ENCODER_SIZE // (2 if bidirectional else 1)
    return Encoder(vocab_size, EMBEDDING_SIZE, size, bidirectional=bidirectional, cell=cell)


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
    path.write_text(json.dumps(words, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def load_vocabularies(path: Path) -> tuple[Vocabulary, Vocabulary]:
    words = json.loads(path.read_text(encoding="utf-8"))
    return Vocabulary(words["source"]), Vocabulary(words["target"])


def load_trained(name: str, folder: Path = RESULTS / "length_curve") -> tuple[Seq2Seq, Vocabulary, Vocabulary]:
    """A trained model of the length curve, in evaluation mode, with its source and target vocabularies."""
    source_vocab, target_vocab = load_vocabularies(folder / "vocabularies.json")
    model = build(name, len(source_vocab), len(target_vocab))
    return with_weights(model, folder / f"{name}.pt"), source_vocab, target_vocab


def with_weights(model: Trained, path: Path) -> Trained:
    """The model with the weights of a file, in evaluation mode."""
    load_checkpoint(path, model)
    return model.eval()
