"""The book by Sphinx alone: what it is told, and when two pages are the same; `make plain-sphinx` compares them all."""

from pathlib import Path

from book.plain_sphinx import conf, content


def test_its_configuration_is_python_and_names_no_jupyter_book():
    settings: dict[str, object] = {}
    exec(conf(), settings)
    assert "jupyter_book" not in settings["extensions"]
    assert settings["external_toc_path"] == "_toc.yml"
    assert all(Path(folder).is_absolute() for folder in settings["html_static_path"])


def test_pages_are_the_same_by_words_formulas_and_what_they_count(tmp_path):
    bodies = [r"a \[ x \] b", r"a\[x\]b", r"a \[ y \] b", r"a \[ x \] b<table></table>"]
    for number, body in enumerate(bodies):
        (tmp_path / f"{number}.html").write_text(f"<article>{body}</article><p>beside</p>")
    first, *others = (content(tmp_path / f"{number}.html") for number in range(4))
    assert [other == first for other in others] == [True, False, False]
