"""Tar archives and compressed files: an archive becomes a zip, a compressed file what it holds."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

from autograder.notebook_files.file_text import MAX_BYTES, Unreadable

COMPRESSED: dict[bytes, Callable[[io.BytesIO], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
}
ZIP = b"PK\x03\x04"
MAX_MEMBERS = 2000
MAGIC, AT = b"ustar", 257  # of a tar
# What Python raises for an archive that is damaged, protected, or packed in a way that it does not know.
DAMAGED = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error),
    *(OSError, EOFError, ValueError, RuntimeError),
)


def is_packed(data: bytes) -> bool:
    return data.startswith((ZIP, *COMPRESSED)) or data[AT : AT + len(MAGIC)] == MAGIC


def as_zip(data: bytes) -> bytes:
    """A tar as a zip of its files, a compressed file as what it holds, anything else as it is.

    Raises:
        Unreadable: it is damaged or too large.
    """
    try:
        for magic, opened in COMPRESSED.items():
            if data.startswith(magic):
                data = opened(io.BytesIO(data)).read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise Unreadable(f"The archive holds more than {MAX_BYTES >> 20} MiB; clear the outputs.")
        return _zipped(data) if data[AT : AT + len(MAGIC)] == MAGIC else data
    except DAMAGED:
        raise Unreadable("The file is an archive that cannot be opened; hand in the .ipynb file itself.") from None


def _zipped(data: bytes) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(data)) as packed, zipfile.ZipFile(stream, "w") as archive:
        for number, member in enumerate(packed):
            if number == MAX_MEMBERS:
                raise Unreadable("The file is an archive of too many files; hand in the .ipynb file itself.")
            file = packed.extractfile(member) if member.isreg() else None  # links are not followed
            if file is not None:
                archive.writestr(zipfile.ZipInfo(member.name.removeprefix("./")), file.read())
    return stream.getvalue()
