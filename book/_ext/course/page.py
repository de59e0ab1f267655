"""What is mended in the finished page."""

from sphinx.application import Sphinx


def setup(app: Sphinx) -> None:
    pass
