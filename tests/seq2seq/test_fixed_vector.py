import torch

from seq2seq import checkpoints
from seq2seq.demos.fixed_vector import NAME, trained
from seq2seq.exercises.stepwise import greedy_ids
from seq2seq.experiments import fixed_vector
from seq2seq.vocab import SPECIALS, Vocabulary


def test_the_committed_decoder_says_short_sentences_right():
    decoder, tokens, sources, targets, states = trained()
    vocab = Vocabulary(tokens[len(SPECIALS) :])
    with torch.no_grad():
        said = [vocab.decode(row) for row in greedy_ids(decoder, states, 30)]
    right = [words == target for words, target in zip(said, targets, strict=True)]
    assert all(right[:12])
    assert 16 <= sum(right) < len(sources)
    assert (checkpoints.DIRECTORY / f"{NAME}.npz").stat().st_size <= 300_000


def test_the_script_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(checkpoints, "DIRECTORY", tmp_path)
    threads = torch.get_num_threads()
    fixed_vector.main(["--quick", "--out", str(tmp_path)])
    torch.set_num_threads(threads)
    assert (tmp_path / f"{NAME}.npz").exists()
    assert "pairs to train on" in capsys.readouterr().out
