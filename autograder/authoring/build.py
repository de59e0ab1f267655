"""``solutions/`` → nbgrader's source notebooks → ``exercises/``: what learners open, without the answers."""

from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.authoring.notebooks import source_notebook, to_text
from autograder.authoring.variants import record
from autograder.private import keep_unpublished
from autograder.settings import RELEASE, SAMPLES, SCRIPTS, SOURCE, Log, settings


class BuildError(Exception):
    """nbgrader could not make a release; the message is nbgrader's."""


def scripts(root: Path, folder: Path = SCRIPTS) -> list[Path]:
    return sorted((root / folder).glob("[!_]*.py"))


def sources(root: Path, folder: Path = SCRIPTS, key: str = "") -> dict[str, str]:
    """Assignment → nbgrader source notebook, for each script in ``solutions/``, or in the samples' folder."""
    return {path.stem: to_text(source_notebook(path, root, key)) for path in scripts(root, folder)}


def releases(source_texts: dict[str, str]) -> dict[str, str]:
    """Assignment → release, made by nbgrader's own generate_assignment in a folder of its own."""
    if not source_texts:
        return {}
    from nbgrader.converters import GenerateAssignment, NbGraderException
    from nbgrader.coursedir import CourseDirectory

    with TemporaryDirectory(prefix="release-") as folder:
        root, log = Path(folder).resolve(), Log()
        config = settings(root, root)
        preprocessors = config.GenerateAssignment.preprocessors
        config.GenerateAssignment.preprocessors = [name for name in preprocessors if not name.endswith("SaveCells")]
        config.GenerateAssignment.no_database = True
        for name, text in source_texts.items():
            _write(root / SOURCE / name / f"{name}.ipynb", text)
        for name in source_texts:
            config.CourseDirectory.assignment_id = name
            course = CourseDirectory(config=config, log=log.logger)
            try:
                GenerateAssignment(coursedir=course, config=config, log=log.logger).start()
            except NbGraderException:
                raise BuildError(f"{name}: nbgrader made no release: {log.reason}") from None
        return {name: (root / RELEASE / name / f"{name}.ipynb").read_text("utf-8") for name in source_texts}


def build(root: Path) -> list[Path]:
    """Write the sources and the releases that differ from what is there; return the releases written."""
    keep_unpublished(root)
    texts = sources(root, key=record(root).key)
    for name, text in {**texts, **sources(root, SAMPLES)}.items():
        _write(root / SOURCE / name / f"{name}.ipynb", text)
    return [path for path, text in _release_paths(root, texts).items() if _write(path, text)]


def build_for(root: Path, key: str, folder: Path) -> list[Path]:
    """The releases of one learner's own variant, in a folder of their own; return the files written."""
    made = releases(sources(root, key=key))
    return [path for name, text in made.items() if _write(path := folder / name / f"{name}.ipynb", text)]


def stale(root: Path) -> list[str]:
    """One line per file under ``exercises/`` that is not what the scripts make of it now."""
    expected = _release_paths(root, sources(root, key=record(root).key))
    lines = []
    for path, text in expected.items():
        if not path.exists():
            lines.append(f"{path.relative_to(root)}: missing")
        elif path.read_text(encoding="utf-8") != text:
            lines.append(f"{path.relative_to(root)}: not what solutions/{path.stem}.py makes now")
    for path in sorted((root / RELEASE).rglob("*")):
        if path.is_file() and path not in expected and ".ipynb_checkpoints" not in path.parts:
            lines.append(f"{path.relative_to(root)}: made by no script in solutions/")
    return lines


def _release_paths(root: Path, texts: dict[str, str]) -> dict[Path, str]:
    return {root / RELEASE / name / f"{name}.ipynb": text for name, text in releases(texts).items()}


def _write(path: Path, text: str) -> bool:
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return True
