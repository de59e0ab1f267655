"""A trained model as a script of one line, which a page reads from disk: ``liveModels["bahdanau"] = {…}``.

The numbers of all parameters are 16 bits each, in one of two ways:

- ``bits=16``: float16, as the checkpoints of the length curve are kept, so nothing is lost;
- ``bits=b``, fewer: a matrix as whole numbers of b bits, times a scale for each row; vectors stay float16.

All high bytes come first and then all low bytes, because the high ones repeat and compress well.
"""

import json
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from seq2seq.checkpoints import narrowed
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.fixed import EveryStepDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.layers.gru import Gru
from seq2seq.layers.recurrent import Lstm
from seq2seq.live.base91 import decode, encode
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer
from seq2seq.vocab import SPECIALS, Vocabulary

WIRINGS = {EveryStepDecoder: "every_step", BahdanauDecoder: "bahdanau", LuongDecoder: "luong"}
# Which scorer and which cell it was is seen by their parameters.
IN_A_PAGE = (*WIRINGS, DotScorer, BilinearScorer, AdditiveScorer, Encoder, Gru, nn.GRUCell, Lstm)
LAYERS = ("forward_rnn", "backward_rnn", "rnn", "cell")
FLOAT_BITS = 16


@dataclass(frozen=True)
class Packed:
    """A model for a page: ``header`` says what it is, ``body`` holds vocabularies and numbers."""

    header: dict[str, Any]
    body: bytes

    def script(self, name: str) -> str:
        """The script that registers the model under a name."""
        compressed = zlib.compress(self.body, 9)
        entry = json.dumps({**self.header, "bytes": len(compressed)}, ensure_ascii=False, separators=(",", ":"))
        return f'(globalThis.liveModels ??= {{}})[{json.dumps(name)}] = {entry[:-1]},"data":"{encode(compressed)}"}};\n'


def pack(
    model: Seq2Seq,
    source_vocab: Vocabulary,
    target_vocab: Vocabulary,
    title: str,
    trained_lengths: tuple[int, int],
    bits: int = FLOAT_BITS,
) -> Packed:
    """A trained model with its vocabularies, matrices rounded to ``bits``.

    ``trained_lengths`` are the shortest and the longest sentence of its training, in words.

    Raises:
        ValueError: a part of the model has no counterpart in the page, a vocabulary is not the model's or has a word
            that is empty or more than a line, a weight is not a number, or there are too few bits or too many.
        OverflowError: a weight is too large for half precision.
    """
    model = getattr(model, "_orig_mod", model)  # of torch.compile
    encoder: Any = model.encoder
    decoder: Any = model.decoder
    scorer = decoder.attention.scorer if isinstance(decoder, BahdanauDecoder | LuongDecoder) else None
    layers = [getattr(part, name, None) for part in (encoder, decoder) for name in LAYERS]
    parts = [decoder, scorer, encoder, *layers]
    if strange := [type(part).__name__ for part in parts if part is not None and type(part) not in IN_A_PAGE]:
        known = [kind.__name__ for kind in IN_A_PAGE]
        raise ValueError(f"model: got {' and '.join(strange)}, expected parts that run in a page: {known}.")
    if encoder.backward_rnn is None:
        raise ValueError("model: got a one-way encoder, expected one that reads both ways, as the page does.")
    for name, vocab, part in (("source_vocab", source_vocab, encoder), ("target_vocab", target_vocab, decoder)):
        if len(vocab) != part.embedding.num_embeddings:
            raise ValueError(f"{name}: got {len(vocab)} words, expected {part.embedding.num_embeddings}, the model's.")
        if bad := [word for word in vocab.tokens if not word or "\n" in word]:
            raise ValueError(f"{name}: got the word {bad[0]!r}, expected some letters and no end of a line in each.")
    if bits not in range(4, FLOAT_BITS + 1):
        raise ValueError(f"bits: got {bits}, expected 4 to {FLOAT_BITS}.")
    tensors, codes, scales = [], [], []
    for name, tensor in model.state_dict().items():
        if narrowed(name, tensor, torch.float16).isnan().any():
            raise ValueError(f"model: {name} holds nan, expected numbers; was its training stopped by an error?")
        width = bits if tensor.dim() == 2 else FLOAT_BITS
        code, scale = to_codes(tensor, width)
        tensors.append([name, list(tensor.shape), width])
        codes.append(code)
        scales.append(scale)
    words = "\n".join([*source_vocab.tokens[len(SPECIALS) :], "", *target_vocab.tokens[len(SPECIALS) :]]).encode()
    numbers = np.concatenate(codes)
    planes = (numbers >> 8).astype(np.uint8).tobytes() + (numbers & 255).astype(np.uint8).tobytes()
    header = {
        "title": title,
        "wiring": WIRINGS[type(decoder)],
        "trained_lengths": list(trained_lengths),
        "word_bytes": len(words),
        "tensors": tensors,
    }
    return Packed(header, words + planes + np.concatenate(scales).astype("<f4").tobytes())


def to_codes(tensor: Tensor, bits: int) -> tuple[np.ndarray, np.ndarray]:
    r"""A tensor's numbers as 16 bits each, and the scales of its rows (none for float16).

    $$k = \mathrm{round}(w / \sigma), \qquad \sigma = \max_c |w_c| / (2^{b-1} - 1)$$

    The whole number $k$ is kept as $k + 2^{15}$, so that it is never negative.
    """
    values = tensor.detach().cpu().float().numpy()
    if bits == FLOAT_BITS:
        return values.astype(np.float16).view(np.uint16).ravel(), np.empty(0, np.float32)
    largest = 2 ** (bits - 1) - 1
    scales = np.abs(values).max(axis=1) / np.float32(largest)
    scales[scales == 0] = 1  # a row of zeros
    return (np.rint(values / scales[:, None]) + 2**15).astype(np.uint16).ravel(), scales


def unpack(packed: Packed) -> dict[str, Tensor]:
    """The parameters as the page computes with them, by name."""
    start = packed.header["word_bytes"]
    sizes = [int(np.prod(shape)) for _, shape, _ in packed.header["tensors"]]
    total = sum(sizes)
    high, low = (np.frombuffer(packed.body, np.uint8, total, start + plane * total) for plane in (0, 1))
    numbers = high.astype(np.uint16) << 8 | low
    scales = np.frombuffer(packed.body, "<f4", -1, start + 2 * total)
    parameters = {}
    for (name, shape, bits), size in zip(packed.header["tensors"], sizes, strict=True):
        code, numbers = numbers[:size], numbers[size:]
        if bits == FLOAT_BITS:
            values = code.view(np.float16).astype(np.float32)
        else:
            row_scales, scales = scales[: shape[0]], scales[shape[0] :]
            values = ((code.astype(np.float32) - 2**15).reshape(shape) * row_scales[:, None]).ravel()
        parameters[name] = torch.from_numpy(values.reshape(shape).copy())
    return parameters


def read_script(script: str) -> Packed:
    """The packed model that a script registers: what :meth:`Packed.script` wrote."""
    header = json.loads(script[script.index("] = ") + 4 : script.rindex(";")])
    compressed = decode(header.pop("data"))[: header.pop("bytes")]
    return Packed(header, zlib.decompress(compressed))
