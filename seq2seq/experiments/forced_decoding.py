"""Weights of two trained models on a few sentences, for learners to align, measure and permute.

python -m seq2seq.experiments forced_decoding            # seconds; reads the models of length_curve, trains nothing
python -m seq2seq.experiments forced_decoding --quick    # the same, into a temporary folder
"""

import argparse
import json

import torch
from torch import Tensor

from seq2seq import checkpoints
from seq2seq.batch import Batch, collate
from seq2seq.corpora.grammar import corpus
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.demos.forced_decoding import NAME, load
from seq2seq.experiments.experiment import Measurement
from seq2seq.experiments.recipe import load_trained
from seq2seq.model import Seq2Seq
from seq2seq.vocab import EOS

SEED, SENTENCES, LENGTHS = 12, 24, (6, 12)


def luong_parts(model: Seq2Seq, batch: Batch) -> dict[str, Tensor]:
    """The inputs and weights of the next-word distribution, split so that another context can replace the model's."""
    memory, state = model.read(batch.source, batch.source_lengths)
    decoder = model.decoder
    assert isinstance(decoder, LuongDecoder)
    hidden, _ = decoder.rnn(decoder.embedding(batch.target_in), state)
    of_context, of_state = decoder.attentional_layer.weight.split([memory.values.size(-1), hidden.size(-1)], 1)
    known = torch.unique(batch.target_out[batch.target_mask])
    assert EOS in known.tolist()
    layer = decoder.output_layer
    return {
        "values": memory.values @ of_context.T * batch.source_mask.unsqueeze(-1),
        "states": hidden @ of_state.T * batch.target_mask.unsqueeze(-1),
        "output_weight": layer.weight[known],
        "output_bias": layer.bias[known],
    }


def measure(settings: dict, options: argparse.Namespace) -> None:
    checkpoints.DIRECTORY = options.out
    pairs = corpus(SENTENCES, SEED, LENGTHS)
    arrays = {}
    with torch.no_grad():
        for name, short in (("bahdanau", "bahdanau"), ("luong_bilinear", "luong")):
            model, source_vocab, target_vocab = load_trained(name)
            batch = collate(pairs, source_vocab, target_vocab)
            _, weights = model(batch.source, batch.source_lengths, batch.target_in)
            arrays[short] = weights * batch.target_mask.unsqueeze(-1)
        arrays |= luong_parts(model, batch)
    path = checkpoints.save(NAME, arrays)
    words = {
        "sources": [pair.source for pair in pairs],
        "targets": [pair.target for pair in pairs],
        "links": [sorted(pair.links) for pair in pairs],
    }
    path.with_suffix(".json").write_text(json.dumps(words, ensure_ascii=False) + "\n", encoding="utf-8")
    saved = load()
    best = saved.next_words(saved.weights["luong"])[saved.step_mask].amax(-1).median()
    print(f"{path.stat().st_size} bytes; median probability of the most likely word: {float(best):.3f}")


FORCED_DECODING = Measurement(
    name="forced_decoding",
    title=__doc__.splitlines()[0],
    folder=checkpoints.DIRECTORY,
    measure=measure,
)
