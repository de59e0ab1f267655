"""A notebook and the small files beside it as one zip, which learners may also submit themselves."""

import base64
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from autograder.submissions.archive import MAX_DIRECTORY, Refused, directory_size
from autograder.submissions.file_text import MAX_BYTES, Unreadable
from autograder.submissions.which_notebook import NOTEBOOK, chosen, listed

MAX_FILES = 50
MAX_BESIDE = 2**20  # bytes of all files beside a notebook
MAX_MEMBERS = 2000
ORDINARY = re.compile(r"[\w][\w .()+-]{0,100}")
FIXED_TIME = (1980, 1, 1, 0, 0, 0)  # so that the same files give the same bytes
NBGRADER_FILES = ("timestamp.txt", "submission_secret.txt")  # files of its exchange that no notebook needs
SIGNATURE = b"PK\x03\x04"


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
        is_beside = path.is_relative_to(folder) and path.name not in NBGRADER_FILES and not NOTEBOOK.search(name)
        if name == notebook or not is_beside or not all(ORDINARY.fullmatch(part) for part in path.parts):
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


def packed(notebook: str, files: Iterable[tuple[str, bytes]]) -> bytes:
    """The files, including the notebook, as a zip; paths are relative to the notebook's folder."""
    folder = PurePosixPath(notebook).parent
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(PurePosixPath(name).relative_to(folder).as_posix(), FIXED_TIME), data)
    return stream.getvalue()


def unpacked(data: bytes, assignment: str) -> tuple[bytes, dict[str, bytes], list[str]]:
    """The notebook in a zip, the files beside it, and notes; bytes that are not a zip are the notebook.

    Raises:
        Unreadable: the zip is damaged or too large, or it is unclear which file is the notebook.
    """
    if not data.startswith(SIGNATURE):
        return data, {}, []
    stream = io.BytesIO(data)
    try:
        if directory_size(stream) > MAX_DIRECTORY:
            raise Unreadable("The file is a zip of too many files; hand in the .ipynb file itself.")
        with zipfile.ZipFile(stream) as archive:
            members = {member.filename: member for member in archive.infolist()[:MAX_MEMBERS] if not member.is_dir()}
            choice = chosen(list(members), assignment)
            if choice.problem:
                raise Unreadable(f"The file is a zip. {choice.problem}")
            sizes = {name: member.file_size for name, member in members.items()}
            names, notes = beside(sizes, choice.name)
            notebook = _read(archive, members[choice.name], MAX_BYTES)
            folder = PurePosixPath(choice.name).parent
            files = {
                PurePosixPath(name).relative_to(folder).as_posix(): _read(archive, members[name], MAX_BESIDE)
                for name in names
            }
    except (Refused, zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, NotImplementedError):
        raise Unreadable("The file is a zip that cannot be opened; hand in the .ipynb file itself.") from None
    return notebook, files, [*choice.notes, *notes]


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
