"""The small fixed-vector decoder from which learners decode: trained with its encoder, saved without it.

python -m seq2seq.experiments.fixed_vector            # trains and writes the checkpoint; minutes on one core
python -m seq2seq.experiments.fixed_vector --quick    # a smoke test of a few seconds, into a temporary folder
"""

import json

import torch
from torch import Tensor

from seq2seq import checkpoints
from seq2seq.batch import collate, token_batches
from seq2seq.corpora import grammar
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.fixed import InitialStateDecoder
from seq2seq.demos.fixed_vector import EMBEDDING_SIZE, NAME, SIZE, trained
from seq2seq.encoders import Encoder
from seq2seq.exercises.encoder_decoder import greedy_ids
from seq2seq.experiments.command_line import parse, parser
from seq2seq.model import Seq2Seq
from seq2seq.training import train
from seq2seq.vocab import SPECIALS, Vocabulary

COMMAND = "python -m seq2seq.experiments.fixed_vector"
SEED = 0
SETTINGS: dict = {
    "lengths": (4, 14),
    "words": 300,  # the most frequent English words; sentences with other words are left out
    "drawn": 60_000,
    "kept_of_each_length": 4,
    "steps": 4000,
    "tokens_per_batch": 800,
    "learning_rate": 8e-3,
}


def data(settings: dict) -> tuple[list[Pair], list[Pair]]:
    """Sentences of frequent words: training pairs, and a few others of each length, from short to long."""
    drawn = grammar.corpus(settings["drawn"], SEED, settings["lengths"])
    frequent = set(Vocabulary.build(pair.source for pair in drawn).tokens[: len(SPECIALS) + settings["words"]])
    few = [pair for pair in drawn if frequent.issuperset(pair.source)]
    shortest, longest = settings["lengths"]
    kept = []
    for length in range(shortest, longest + 1):
        kept += [pair for pair in few if len(pair.source) == length][: settings["kept_of_each_length"]]
    chosen = set(map(id, kept))
    return [pair for pair in few if id(pair) not in chosen], kept


def plain_state(decoder: InitialStateDecoder) -> dict[str, Tensor]:
    """The weights under the names of :class:`~seq2seq.exercises.plain_decoder.PlainDecoder`, without the bridge."""
    return {
        name.replace("rnn.", "cell.").removesuffix("_l0"): value
        for name, value in decoder.state_dict().items()
        if not name.startswith("bridge.")
    }


def main(arguments: list[str] | None = None) -> None:
    options = parse(parser(COMMAND, __doc__.splitlines()[0]), arguments)
    settings = SETTINGS
    if options.quick:
        settings = settings | {"drawn": 800, "kept_of_each_length": 1, "steps": 3}
        checkpoints.DIRECTORY = options.out
    torch.set_num_threads(1)
    training, kept = data(settings)
    source_vocab = Vocabulary.build(pair.source for pair in training)
    target_vocab = Vocabulary.build(pair.target for pair in training)
    print(f"{len(training)} pairs to train on, {len(source_vocab)} English and {len(target_vocab)} French words")
    torch.manual_seed(SEED)
    encoder = Encoder(len(source_vocab), EMBEDDING_SIZE, SIZE)
    decoder = InitialStateDecoder(len(target_vocab), EMBEDDING_SIZE, SIZE, encoder.state_size)
    model = Seq2Seq(encoder, decoder)
    batches = token_batches(
        training, source_vocab, target_vocab, settings["tokens_per_batch"], torch.Generator().manual_seed(SEED)
    )
    train(model, batches, steps=settings["steps"], learning_rate=settings["learning_rate"], device="cpu")
    batch = collate(kept, source_vocab, target_vocab)
    with torch.no_grad():
        _, states = model.read(batch.source, batch.source_lengths)
    checkpoints.save(NAME, {**plain_state(decoder), "states": states.squeeze(0)})
    words = {
        "tokens": target_vocab.tokens,
        "sources": [pair.source for pair in kept],
        "targets": [pair.target for pair in kept],
    }
    path = checkpoints.DIRECTORY / f"{NAME}.json"
    path.write_text(json.dumps(words, ensure_ascii=False) + "\n", encoding="utf-8")
    show(target_vocab)


def show(vocab: Vocabulary) -> None:
    """Prints the output of the decoder loaded from the checkpoint."""
    decoder, _, sources, targets, states = trained()
    with torch.no_grad():
        for source, target, ids in zip(sources, targets, greedy_ids(decoder, states, 30), strict=True):
            said = vocab.decode(ids)
            print("right" if said == target else "wrong", "|", " ".join(source), "|", " ".join(said))


if __name__ == "__main__":
    main()
