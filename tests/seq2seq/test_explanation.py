import pytest
import torch

from seq2seq.experiments.explanation import SETS, altered, luong_uniform
from seq2seq.experiments.recipe import bahdanau, luong_bilinear
from seq2seq.experiments.study import SETTINGS, prepare

SMALL = SETTINGS | {"training_pairs": 300, "test_pairs_per_bucket": 3}


@pytest.fixture(scope="module")
def data():
    return prepare(SMALL)


def built(recipe, data):
    torch.manual_seed(0)
    return recipe(len(data.source_vocab), len(data.target_vocab)).eval()


@pytest.mark.parametrize("recipe", [bahdanau, luong_bilinear])
def test_permuted_and_uniform_weights_move_the_output(data, recipe):
    moved = altered(built(recipe, data), data)["total_variation"]
    for name in SETS:
        assert moved["as_trained"][name] == 0
        assert moved["permuted"][name] > 0
        assert moved["uniform"][name] > 0


def test_a_model_of_uniform_weights_is_not_moved_by_them(data):
    moved = altered(built(luong_uniform, data), data)["total_variation"]
    assert set(moved["uniform"].values()) == {0}


def test_the_model_keeps_its_own_attention(data):
    model = built(luong_bilinear, data)
    attention = model.decoder.attention
    altered(model, data)
    assert model.decoder.attention is attention


def test_the_same_model_gives_the_same_numbers_again(data):
    model = built(luong_bilinear, data)
    assert altered(model, data) == altered(model, data)
