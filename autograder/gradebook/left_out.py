"""Leaves out unusable submissions in ``nbgrader autograde``, as ``grade`` does: it grades the others, then fails."""

from pathlib import Path

from nbgrader.converters import NbGraderException
from nbgrader.converters.base import BaseConverter

from autograder.submissions.students import unfit
from autograder.submissions.submitted_files import LeftOut
from autograder.terminal import plain

LINK = "it is a link, expected a folder"


def leave_out(converter: BaseConverter) -> None:
    """Removes what nbgrader would stop at, and links it would follow; call it before nbgrader converts."""
    messages = []
    for place in sorted(converter.assignments):
        path = Path(place)
        student = path.parent
        reason = unfit(student.name) or (LINK if student.is_symlink() or path.is_symlink() else "")
        if reason:
            del converter.assignments[place]
            messages.append(plain(str(LeftOut(student.name, reason))))
    if not messages:
        return
    convert = converter.convert_notebooks

    def convert_the_rest() -> None:
        convert()
        for message in messages:
            converter.log.error("Left out %s.", message)
        raise NbGraderException(f"left out: {'; '.join(messages)}")

    converter.convert_notebooks = convert_the_rest
