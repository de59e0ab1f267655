"""Which of the course's metadata a release contains."""

from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

HARMLESS = ("title", "chapters", "assignment", "variant")


class ClearCourse(NbGraderPreprocessor):
    """Keeps only harmless course metadata in a release."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        course = nb.metadata.get("course", {})
        nb.metadata["course"] = {key: course[key] for key in HARMLESS if key in course}
        return nb, resources
