"""The small date models whose weights learners load into their own decoders.

python -m seq2seq.experiments.dates_checkpoints            # half a minute on one core; writes two checkpoints
python -m seq2seq.experiments.dates_checkpoints --quick    # a smoke test of a few seconds, into a temporary folder
"""

import torch

from seq2seq import checkpoints
from seq2seq.batch import token_batches
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.command_line import parse, parser
from seq2seq.experiments.dates import EMBEDDING_SIZE, SETTINGS, SIZE, bahdanau, data
from seq2seq.experiments.evaluation import translate
from seq2seq.experiments.recipe import save_vocabularies
from seq2seq.metrics import exact_match
from seq2seq.model import Seq2Seq
from seq2seq.scorers import BilinearScorer
from seq2seq.training import train
from seq2seq.vocab import Vocabulary

COMMAND = "python -m seq2seq.experiments.dates_checkpoints"
SEED = 2


def luong(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    """Bilinear scores and GRU cells, as in the plain decoder."""
    encoder = Encoder(source_vocab_size, EMBEDDING_SIZE, SIZE // 2)
    return Seq2Seq(encoder, LuongDecoder(target_vocab_size, EMBEDDING_SIZE, SIZE, SIZE, BilinearScorer(SIZE, SIZE)))


MODELS = {"bahdanau_dates": bahdanau, "luong_dates": luong}


def main(arguments: list[str] | None = None) -> None:
    options = parse(parser(COMMAND, __doc__.splitlines()[0]), arguments)
    settings = SETTINGS | ({"training_pairs": 200, "test_pairs": 10} if options.quick else {})
    if options.quick:
        checkpoints.DIRECTORY = options.out
    torch.set_num_threads(settings["threads"])
    training, test = data(settings)
    source_vocab = Vocabulary.build(pair.source for pair in training)
    target_vocab = Vocabulary.build(pair.target for pair in training)
    save_vocabularies(checkpoints.DIRECTORY / "dates.json", source_vocab, target_vocab)
    for name, build in MODELS.items():
        torch.manual_seed(SEED)
        model = build(len(source_vocab), len(target_vocab))
        train(
            model,
            token_batches(
                training, source_vocab, target_vocab, settings["tokens_per_batch"], torch.Generator().manual_seed(SEED)
            ),
            steps=3 if options.quick else 800,
            learning_rate=settings["learning_rate"],
            device="cpu",
            description=name,
        )
        path = checkpoints.save(name, model.state_dict())
        hypotheses = translate(model, test, source_vocab, target_vocab)
        match = exact_match(hypotheses, [pair.target for pair in test])
        print(f"{name}: {match:.1%} of {len(test)} dates right, {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
