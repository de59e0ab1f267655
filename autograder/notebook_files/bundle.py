"""A notebook and the small files beside it as one zip, which learners may also submit themselves."""

import base64
import io
import json
import os
import re
import zipfile
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from autograder.notebook_files.content import UNKNOWN, UNSEEN, Content, Exercises, look
from autograder.notebook_files.file_text import MAX_BYTES, Unreadable
from autograder.notebook_files.tars import DAMAGED, MAX_MEMBERS, ZIP, as_zip
from autograder.notebook_files.which_notebook import ITSELF, NOTEBOOK, OPENED, UNOPENED, chosen, listed, newest

MAX_FILES = 50
MAX_BESIDE = 2**20  # bytes of all files beside a notebook
MAX_FOLDERS = 3  # within a submission's folder
MAX_LOOKED_AT = 5000  # files of one submission
MAX_DEPTH = 3  # zips in zips
MAX_DIRECTORY = 2**20  # bytes of a zip's directory: enough for names of ordinary length
ORDINARY = re.compile(r"[\w][\w .()+-]{0,100}")
FIXED_TIME = (1980, 1, 1, 0, 0, 0)  # so that the same files give the same bytes
TIMESTAMP, SECRET = "timestamp.txt", "submission_secret.txt"  # of nbgrader's exchange; no notebook needs them
DOCUMENTS = (".pdf", ".html", ".htm", ".doc", ".docx", ".odt", ".rtf", ".ppt", ".pptx", ".whl")


def beside(sizes: Mapping[str, int], notebook: str) -> tuple[list[str], tuple[str, ...]]:
    """The small files, modules and data alike, that accompany the notebook when it runs, and a note on the others.

    ``sizes``: path with slashes → bytes. The files keep their relative paths.
    """
    folder = PurePosixPath(notebook).parent
    taken: list[str] = []
    left: list[str] = []
    total = 0
    for name in sorted(sizes):
        path = PurePosixPath(name)
        if name == notebook or not path.is_relative_to(folder) or not may_be_beside(name) or _packs(name, notebook):
            continue
        if len(taken) < MAX_FILES and total + sizes[name] <= MAX_BESIDE:
            taken.append(name)
            total += sizes[name]
        else:
            left.append(name)
    if not left:
        return taken, ()
    limit = f"the limit is {MAX_FILES} files and {MAX_BESIDE >> 20} MiB in total"
    return taken, (f"Not available when the notebook ran: {listed(left)}; {limit}.",)


def may_be_beside(name: str) -> bool:
    """Whether code in a notebook may need a file of this name: a module or data, no other notebook and no document."""
    path = PurePosixPath(name)
    is_other = path.name in (TIMESTAMP, SECRET) or NOTEBOOK.search(name) or path.suffix.lower() in DOCUMENTS
    return not is_other and all(ORDINARY.fullmatch(part) for part in path.parts)


def _packs(name: str, notebook: str) -> bool:
    """Whether an archive is another copy of the submission, by its name; of any other name it is data."""
    stems = [PurePosixPath(path).name.partition(".")[0].casefold() for path in (name, notebook)]
    return name.lower().endswith((OPENED, *UNOPENED)) and (stems[0] in stems[1] or stems[1] in stems[0])


def files_below(folder: Path) -> dict[str, Path]:
    """Every file below the folder, by its path with slashes; links are not followed."""
    files: dict[str, Path] = {}
    for above, inner, names in os.walk(folder):
        depth = len(Path(above).relative_to(folder).parts)
        inner[:] = sorted(inner) if depth < MAX_FOLDERS and len(files) < MAX_LOOKED_AT else []
        for name in sorted(names)[: MAX_LOOKED_AT - len(files)]:
            path = Path(above, name)
            files[path.relative_to(folder).as_posix()] = path
    return files


def packed(notebook: str, files: Iterable[tuple[str, bytes]], compression: int = zipfile.ZIP_STORED) -> bytes:
    """The files, including the notebook, as a zip; paths are relative to the notebook's folder."""
    folder = PurePosixPath(notebook).parent
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files:
            path = PurePosixPath(name).relative_to(folder).as_posix()
            archive.writestr(zipfile.ZipInfo(path, FIXED_TIME), data, compression)
    return stream.getvalue()


def unpacked(
    data: bytes, assignment: str, exercises: Exercises = UNKNOWN, depth: int = 0
) -> tuple[bytes, dict[str, bytes], list[str]]:
    """The notebook in a zip, the files beside it, and notes; bytes that are not a zip are the notebook.

    Raises:
        Unreadable: the zip is damaged or too large, or it is unclear which file is the notebook.
    """
    data = as_zip(data)
    if not data.startswith(ZIP):
        return data, {}, []
    if depth > MAX_DEPTH:
        raise Unreadable(f"The file is a zip in {depth} others; {ITSELF}.")
    try:
        inner, files, notes = _opened(data, assignment, exercises)
    except DAMAGED:
        raise Unreadable(f"The file is a zip that cannot be opened; {ITSELF}.") from None
    notebook, more, others = unpacked(inner, assignment, exercises, depth + 1)
    return notebook, files | more, [*notes, *others]


def _opened(data: bytes, assignment: str, exercises: Exercises) -> tuple[bytes, dict[str, bytes], list[str]]:
    stream = io.BytesIO(data)
    if directory_size(stream) > MAX_DIRECTORY:
        raise Unreadable(f"The file is a zip of too many files; {ITSELF}.")
    with zipfile.ZipFile(stream) as archive:
        members = {member.filename: member for member in archive.infolist()[:MAX_MEMBERS] if not member.is_dir()}
        looked = partial(_look, archive, members)
        order = newest({name: time_of(member) for name, member in members.items()})
        choice = chosen(list(members), assignment, looked, exercises, order)
        if choice.problem:
            raise Unreadable(f"The file is a zip. {choice.problem}")
        names, notes = beside({name: member.file_size for name, member in members.items()}, choice.name)
        notebook = _read(archive, members[choice.name], MAX_BYTES)
        folder = PurePosixPath(choice.name).parent
        relative = {name: PurePosixPath(name).relative_to(folder).as_posix() for name in names}
        files = {relative[name]: _read(archive, members[name], MAX_BESIDE) for name in names}
    return notebook, files, [*choice.notes, *notes]


def time_of(member: zipfile.ZipInfo) -> tuple[int, ...]:
    """When the file was last changed; empty if the archive does not say."""
    return member.date_time if member.date_time > FIXED_TIME else ()


def _look(archive: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], name: str) -> Content:
    if members[name].file_size > MAX_BYTES:
        return UNSEEN
    try:
        return look(_read(archive, members[name], MAX_BYTES))
    except DAMAGED:
        return Content(is_broken=True)


def directory_size(file: IO[bytes]) -> int:
    """The stated size in bytes of the zip's directory, which Python would read at once; 0 if it is no zip."""
    file.seek(max(0, file.seek(0, os.SEEK_END) - 2**16 - 22))
    tail = file.read()
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or len(tail) < end + 22:
        return 0
    size = int.from_bytes(tail[end + 12 : end + 16], "little")
    return 2**40 if size == 2**32 - 1 else size


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo, limit: int) -> bytes:
    with archive.open(member) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise Unreadable(f"The zip holds a file of more than {limit >> 20} MiB; clear the outputs.")
    return data


def laid_out(files: Mapping[str, bytes]) -> str:
    """Source of a cell that writes the files into its working directory."""
    texts = {name: base64.b64encode(data).decode("ascii") for name, data in files.items()}
    return (
        "def _lay_out(files):\n"
        "    import base64, pathlib\n\n"
        "    for name, text in files.items():\n"
        "        path = pathlib.Path(name)\n"
        "        path.parent.mkdir(parents=True, exist_ok=True)\n"
        "        path.write_bytes(base64.b64decode(text))\n\n\n"
        f"_lay_out({json.dumps(texts)})\ndel _lay_out\n"
    )
