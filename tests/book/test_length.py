"""The book is short enough to be finished, and its short way stands first."""

from book.contents import parts, short_way
from book.prose import ROOT, Reading, pages, time

WAY, PAGE, BOOK = 22_000, 5_000, 55_000  # words
WEEKEND = 8 * 60  # minutes


def test_the_short_way_each_page_and_the_book_keep_to_their_words():
    words = {path.stem: Reading(path).words for path in pages()}
    way = [file.rpartition("/")[2] for file in short_way()]
    assert [*parts()][:2] == ["", "The short way"]
    assert sum(words[name] for name in way) <= WAY
    assert max(words.values()) <= PAGE, words
    assert sum(words.values()) <= BOOK


def test_the_short_way_with_its_tasks_takes_a_weekend_and_ends_in_the_translator():
    readings = [Reading(ROOT / f"{file}.md") for file in short_way()]
    assert sum(time(readings)) <= WEEKEND
    assert readings[-1].exercise[1]


def test_minutes_count_words_code_equations_and_figures(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"# Title\n\n{'word ' * 1799}\n", encoding="utf-8")
    assert (Reading(page).words, Reading(page).minutes) == (1800, 10)
    page.write_text(page.read_text() + "\n$$\nx\n$$ (eq-x)\n\n```{code-cell} python3\n1\n```\n", encoding="utf-8")
    assert (Reading(page).words, Reading(page).minutes) == (1800, 15)


def test_reasons_of_options_and_worked_answers_are_not_read_by_everyone(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```{predict} Two\n:label: ex-p\n\n- [x] Three words here\n  Not these four words.\n```\n")
    assert Reading(page).words == 5  # the title's, the option's and its mark
    page.write_text("```{solution} ex-p\n:class: dropdown\n\nNot read.\n```\n")
    assert Reading(page).words == 0
