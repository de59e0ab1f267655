import json

import pytest
import torch

from seq2seq.corpora.drawings import drawings
from seq2seq.experiments import captions
from seq2seq.experiments.captions import SETTINGS, VARIANTS, VOCAB, build, load_trained
from seq2seq.vocab import UNK

QUICK = ["--quick", "--models", "no_attention", "soft", "--out"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    captions.main([*QUICK, str(out)])
    return out


@pytest.fixture(scope="module")
def report(folder):
    return json.loads((folder / "captions.json").read_text())


def test_no_test_drawing_was_trained_on():
    training = drawings(2000, 1, (2, 3))
    sets = captions.draw_test_sets(SETTINGS | {"test_drawings": 50}, training)
    layouts = {captions._layout(drawing) for drawing in training}
    assert list(sets) == ["2", "3", "4", "5"]
    assert all(len(drawn) == 50 for drawn in sets.values())
    assert not any(captions._layout(drawing) in layouts for drawn in sets.values() for drawing in drawn)


def test_every_word_of_a_caption_is_in_the_vocabulary():
    assert not any(UNK in VOCAB.encode(drawing.caption) for drawing in drawings(200, 3, (2, 7)))


def test_a_model_without_attention_points_nowhere(report):
    (run,) = report["models"]["no_attention"]
    assert run["pointing_accuracy"] == {}
    assert list(run["exact_match"]) == ["2", "3", "4", "5"]
    assert list(report["models"]["soft"][0]["pointing_accuracy"]) == ["2", "3", "4", "5"]


def test_a_run_that_is_done_is_not_done_again(folder, report, monkeypatch):
    monkeypatch.setattr(captions, "run", lambda *_: pytest.fail("trained again"))
    captions.main([*QUICK, str(folder)])
    assert json.loads((folder / "captions.json").read_text()) == report


def test_show_prints_a_row_of_each_model(folder, capsys):
    captions.main(["--show", "--out", str(folder)])
    rows = capsys.readouterr().out.splitlines()
    assert [row.split(" | ")[0] for row in rows[2:]] == ["| no_attention", "| soft"]


def test_the_kept_model_can_be_loaded_and_is_small(folder):
    model = load_trained("soft", folder / "captions")
    assert not model.training
    assert (folder / "captions" / "soft.pt").stat().st_size < 1e6


def test_hard_and_soft_attention_have_the_same_parameters():
    sizes = {sum(parameter.numel() for parameter in build(name).parameters()) for name in VARIANTS}
    without = sum(parameter.numel() for parameter in build("no_attention").parameters())
    assert len(sizes) == 2
    assert without in sizes


def test_a_seed_repeats_a_model():
    models = []
    for _ in range(2):
        torch.manual_seed(1)
        models.append(build("soft").state_dict())
    assert all(one.equal(other) for one, other in zip(*(model.values() for model in models), strict=True))
