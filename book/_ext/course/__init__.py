"""The book's one Sphinx extension; each module is one thing that the pages can do.

ahead       cells that have to run are run beforehand, several pages at a time
cache       cells run again when the library, the results or the requirements change
icons       the theme's icons without the script that draws them twice
numbering   a chapter's number is the number its file begins with
source      ``{source}``: code shown from the one place where it is defined
printed     the whole book as one page, for the PDF
result      ``{result}``: a number taken from a committed result, never typed
blocks      ``{goals}``, ``{misconception}``, ``{deviation}``, ``{task}``: the boxes that every chapter has
hover       what a link leads to is shown before it is followed
references  ``{references}``: what this page cites, at its end
streams     what cells print stays as it was printed
takeaway    every page that runs is a notebook too, to download or to launch
searching   only the search page loads the search's scripts
tidy        markup that HTML does not allow is put right
answers     the library's answers to graded tasks stand behind a fold after the exercise, or are left out
exercises   ``{exercises}``: what is graded, from the solutions themselves
coverage    ``{coverage}``: what is taught, with its page, its exercise and its check
terms       ``{terms}``: the index, made of the words that chapters link to the glossary
"""

from sphinx.application import Sphinx

from course import (
    ahead,
    answers,
    blocks,
    cache,
    coverage,
    exercises,
    hover,
    icons,
    numbering,
    printed,
    references,
    result,
    searching,
    source,
    streams,
    takeaway,
    terms,
    tidy,
)


def setup(app: Sphinx) -> dict[str, bool | str]:
    for module in (
        cache,
        answers,
        ahead,
        numbering,
        source,
        result,
        blocks,
        references,
        terms,
        hover,
        takeaway,
        printed,
        tidy,
        streams,
        icons,
        searching,
        exercises,
        coverage,
    ):
        module.setup(app)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
