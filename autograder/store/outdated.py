"""Which graded work was judged by other versions than those that are installed now, as after an upgrade."""

import json
from collections import Counter
from contextlib import closing
from pathlib import Path

from autograder.store.state import State
from autograder.store.versions import changes, versions

# How many entries have a verdict of the same versions; an entry's mark begins with the key of its verdict.
BY_VERSIONS = """
SELECT json_extract(verdict.circumstances, '$.versions'), count(*) FROM entry
JOIN verdict ON verdict.key = substr(entry.mark, 1, instr(entry.mark || char(10), char(10)) - 1)
WHERE json_valid(verdict.circumstances) GROUP BY 1
"""


def outdated(root: Path, output: Path) -> list[str]:
    """One sentence for each set of differences, with the number of submissions; none if there are none."""
    with closing(State(output)) as state:
        rows = state.rows(BY_VERSIONS)
    now, numbers = versions(root), Counter[str]()
    for text, number in rows:
        numbers["; ".join(changes(json.loads(text or "{}"), now))] += number
    sentences = {words: f"{number} submissions were graded before this: {words}" for words, number in numbers.items()}
    return [sentence for words, sentence in sentences.items() if words]
