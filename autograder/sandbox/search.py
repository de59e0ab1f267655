"""What a box shows: a program that runs in one, of which nothing else of the project needs to be there.

It prints the digest and the path of every file that is as large as one of those in question.
"""

import os
import sys
from collections.abc import Iterator
from hashlib import blake2b

OF_THE_KERNEL = ("/proc", "/sys", "/dev")
END = "all"  # the last line


def files(folder: str) -> Iterator[tuple[int, str]]:
    """Size and path of all files below a folder; links are not followed: what they lead to has a path of its own."""
    folders = [folder]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders += [entry.path] * (entry.path not in OF_THE_KERNEL)
                    elif entry.is_file(follow_symlinks=False):
                        yield entry.stat(follow_symlinks=False).st_size, entry.path
        except OSError:  # gone, or not ours to read, and in a box a learner is the same user
            continue


def digest(path: str) -> str:
    with open(path, "rb") as file:
        return blake2b(file.read(), digest_size=16).hexdigest()


def main() -> None:
    with open(sys.argv[1]) as listed:
        sizes = frozenset(map(int, listed.read().split()))
    for size, path in files("/"):
        if size in sizes:
            try:
                print(size, digest(path), ascii(path))
            except OSError:  # as above
                continue
    print(END)


if __name__ == "__main__":
    main()
