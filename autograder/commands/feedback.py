"""``feedback``: learners' feedback, rewritten from stored verdicts and the gradebook."""

import argparse
from contextlib import closing

from autograder.commands.cli import FAILED, OK, show, warn
from autograder.commands.options import add_gradebook, renewed, warn_outdated

TEXT = """\
Rewrites the feedback of graded submissions, after manual points, comments or a late penalty in the gradebook.
Nothing is judged again: the verdicts are those stored with the graded notebooks.

examples:
  python -m autograder feedback
  python -m autograder feedback --student ada --assignment 05_scorers --format markdown
  python -m autograder feedback --output grades/spring

written under --output; without --format, the page and any other format that already exists:
  feedback/<student>/<assignment>/<assignment>.html    one page without scripts or external resources
  feedback/<student>/<assignment>/<assignment>.md      the same report as text (--format markdown)
  feedback/<student>/<assignment>/<assignment>.json    the same for programs (--format json)

exit status:
  0  written     1  some are not in the gradebook: the message names them     2  wrong usage
"""

ENDINGS = {"html": "html", "markdown": "md", "json": "json"}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--student", metavar="ID", help="only this one (default: everybody)")
    parser.add_argument("--assignment", metavar="NAME", help="only this one (default: all that were graded)")
    parser.add_argument("--format", choices=tuple(ENDINGS), help="only this one (default: html)")
    add_gradebook(parser)
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")


def run(options: argparse.Namespace) -> int:
    from autograder.commands.progress import Bar
    from autograder.gradebook.rewrite_feedback import write_again
    from autograder.settings import configured
    from autograder.store.disk import locked
    from autograder.submissions.times import zone_for_learners

    endings = [ENDINGS[options.format]] if options.format else []
    with closing(Bar()) as bar, locked(options.output):
        book, zone = renewed(options), zone_for_learners(configured(options.root, options.output))
        who = options.student, options.assignment
        written, failed = write_again(options.output, *who, endings, bar.step, book, zone)
    page = options.output / "feedback" / "<student>" / "<assignment>" / f"<assignment>.{''.join(endings) or 'html'}"
    show(options, {"written": written, "failed": failed}, f"{len(written)} submissions rewritten: {page}")
    for name, reason in failed.items() if not options.json else ():
        warn(options, f"{name}: {reason}")
    warn_outdated(options)
    return FAILED if failed else OK
