"""Tatoeba: short everyday sentences, English to French, as collected by ManyThings.org for Anki flash cards.

142,787 pairs in the export of 29 September 2017, seven words and punctuation marks per sentence.
The sentences come from tatoeba.org via manythings.org/anki, under the licence CC-BY 2.0; they are
downloaded on demand and not part of this project.
"""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from seq2seq.corpora.download import fetch, in_utf8
from seq2seq.corpora.multi30k import words
from seq2seq.corpora.pair import Pair

URL = "https://github.com/genimind/seq2seq/raw/4f3f8eb0adde54fcc8b89394336b002e7961244c/fra-eng.zip"
SHA256 = "16c4f7d0df9e7c5e6c54cdb0447f3f4a18a55052ff5e2e0b27dd4a06c0e49d04"
MEMBER = "fra.txt"


def tatoeba(
    path: Path | None = None, seed: int = 0, held_out: int = 5000, lowercase: bool = True
) -> dict[str, list[Pair]]:
    """The pairs English to French without links, in splits "train", "val" and "test", each in the order of the file.

    An English sentence may have dozens of French translations, one per line.
    The splits divide the English sentences, ignoring case: all translations of a sentence are in the same split, so a
    model cannot have seen the source of a test pair.
    A French sentence may be in two splits, as the translation of two English ones.
    Duplicates are kept once; a pair of which a side has no word, such as a mere ``<skipped>``, is left out.

    `path` is a local Anki zip, of any date; without it the export of 2017 is downloaded and checked
    (see :func:`seq2seq.corpora.download.fetch`).
    `held_out` is the number of English sentences in each of "val" and "test".
    The same seed and the same file give the same splits.

    Raises:
        ValueError: the file is not a zip, lacks fra.txt, is not in UTF-8, or has a line without two columns, or too few
            sentences.
        FileNotFoundError: there is no file at `path`.
        DownloadError: the file cannot be downloaded or has the wrong digest.
    """
    path = fetch(URL, SHA256) if path is None else Path(path)
    sides = ([tuple(words(side, lowercase)) for side in columns] for columns in _columns(path))
    pairs = [Pair(english, french, frozenset()) for english, french in sides if english and french]
    groups: dict[str, list[Pair]] = {}
    for pair in dict.fromkeys(pairs):
        groups.setdefault(_key(pair), []).append(pair)
    if not 0 <= 2 * held_out < len(groups):
        raise ValueError(
            f"held_out: got {held_out} for each of val and test, expected 0 or more, and in total fewer than the "
            f"{len(groups)} English sentences of {path.name}; training needs some."
        )
    keys = list(groups)
    Random(seed).shuffle(keys)
    held = {"val": set(keys[:held_out]), "test": set(keys[held_out : 2 * held_out])}
    splits: dict[str, list[Pair]] = {"train": [], "val": [], "test": []}
    for key, group in groups.items():
        split = next((name for name, sources in held.items() if key in sources), "train")
        splits[split] += group
    return splits


def _key(pair: Pair) -> str:
    return " ".join(pair.source).lower()


def _columns(path: Path) -> Iterator[tuple[str, str]]:
    """The first two columns of each line; newer exports have the attribution in a third."""
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file; leave out the path to download {URL}.")
    if not zipfile.is_zipfile(path):
        raise ValueError(f"{path}: not a zip file, expected the fra-eng.zip of manythings.org/anki; is it unpacked?")
    with zipfile.ZipFile(path) as archive:
        if MEMBER not in archive.namelist():
            raise ValueError(
                f"{path}: has {archive.namelist()}, expected {MEMBER} among them; is it the zip of another language?"
            )
        with in_utf8(f"{path}, {MEMBER}"):
            lines = archive.read(MEMBER).decode("utf-8-sig").split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) < 2 or not (columns[0] and columns[1]):
            raise ValueError(
                f"{path}, {MEMBER}, line {number}: got {line[:60]!r}, expected an English and a French sentence with "
                "a tab between; were the tabs turned into spaces?"
            )
        yield columns[0], columns[1]
