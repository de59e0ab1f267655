"""The book's Sphinx extension; each module adds one feature.

parallel_execution  runs the cells of several pages in parallel before Sphinx reads them
cache               runs cells again when the library, the results or the requirements change
icons               the theme's icons without the script that draws them a second time
numbering           numbers chapters as their files are numbered
source              ``{source}``: shows code from the one place where it is defined
single_page         the whole book as one page, for the PDF
result              ``{result}``: a number taken from a committed result, never typed
interactive         a figure that a script of the page brings to life
live_translation    ``{live-translation}``: trained models that translate the reader's own sentence in the page
wiring_figure       ``{wiring}``: a decoder's wiring, to be stepped through in the page
blocks              ``{goals}``, ``{misconception}``, ``{deviation}``, ``{assignment}``: the boxes of every chapter
symbols             lights a symbol in equations, code, figures and tables together
predictions         ``{predict}``: a question with options, each told why it is right or wrong
progress            ``{progress}``: what the reader has done, filled in the browser
unbroken            keeps a range of numbers in a table on one line, and *chapter 7*, and *20 minutes*
row_groups          lets the heading of a group of rows go across a table
hover               previews a link's target
references          ``{references}``: the sources cited on a page, at its end
streams             keeps printed output as it was printed
notebook_download   every page with code as a notebook, to download or to launch
slides              the pages of the short way as slides, and ``{slides}``: a link to them
searching           a search by title, heading, phrase and synonym
launch              where an exercise opens with one click: Colab, Kaggle, Binder, a JupyterHub
troubles            ``{troubles}``: what can go wrong on a learner's machine
html_fixes          corrects invalid HTML
answers             whether the library's answers to graded tasks are shown, folded, or left out
exercises           ``{exercises}``: what is graded, read from the solutions
grading_speed       ``{grading-speed}``: seconds for one more submission, beside stock nbgrader
coverage            ``{coverage}``: what is taught, with its page, its exercise and its check
glossary_index      ``{terms}``: the index, from the terms that chapters link to the glossary
"""

from sphinx.application import Sphinx

from course import (
    answers,
    blocks,
    cache,
    coverage,
    exercises,
    glossary_index,
    grading_speed,
    hover,
    html_fixes,
    icons,
    live_translation,
    notebook_download,
    numbering,
    parallel_execution,
    predictions,
    progress,
    references,
    result,
    row_groups,
    searching,
    single_page,
    slides,
    source,
    streams,
    symbols,
    troubles,
    unbroken,
    wiring_figure,
)


def setup(app: Sphinx) -> dict[str, bool | str]:
    for module in (
        cache,
        answers,
        parallel_execution,
        numbering,
        source,
        result,
        live_translation,
        wiring_figure,
        symbols,
        blocks,
        predictions,
        references,
        unbroken,
        row_groups,
        glossary_index,
        hover,
        notebook_download,
        slides,
        single_page,
        html_fixes,
        streams,
        icons,
        searching,
        exercises,
        grading_speed,
        troubles,
        coverage,
        progress,
    ):
        module.setup(app)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
