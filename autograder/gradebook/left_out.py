"""Whom ``nbgrader autograde`` leaves out, as ``grade`` does: the others are graded, and the command then fails."""

from pathlib import Path

from nbgrader.converters import NbGraderException
from nbgrader.converters.base import BaseConverter

from autograder.submissions.collected import LeftOut
from autograder.submissions.students import unfit
from autograder.terminal import plain

LINK = "it is a link, expected a folder"


def leave_out(converter: BaseConverter) -> None:
    """Takes from nbgrader's list what it would stop at, or follow, for everybody; to be called before it converts."""
    told = []
    for place in sorted(converter.assignments):
        path = Path(place)
        student = path.parent
        reason = unfit(student.name) or (LINK if student.is_symlink() or path.is_symlink() else "")
        if reason:
            del converter.assignments[place]
            told.append(plain(str(LeftOut(student.name, reason))))
    if not told:
        return
    convert = converter.convert_notebooks

    def convert_the_rest() -> None:
        convert()
        for one in told:
            converter.log.error("Left out %s.", one)
        raise NbGraderException(f"left out: {'; '.join(told)}")

    converter.convert_notebooks = convert_the_rest
