"""The book's one Sphinx extension; each module is one thing that the pages can do.

cache       cells run again when the library, the results or the requirements change
numbering   a chapter's number is the number its file begins with
source      ``{source}``: code shown from the one place where it is defined
result      ``{result}``: a number taken from a committed result, never typed
blocks      ``{goals}``, ``{misconception}``, ``{deviation}``, ``{task}``: the boxes that every chapter has
references  ``{references}``: what this page cites, at its end
"""

from sphinx.application import Sphinx

from course import blocks, cache, numbering, references, result, source


def setup(app: Sphinx) -> dict[str, bool | str]:
    for module in (cache, numbering, source, result, blocks, references):
        module.setup(app)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
