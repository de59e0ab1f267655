"""Each directive and role of the book's own: what it shows, and what it says where it cannot."""

import json
import re
from textwrap import indent

import pytest
from course.html_fixes import tidy
from course.live_translation import MODELS, WITHOUT
from course.markdown import Markdown
from course.result import RESULTS, ResultError, evaluate
from course.source import SourceError, excerpt, locate
from course.streams import joined
from course.wiring_figure import WORDS
from docutils import nodes
from nbformat.v4 import new_output

from book.wiring import KINDS, WIRINGS

LIVE = """# A page

In {numref}`fig-live` you type.

```{live-translation} one two
:name: fig-live
:sentence: the "old" cat
:forms:

> A still picture.

Type a *longer* sentence.
```
"""
WIRED = "# A page\n\nSee {numref}`fig-two`.\n\n```{wiring} bahdanau luong\n:name: fig-two\nTwo *decoders*.\n```\n"


@pytest.fixture
def live(built):
    files = {f"{MODELS}/{name}.js": "" for name in ("one", "two")}
    return lambda page, builder="html": built({"index": page, **files}, "course.live_translation", builder)


@pytest.fixture
def wiring(built):
    return lambda page, builder="html": built({"index": page}, "course.wiring_figure", builder)


def test_a_live_translation_is_a_numbered_figure_and_only_the_script_that_waits_is_loaded(live):
    book = live(LIVE)
    assert book.warnings == ""
    figure = book.page.find("figure", id="fig-live")
    assert figure.find("figcaption").get_text().strip().startswith("Fig. 1 Type a longer sentence.")
    assert figure.find("figcaption").find("em").get_text() == "longer"
    assert "Fig. 1" in book.page.find("p").get_text()
    element = figure.find("live-translation")
    room = "--models: 2; --words: 4"
    assert element.attrs == {"models": "one two", "sentence": 'the "old" cat', "forms": "", "style": room}
    assert [part.name for part in element.children] == ["noscript"]
    assert element.get_text().split() == ["A", "still", "picture.", *WITHOUT.split()]
    assert book.scripts("live") == ["_static/live/start.js"]
    assert book.page.find("script", src=re.compile("live")).has_attr("defer")
    assert {path.name for path in (book.out / "_static" / "live").iterdir()} == {"start.js", "live.js", "live.css"}


def test_the_pdf_has_a_still_picture_and_a_sentence_a_page_without_one_loads_nothing_and_what_cannot_be_shown_is_said(
    live,
):
    book = live(LIVE, "singlehtml")
    assert [part.get_text().strip() for part in book.page.select("figure > :not(figcaption)")] == [
        "A still picture.",
        WITHOUT,
    ]
    assert book.page.find("live-translation") is None
    assert book.scripts("live/start.js") == live("# A page\n\nNothing here.\n").scripts("live/start.js") == []
    unknown = "got ['three'], expected names of files in book/_static/live: ['one', 'two']"
    assert unknown in live(LIVE.replace("one two", "one three")).warnings
    without = LIVE.replace("Type a *longer* sentence.\n", "")
    assert "expected a paragraph at the end of the content, the caption" in live(without).warnings


def test_a_wiring_has_every_box_and_arrow_of_the_drawing_and_the_steps(wiring):
    book = wiring(WIRED)
    assert book.warnings == ""
    figure = book.page.find("figure", id="fig-two")
    assert figure.find("figcaption").get_text().strip().startswith("Fig. 1 Two decoders.")
    assert sorted(json.loads(figure.find("script").string)) == sorted(WIRINGS)
    for panel in figure.find_all(class_="wiring-panel"):
        drawn = WIRINGS[panel["data-wiring"]]
        boxes = {box["data-id"] for box in panel.select("[data-id]")}
        assert boxes == {"s0", "y0", "y1", "y2"} | {f"{kind}{i}" for kind in KINDS for i in range(1, WORDS + 1)}
        arrows = panel.select("path[data-to]:not(.fed, .chosen)")
        ends = sorted((arrow["data-from"], arrow["data-to"]) for arrow in arrows)
        assert ends == sorted((far.id, node.id) for node, sources in drawn.graph(WORDS).items() for far in sources)
        assert panel.find("svg")["role"] == "img"
        assert drawn.title in panel.find("svg")["aria-label"]
        tips = {tip["id"] for tip in book.page.find_all("marker")}
        assert {arrow["marker-end"][5:-1] for arrow in panel.find_all("path")} <= tips
    assert len(figure.select('[data-wiring="luong"] .fed')) == WORDS - 1
    assert book.scripts("wiring") == ["_static/wiring.js"]


def test_in_the_pdf_a_wiring_is_a_drawing_alone_and_an_unknown_decoder_is_named(wiring):
    book = wiring(WIRED, "singlehtml")
    assert book.page.find("svg", role="img")
    assert book.scripts("wiring") == []
    warning = "wiring: got ['cho'], expected names of wirings: ['bahdanau', 'luong', 'feeding']"
    assert warning in wiring(WIRED.replace("luong", "cho")).warnings


CHAPTERS = {
    "index": "# Book\n\n## Read\n\n```{toctree}\none\ntwo\n```\n",
    "one": "# One\n\n## Summary\n\n[There](two.md#summary), {doc}`two`.\n\n### Deeper\n\nDown.\n",
    "two": "# Two\n\n## Summary\n\nEnd.\n",
}


def test_on_the_single_page_chapters_stand_side_by_side_with_links_and_widgets(built):
    files = {name: (None, {"type": "application/json", "body": f'"{name}"'}) for name in CHAPTERS}
    states = {name: {"js_files": {"state": file}} for name, file in files.items()}
    book = built(CHAPTERS, "course.single_page", "singlehtml", states, myst_heading_anchors=3)
    assert book.warnings == ""
    pages = book.page.select(".book-page")
    assert [page.parent for page in pages] == [pages[0].parent] * 3
    assert [page.find_previous_sibling("span")["id"] for page in pages] == [f"document-{name}" for name in CHAPTERS]
    headings = [" ".join(f"{tag.name} {tag.contents[0]}" for tag in page.find_all(re.compile("^h"))) for page in pages]
    assert headings == ["h1 Book h2 Read", "h1 One h2 Summary h3 Deeper", "h1 Two h2 Summary"]
    links = [link["href"] for link in book.page.select(".book-page p a")]
    assert links == ["#document-two/summary", "#document-two"]
    shown = {tag.string for tag in book.page.select("script[type='application/json']")}
    assert shown == {f'"{name}"' for name in CHAPTERS}


MODULE = '''
import functools


class Box:
    """A box.

    With more to say.
    """

    size = 1

    @functools.cache
    def open(self):
        """Open it."""

        # slowly
        return self.size


'''
CLOSE = "def close(box):\n    return None"
OPEN = "@functools.cache\ndef open(self):\n    # slowly\n    return self.size"


def test_a_source_is_shown_alone_at_the_margin_without_docstrings_unless_asked(tmp_path):
    (tmp_path / "boxes").mkdir()
    (tmp_path / "boxes" / "wooden.py").write_text(MODULE + CLOSE)

    def shown(name, docstring=False):
        return excerpt(*locate(tmp_path, name), name, docstring)

    texts = {"Box.open": OPEN, "Box": "class Box:\n    size = 1\n\n" + indent(OPEN, "    "), "close": CLOSE}
    assert {name: shown(f"boxes.wooden.{name}") for name in texts} == texts
    assert "With more to say." in shown("boxes.wooden.Box", docstring=True)
    for name, unknown in {"boxes.wooden.Box.lid": "'lid'", "crates.wooden": "crates"}.items():
        with pytest.raises(SourceError, match=unknown):
            shown(name)


CURVE = {
    "runs": [{"seed": 0, "bleu": {"4-10": 77.25}}, {"seed": 1, "bleu": {"4-10": 78.25}}],
    **{"loss": -0.5, "model": "fixed", "pairs": 60000, "tau_0.3": {"bias": 0.25}, "*": "star", "bar|.1f": [4, 5]},
}
TEXTS = {
    "curve:runs.1.bleu.4-10": "78.25",
    "curve:runs.*.bleu.4-10|mean|.1f": "77.8",
    "curve:runs|count": "2",
    "curve:runs.*.bleu.4-10|spread|.2f": "77.75 (77.25–78.25)",
    **{"curve:runs.1.bleu.*|spread|.1f": "78.2", "curve:runs.*.seed|spread|.0%": "50% (0–100%)"},
    **{"curve:runs.*.bleu.*|max|.0f": "78", "curve:pairs|,": "60,000", "curve:model": "fixed"},
    **{'curve:"tau_0.3".bias|.1f': "0.2", 'curve:"tau_0.3"."bias"': "0.25", 'curve:runs.*."bleu".4-10|max': "78.25"},
    **{'curve:"*"': "star", 'curve:"bar|.1f".1|.1f': "5.0", "curve|count": "7", "curve:loss|.1f": "−0.5"},
}
WRONG = {
    **{"curve:runs.7": "ends at '7'", "curve:model|.1f": "formats no str", "line:runs": "does not exist"},
    **{"curve:tau_0.3.bias": "ends at 'tau_0'", 'curve:"tau_0.4".bias': "ends at 'tau_0.4'"},
    **{'curve:"tau_0.3.bias': "cannot be read", "curve:runs..bleu": "cannot be read"},
    'curve:"runs"bleu': "cannot be read",
}


def test_a_result_is_the_committed_number_or_says_what_is_wrong(tmp_path):
    (tmp_path / RESULTS).mkdir(parents=True)
    (tmp_path / RESULTS / "curve.json").write_text(json.dumps(CURVE))
    assert {expression: evaluate(tmp_path, expression)[0] for expression in TEXTS} == TEXTS
    for expression, words in WRONG.items():
        with pytest.raises(ResultError, match=words):
            evaluate(tmp_path, expression)


def test_what_a_cell_prints_looks_the_same_however_it_was_cut_on_the_way():
    def printed(*pieces):
        outputs = [new_output("stream", name="stdout", text=piece) for piece in pieces]
        return [output["text"] for output in joined(outputs)]

    assert printed("states", " (100, 9, 64)\nnext\n") == printed("states (100, 9, 64)\nnext\n")
    figure = new_output("display_data", data={"text/plain": "figure"})
    before, after = (new_output("stream", name="stdout", text=text) for text in ("a\n", "b\n"))
    assert [output.output_type for output in joined([before, figure, after])] == ["stream", "display_data"]
    assert joined([]) == []


def test_a_name_stays_with_its_number_and_a_number_with_its_unit_but_in_code(built):
    text = "# Page\n\nTake 20 minutes for chapter 7, Figure 7.4 and study H, not for a figure and `exercise 6`.\n"
    shown = built({"index": text}, "course.unbroken").page.select_one("section p").get_text()
    held = "Take 20~minutes for chapter~7, Figure~7.4 and study~H, not for a figure and exercise 6."
    assert shown == held.replace("~", "\N{NO-BREAK SPACE}")


def test_markup_of_others_is_put_right():
    summary = '<summary a="b"><{0} class="x">Show</{0}></summary><p>y</p>'
    assert tidy(summary.format("p")) == summary.format("span")
    assert tidy('<section id="exercise-content">x</section>') == "<section>x</section>"
    assert tidy('<th class="head right"><p></p></th><th class="head"><p>a</p></th>') == (
        '<td class="head right"></td><th class="head"><p>a</p></th>'
    )


def test_formulas_boxes_tables_and_links_become_markdown():
    def plain(node):
        return Markdown(lambda target: f"https://book/{target}", lambda node: "5.1").block(node)

    assert plain(nodes.math_block("e = mc^2", "e = mc^2")) == "$$\ne = mc^2 \\tag{5.1}\n$$"
    box = nodes.admonition("", nodes.title("", "Often said"), nodes.paragraph("", "No."), nodes.paragraph("", "Yes."))
    assert plain(box) == "> **Often said**\n>\n> No.\n>\n> Yes."
    entries = [nodes.entry("", nodes.paragraph("", text)) for text in ("p(y|x)", "2")]
    table = nodes.table("", nodes.tgroup("", nodes.tbody("", nodes.row("", *entries), cols=2)))
    assert plain(table).splitlines()[0] == r"| p(y\|x) | 2 |"
    paragraph = nodes.paragraph("", "", nodes.reference("", "mask", refuri="06_masking.html"))
    assert plain(paragraph) == "[mask](https://book/06_masking.html)"
