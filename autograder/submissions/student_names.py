"""Learners' names, which are used for folders, files and the gradebook; in what forms they are compared."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable

MAX_CHARACTERS = 128  # the limit of nbgrader's gradebook
UNSAFE = frozenset('<>"\\')  # formgrader writes names into its pages as they are
HARMLESS = str.maketrans('<>"\\', "‹›”/")
MAX_BYTES = 200  # a file name may have 255, and some consist of the student's name and more

# Each letter with the look-alike letters of other alphabets and digits, after case folding.
LOOKS = "aаɑα bƅьв cс dԁ eе gɡ hһн iіιɩ jј kκк l1ӏ mм nп o0οоօ pрρ qԛ rг sѕ tтτ uυս vνѵ wԝѡω xхχ yуүγ zᴢ"
ALIKE = str.maketrans({other: letters[0] for letters in LOOKS.split() for other in letters[1:]})

STROKES = str.maketrans("đħıłøŧ", "dhilot")  # letters that Unicode does not take apart


def visible(name: str) -> str:
    """The learner's name as it is seen, in one form of Unicode, by which alone names are compared.

    Without characters that have no shape, which copying and keyboards leave in it; macOS writes ü as u and its dots.
    """
    return unicodedata.normalize("NFC", "".join(sign for sign in name if unicodedata.category(sign) != "Cf"))


def unfit(name: str) -> str:
    """Why a folder of this name cannot be a learner's; empty if it can."""
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    if not name.isprintable():
        return "its name has characters that cannot be printed"
    if signs := UNSAFE & set(name):
        return f"its name has {' '.join(sorted(signs))}, which a page would take for its own code"
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
    return re.sub(r"[^\w.@+-]+", "_", visible(text)).strip("._-").lstrip("+@._-")


def alike(names: Iterable[str]) -> list[list[str]]:
    """Groups of names that differ only in case, Unicode form or look-alike letters, and may be confused."""
    groups: dict[str, set[str]] = defaultdict(set)
    for name in names:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
        groups[folded.translate(ALIKE).strip()].add(name)
    return sorted(sorted(group) for group in groups.values() if len(group) > 1)


def plain(text: str) -> str:
    """Only letters and digits, folded, as Canvas writes names: "Lovelace, Ada" → "lovelaceada"."""
    return re.sub(r"[\W_]", "", visible(text)).casefold()


def bare(text: str) -> str:
    """The same without diacritics and strokes, which some systems take off: "Åberg, Øystein" → "abergoystein"."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKD", text.casefold())).translate(STROKES)
