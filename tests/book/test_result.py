"""``{result}`` reads the committed number, and says so when there is none."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book" / "_ext"))

from course.result import RESULTS, ResultError, evaluate  # noqa: E402

CONTENT = {
    "runs": [{"seed": 0, "bleu": {"4-10": 77.25}}, {"seed": 1, "bleu": {"4-10": 78.25}}],
    "loss": -0.5,
    "model": "fixed",
    "pairs": 60000,
    "tau_0.3": {"bias": 0.25},
    "*": "star",
    "bar|.1f": [4, 5],
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / RESULTS).mkdir(parents=True)
    (tmp_path / RESULTS / "curve.json").write_text(json.dumps(CONTENT))
    return tmp_path


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("curve:runs.1.bleu.4-10", "78.25"),
        ("curve:runs.*.bleu.4-10|mean|.1f", "77.8"),
        ("curve:runs|count", "2"),
        ("curve:runs.*.bleu.4-10|spread|.2f", "77.75 (77.25–78.25)"),
        ("curve:runs.1.bleu.*|spread|.1f", "78.2"),
        ("curve:runs.*.seed|spread|.0%", "50% (0–100%)"),
        ("curve:runs.*.bleu.*|max|.0f", "78"),
        ("curve:pairs|,", "60,000"),
        ("curve:model", "fixed"),
        ('curve:"tau_0.3".bias|.1f', "0.2"),
        ('curve:"tau_0.3"."bias"', "0.25"),
        ('curve:runs.*."bleu".4-10|max', "78.25"),
        ('curve:"*"', "star"),
        ('curve:"bar|.1f".1|.1f', "5.0"),
        ("curve|count", "7"),
    ],
)
def test_expression_gives_its_text(root: Path, expression: str, text: str) -> None:
    assert evaluate(root, expression)[0] == text


def test_negative_number_carries_a_minus_sign(root: Path) -> None:
    assert evaluate(root, "curve:loss|.1f")[0] == "−0.5"


@pytest.mark.parametrize(
    ("expression", "words"),
    [("curve:runs.7", "ends at '7'"), ("curve:model|.1f", "formats no str"), ("line:runs", "does not exist")]
    + [("curve:tau_0.3.bias", "ends at 'tau_0'"), ('curve:"tau_0.4".bias', "ends at 'tau_0.4'")]
    + [(wrong, "cannot be read") for wrong in ('curve:"tau_0.3.bias', "curve:runs..bleu", 'curve:"runs"bleu')],
)
def test_wrong_expression_says_what_is_wrong(root: Path, expression: str, words: str) -> None:
    with pytest.raises(ResultError, match=words):
        evaluate(root, expression)
