import pytest
import torch

from seq2seq.scorers import BilinearScorer
from seq2seq.widgets.matrix import Matrix

WORDS = ["a", "b", "c"]


def test_it_shows_the_scorers_own_matrix_and_what_it_is_asked():
    scorer, keys, query = BilinearScorer(2, 2), torch.randn(3, 2), torch.randn(2)
    data = Matrix(WORDS, keys, query, scorer).data
    torch.testing.assert_close(torch.tensor(data["matrix"]), scorer.key_layer.weight.detach(), atol=6e-4, rtol=0)
    scores = torch.tensor(data["keys"]) @ torch.tensor(data["matrix"]).T @ torch.tensor(data["query"])
    torch.testing.assert_close(scores, scorer(query.unsqueeze(0), keys.unsqueeze(0))[0].detach(), atol=1e-2, rtol=0)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"keys": torch.randn(2, 2)}, r"keys: got shape \(2, 2\), expected \(3, 2\)"),
        ({"keys": torch.randn(3, 4)}, r"keys: got shape \(3, 4\), expected \(3, 2\)"),
        ({"query": torch.randn(3)}, r"query: got shape \(3,\), expected \(2,\)"),
        ({"scorer": BilinearScorer(2, 3)}, r"scorer: got shape \(2, 3\), expected \(2, 2\)"),
    ],
)
def test_what_is_no_plane_is_refused(changed, message):
    given = {"keys": torch.randn(3, 2), "query": torch.randn(2), "scorer": BilinearScorer(2, 2)} | changed
    with pytest.raises(ValueError, match=message):
        Matrix(WORDS, **given)
