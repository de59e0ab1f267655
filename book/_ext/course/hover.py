"""Hovering over a link, or focusing it, previews its target: a term's definition, an equation, a section.

sphinx-tippy collects the previews while pages are written, and does not keep them between builds. So if any page has
changed all are written again, which takes seconds; only changed pages are read and run again.
"""

from collections.abc import Iterable

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def remember(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    app.course_has_changes = bool(docnames)


def write_all(app: Sphinx, env: BuildEnvironment) -> Iterable[str]:
    return sorted(env.found_docs) if getattr(app, "course_has_changes", False) else ()


def setup(app: Sphinx) -> None:
    app.connect("env-before-read-docs", remember)
    app.connect("env-updated", write_all)
