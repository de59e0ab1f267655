"""The search, from a file on disk: what students type finds the right page first."""

import pytest
from visits import HTML, ROOT, NewPage

QUERIES = dict(line.split("\t") for line in (ROOT / "tests/browser/queries.tsv").read_text().splitlines()[1:])


def test_what_a_student_types_finds_the_right_page_first(new_page: NewPage):
    page = new_page()
    page.goto(f"{HTML.as_uri()}/search.html?q=what+is+attention")
    page.get_by_text("“what is attention”").wait_for()
    firsts = page.evaluate("queries => queries.map(query => searched(query)[0]?.id ?? '')", list(QUERIES))
    wrong = {
        query: first
        for (query, right), first in zip(QUERIES.items(), firsts, strict=True)
        if not any(f"book/{name}".replace("#", ".html#") in first for name in right.split())
    }
    assert len(QUERIES) >= 75
    assert wrong == {}


@pytest.mark.parametrize(("query", "count"), [("", 0), ("zzzzqqq", 0), ("<b>context</b>", 5), ("the of", 0)])
def test_a_search_for_nothing_for_noise_or_for_markup_is_answered_as_text(new_page: NewPage, query: str, count: int):
    page = new_page()
    page.goto(f"{HTML.as_uri()}/search.html?q={query}")
    results = page.locator("#search-results li").count()
    assert results >= count if count else results == 0
    assert page.locator("#search-results b").count() == 0
    if query and not count:
        assert "Nothing is found" in page.locator("#search-results [role=status]").inner_text()
