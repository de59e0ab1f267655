"""Hovering over a link, or focusing it, previews its target: a term's definition, an equation, a section.

sphinx-tippy collects the previews while pages are written, and does not keep them between builds. So if any page has
changed all are written again, which takes seconds; only changed pages are read and run again.
"""

from collections.abc import Iterable

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


class Pages:
    changed = False

    def remember(self, app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
        self.changed = bool(docnames)

    def write_all(self, app: Sphinx, env: BuildEnvironment) -> Iterable[str]:
        return sorted(env.found_docs) if self.changed else ()


def setup(app: Sphinx) -> None:
    pages = Pages()
    app.connect("env-before-read-docs", pages.remember)
    app.connect("env-updated", pages.write_all)
