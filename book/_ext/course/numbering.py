"""Numbers chapters as their files are numbered: ``05_scorers.md`` is chapter 5, its third equation (5.3).

Studies have letters: ``C_wirings.md`` is study C, its first table C.1.

Sphinx counts chapters in the order of the contents; if chapters are missing or moved, that would not match the
numbers that exercises and checks refer to.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector
from sphinx_external_toc.collectors import TocTreeCollectorWithStyles

NUMBER = re.compile(r"(?:.*/)?(\d+|[A-Z])_")


def number_by_file(collector: TocTreeCollector, env: BuildEnvironment) -> list[str]:
    """Replaces the first part of the usual numbers; returns the pages whose numbers changed."""
    before = env.toc_secnumbers
    TocTreeCollector.assign_section_numbers(collector, env)
    for docname, numbers in env.toc_secnumbers.items():
        match = NUMBER.match(docname)
        if match is None:
            continue
        chapter = int(match[1]) if match[1].isdigit() else match[1]
        for anchor, number in numbers.items():
            numbers[anchor] = number and (chapter, *number[1:])  # type: ignore[arg-type]  # Sphinx joins texts
        for reference in env.tocs[docname].findall(nodes.reference):
            if reference.get("secnumber"):
                reference["secnumber"] = [chapter, *reference["secnumber"][1:]]
        if env.titles[docname].get("secnumber"):
            env.titles[docname]["secnumber"] = [chapter]
    return [docname for docname, numbers in env.toc_secnumbers.items() if before.get(docname) != numbers]


def setup(app: Sphinx) -> None:
    TocTreeCollectorWithStyles.assign_section_numbers = number_by_file  # type: ignore[method-assign]
