"""Weights of two trained models on a few sentences, for learners to align, measure and permute.

python -m seq2seq.experiments.forced_decoding            # seconds; reads the models of length_curve, trains nothing
python -m seq2seq.experiments.forced_decoding --quick    # the same, into a temporary folder
"""

import json

import torch
from torch import Tensor

from seq2seq import checkpoints
from seq2seq.batch import Batch, collate
from seq2seq.corpora.grammar import corpus
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.demos.forced_decoding import NAME, load
from seq2seq.experiments.command_line import parse, parser
from seq2seq.experiments.recipe import load_trained
from seq2seq.model import Seq2Seq
from seq2seq.vocab import EOS

COMMAND = "python -m seq2seq.experiments.forced_decoding"
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


def main(arguments: list[str] | None = None) -> None:
    options = parse(parser(COMMAND, __doc__.splitlines()[0]), arguments)
    if options.quick:
        checkpoints.DIRECTORY = options.out
    torch.set_num_threads(1)
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
    kept = load()
    best = kept.next_words(kept.weights["luong"])[kept.step_mask].amax(-1).median()
    print(f"{path.stat().st_size} bytes; median probability of the most likely word: {float(best):.3f}")


if __name__ == "__main__":
    main()
