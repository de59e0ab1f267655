import pytest

from seq2seq.widgets import widget
from seq2seq.widgets.widget import Widget


@pytest.fixture
def beside(monkeypatch, tmp_path):
    """Widgets' files of our own, in place of the real ones."""
    for name, text in {"common.js": "shared();", "common.css": ".shared {}", "one.js": "own();"}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(widget, "HERE", tmp_path)
    return tmp_path


def test_own_script_follows_the_shared_one(beside):
    class One(Widget, script="one"):
        pass

    assert One()._esm == "shared();\nown();"


def test_style_sheet_of_its_own_may_be_missing(beside):
    class One(Widget, script="one"):
        pass

    assert One()._css == ".shared {}"


def test_missing_script_is_named(beside):
    with pytest.raises(FileNotFoundError, match="script: got 'two'"):

        class Two(Widget, script="two"):
            pass


def test_text_stands_in_where_no_widget_can_be_shown(beside):
    class One(Widget, script="one"):
        pass

    bundle, _ = One(label="Bars of a softmax")._repr_mimebundle_()
    assert bundle["text/plain"] == "Bars of a softmax"
    assert "application/vnd.jupyter.widget-view+json" in bundle
