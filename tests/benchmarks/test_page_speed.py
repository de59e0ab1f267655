import json

import pytest

from benchmarks import page_speed


def test_quick_writes_what_it_measured(tmp_path, capsys):
    assert page_speed.main(["--quick", "--json", str(tmp_path / "report.json")]) in (0, 1)  # a busy machine is slow
    report = json.loads((tmp_path / "report.json").read_text())
    assert len(report["inputs"]) == len(list(page_speed.with_widgets()))
    assert all(0 < row["script, ms"] <= row["worst picture, ms"] for row in report["inputs"])
    assert [row["model"] for row in report["words"]] == list(page_speed.LIVE)
    assert "| 05_scorers |" in capsys.readouterr().out


def test_without_a_book_it_says_what_to_do(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(page_speed, "HTML", tmp_path)
    assert page_speed.main(["--quick"]) == 2
    assert "make book" in capsys.readouterr().err
