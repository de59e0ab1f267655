"""Multi30k, task 1: captions of photographs in German, English and French (Elliott et al., 2016; 2017).

29,000 pairs for training, 1,014 for validation, 1,000 in each test set; 12 words per sentence.
The data is for non-commercial research and education; it is downloaded on demand and not part of this project.
"""

import gzip
from functools import cache
from pathlib import Path

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from seq2seq.corpora.download import fetch
from seq2seq.corpora.pair import Pair

BASE = "https://github.com/multi30k/dataset/raw/a3d2e0d/data/task1/raw"
LANGUAGES = ("de", "en", "fr")
SHA256 = {
    "test_2016_flickr.de.gz": "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8",
    "test_2016_flickr.en.gz": "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9",
    "test_2016_flickr.fr.gz": "6d326e188d259fb1d04ac19eae3af956559b3a0b93d7635e56c90987c40c8b90",
    "test_2017_flickr.de.gz": "a2c89666db00c495cd8513b9d708d5a3acc205d7de312ef2bf5fb7ebc1540aee",
    "test_2017_flickr.en.gz": "76a444ee25172e72695cddb13ae4a3bda59430617be88e0bb46b60504f054074",
    "test_2017_flickr.fr.gz": "3ba671ceb2299f3304ffafefea7a833d08632fbaf0ba18546f8a2ec2391af496",
    "test_2017_mscoco.de.gz": "799e4854c25d601cb6cb6be29eabe5667734c61ace2f495e03e429031a0bc338",
    "test_2017_mscoco.en.gz": "aab300bfb4427697987e02cd0aacd44bfe8aa50456231b6474c08038bbed2b58",
    "test_2017_mscoco.fr.gz": "754f3072ba9f124569ba5258b32730fc1d214bbf8e0c6dfb2b74401676220db0",
    "test_2018_flickr.de.gz": "ddd0130c7d97482dc5197a02141dae8dd79f20f03586c480d675c09a32daf608",
    "test_2018_flickr.en.gz": "ef4f4844037d4c5dea75c9a8ed5fd78905967a26f67c255e230cc9780032654d",
    "test_2018_flickr.fr.gz": "fb2b83fcceb937a4f7e3e93c1c51c22aba92f1e342391e6b5ba392b16a920501",
    "train.de.gz": "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6",
    "train.en.gz": "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f",
    "train.fr.gz": "622e75069e9f4c577425c4f277116ce66e63a2401c0a2312d90073cb12379a3c",
    "val.de.gz": "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a",
    "val.en.gz": "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28",
    "val.fr.gz": "ca3106f1a72390591d25f6c45cb4cd39dec4cd3f123e099748a3ce5256c160e9",
}
SPLITS = tuple(dict.fromkeys(name.split(".")[0] for name in SHA256))


def multi30k(
    split: str, source: str = "de", target: str = "en", folder: Path | None = None, lowercase: bool = True
) -> list[Pair]:
    """The sentence pairs of one split, without links, in the order of the files.

    Sentences are cut into words by the "13a" rules of sacrebleu, so that BLEU on these words equals sacrebleu's.
    The files are read from `folder`, or else downloaded into it and checked
    (see :func:`seq2seq.corpora.download.fetch`).

    Raises:
        ValueError: there is no such split or language, or the two files differ in their number of lines.
        DownloadError: a file cannot be downloaded or has the wrong digest.
    """
    if split not in SPLITS:
        raise ValueError(f"split: got {split!r}, expected one of {list(SPLITS)}.")
    for language in (source, target):
        if language not in LANGUAGES:
            raise ValueError(f"language: got {language!r}, expected one of {list(LANGUAGES)}.")
    sources, targets = (_sentences(f"{split}.{language}.gz", folder, lowercase) for language in (source, target))
    if len(sources) != len(targets):
        raise ValueError(f"{split}: {len(sources)} lines of {source}, {len(targets)} of {target}; they must pair up.")
    pairs = zip(sources, targets, strict=True)
    return [Pair(tuple(ours), tuple(theirs), frozenset()) for ours, theirs in pairs if ours and theirs]


def words(line: str, lowercase: bool = True) -> list[str]:
    """One sentence, cut into words and punctuation marks."""
    return _tokenizer()(line.lower() if lowercase else line).split()


@cache
def _tokenizer() -> Tokenizer13a:
    return Tokenizer13a()


def _sentences(name: str, folder: Path | None, lowercase: bool) -> list[list[str]]:
    path = fetch(f"{BASE}/{name}", SHA256[name], folder)
    with gzip.open(path, "rt", encoding="utf-8-sig", newline="\n") as file:  # a lone \r does not end a line
        return [words(line.strip(), lowercase) for line in file]
