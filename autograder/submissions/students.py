"""Checks and makes learners' names, which are used for folders, files and the gradebook."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable

MAX_CHARACTERS = 128  # the limit of nbgrader's gradebook
MAX_BYTES = 200  # a file name may have 255, and some consist of the student's name and more

# Each letter with the look-alike letters of other alphabets and digits, after case folding.
LOOKS = "aаɑα bƅьв cс dԁ eе gɡ hһн iіιɩ jј kκк l1ӏ mм nп o0οоօ pрρ qԛ rг sѕ tтτ uυս vνѵ wԝѡω xхχ yуүγ zᴢ"
ALIKE = str.maketrans({other: letters[0] for letters in LOOKS.split() for other in letters[1:]})


def unfit(name: str) -> str:
    """Why a folder of this name cannot be a learner's; empty if it can."""
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    if not name.isprintable():
        return "its name has characters that cannot be printed"
    if name.startswith("."):
        return "its name begins with a dot, like a hidden folder's"
    if len(name) > MAX_CHARACTERS:
        return f"its name has {len(name)} characters, at most {MAX_CHARACTERS} fit into a gradebook"
    if size > MAX_BYTES:
        return f"its name has {size} bytes, at most {MAX_BYTES} fit into the names of files"
    return ""


def folder_name(student: str, number: str = "") -> str:
    """A valid folder name from the LMS's name for a learner; ``number`` distinguishes learners of the same name."""
    text = _words(student)
    ending = f"_{_words(number)[:40]}" if number else ""
    room = MAX_BYTES - len(ending.encode())
    text = text[: 100 - len(ending)].encode()[:room].decode(errors="ignore").rstrip("._-")
    return f"{text or 'unnamed'}{ending}"


def _words(text: str) -> str:
    """The text without characters that start a path, an option, a hidden file or a spreadsheet formula."""
    return re.sub(r"[^\w.@+-]+", "_", unicodedata.normalize("NFC", text)).strip("._-").lstrip("+@._-")


def alike(names: Iterable[str]) -> list[list[str]]:
    """Groups of names that differ only in case, Unicode form or look-alike letters, and may be confused."""
    groups: dict[str, set[str]] = defaultdict(set)
    for name in names:
        groups[_look(name)].add(name)
    return sorted(sorted(group) for group in groups.values() if len(group) > 1)


def _look(name: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return folded.translate(ALIKE).strip()
