"""What a box shows of this machine: of /usr, /opt and the environment what is listed, wherever Python is installed."""

import os
import sys
from importlib import metadata
from pathlib import Path

import pytest
from learners import ROOT, misses

from autograder.sandbox import distributions, libraries, needs
from autograder.sandbox.elf import links

ASIDE = "import os\nprint(sorted(os.listdir({!r})))"
NAMES = "import importlib.util\nprint([name for name in {!r} if importlib.util.find_spec(name)])"
PRINTED = "import subprocess, sys\nprint(subprocess.run({}, capture_output=True, text=True).stdout.strip())"
LEARNERS = ["torch", "numpy", "matplotlib", "ipywidgets", "anywidget", "tqdm", "sacrebleu", "IPython", "zoneinfo"]
GRADERS = ["nbgrader", "nbformat", "pytest", "sqlalchemy", "jupyterlab", "learn", "book", "seq2seq.scorers"]
MODULES = "bz2", "ctypes", "curses", "hashlib", "lzma", "readline", "sqlite3", "ssl", "uuid", "zlib"
SEES = {
    "what learners may import": (NAMES.format(LEARNERS), str(LEARNERS)),
    "what only graders need": (NAMES.format(GRADERS), "[]"),
    "the standard library": (f"import {', '.join(MODULES)}\nprint(zlib.crc32(b'x'))", "2363233923"),
    "versions": ("from importlib.metadata import version\nprint(version('torch'))", metadata.version("torch")),
    "another Python of its own": (
        PRINTED.format("[sys.executable, '-c', 'import torch; print(torch.ones(1).sum())']"),
        "tensor(1.)",
    ),
    "times of other places": (
        "import datetime, zoneinfo\nprint(zoneinfo.ZoneInfo('Asia/Tokyo').tzname(datetime.datetime(2020, 7, 1)))",
        "JST",
    ),
    "letters of other languages": (PRINTED.format("['sh', '-c', 'echo é']"), "é"),
    "a shell and small programs": ("x = !printf 'b\\na\\n' | sort | head -1\nprint(x[0])", "a"),
    "a cell in bash": ("%%bash\necho $((1 + 1))", "2"),
    "no other programs": ("x = !git --version\nprint('not found' in x[0])", "True"),
    "nothing else of /usr": (ASIDE.format("/usr/share"), "['zoneinfo']"),
    "nothing of other people": (ASIDE.format("/usr/local"), "FileNotFoundError"),
    "nothing that was installed into the interpreter": (
        "import os, sysconfig\nprint(os.listdir(sysconfig.get_path('stdlib') + '/site-packages'))",
        ("[]", "FileNotFoundError"),
    ),
    "nothing of /opt": (ASIDE.format("/opt"), "FileNotFoundError"),
}


@pytest.mark.sandbox
def test_a_box_has_what_notebooks_ask_for_and_nothing_else(learner):
    assert misses(learner(), SEES) == {}


def test_none_of_what_is_shown_is_a_folder_that_others_write_into():
    names = distributions.packages().entries
    folders = {path for path in needs.needs().shown.values() if path.is_dir()}
    assert not {Path(path) for path in ("/", "/usr", "/usr/lib", "/usr/local", "/opt", sys.prefix)} & folders
    assert not any(name.startswith(("seq2seq", "autograder", "learn", "book")) for name in names)


def test_an_interpreter_below_tmp_is_refused(monkeypatch):
    monkeypatch.setattr(needs, "INTERPRETER", Path("/tmp/python/bin/python3.11"))
    with pytest.raises(needs.SandboxUnavailable, match="cannot use one below /tmp"):
        needs.needs.__wrapped__()


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of packages; ``site(name, requires, files)`` installs one as pip does, or as Debian does: no files."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(name, requires=(), files=()):
        folder = tmp_path / f"{name.replace('-', '_')}-1.dist-info"
        folder.mkdir()
        lines = [f"Requires-Dist: {requirement}\n" for requirement in requires]
        (folder / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n{''.join(lines)}\nRequires-Dist: no"
        )
        if files:
            (folder / "RECORD").write_text("".join(f"{file},sha256=x,7\n" for file in files))
        return tmp_path

    return install


def test_the_closure_follows_requirements_and_the_extras_that_are_asked_for(site):
    site("course-a", ["course_b[Fast_er] >=1; python_version > '3'", "course-missing", "course-c ; extra == 'test'"])
    site(
        "course-b",
        ["course-d; extra == 'fast-er'", "course-e; (sys_platform == 'linux') and extra == \"slow\"", "course-a"],
    )
    for name in ("course-c", "course-d", "course-e"):
        site(name)
    names = {distribution.metadata["Name"] for distribution in distributions.closure(["Course.A~=1.0"])}
    assert names == {"course-a", "course-b", "course-d"}


FILES = [
    *("../../bin/x", "__pycache__/one.pyc", "one.py", "x.pth", "pack/__init__.py", '"pack/a,b.txt"'),
    "pack/c.cpython-311.so",
]


def test_entries_are_what_a_distribution_lists_or_of_debians_what_its_name_leads_to(site, monkeypatch):
    site("course-f", files=[*FILES, "pack.libs/libx-1.so.5.0"])
    folder = site("course-g")
    (folder / "course_g").mkdir()
    (folder / "course_g" / "core.so").touch()
    monkeypatch.setattr(distributions, "declared", lambda: ["course-f", "course-g"])
    monkeypatch.setattr(distributions, "OF_THE_WORKER", ())
    listed = distributions.packages.__wrapped__()
    assert {*listed.entries} == {"one.py", "pack", "pack.libs", "course_g"}
    assert {*listed.libraries} == {"pack/c.cpython-311.so", "pack.libs/libx-1.so.5.0", "course_g/core.so"}


def test_the_interpreters_libraries_are_found_as_the_loader_finds_them():
    program = Path(sys.executable).resolve()
    shown = libraries.libraries({str(program): program})
    assert links(program).loader
    assert {"libc.so.6", os.path.basename(links(program).loader)} <= {os.path.basename(path) for path in shown}
    assert all(path.is_file() for path in shown.values())
    assert links(ROOT / "pyproject.toml").needed == ()


def test_a_library_beside_a_package_is_looked_for_where_the_package_is_in_the_box(tmp_path):
    """As conda has it: numpy finds its BLAS four folders above."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libblas.so.3").touch()
    paths = libraries.beside("libblas.so.3", "/venv/lib/p/core.so", tmp_path / "lib" / "p" / "core.so", ["$ORIGIN/.."])
    assert paths == [("/venv/lib/libblas.so.3", tmp_path / "lib" / "libblas.so.3")]
    assert libraries.beside("libm.so.6", "/venv/lib/p/core.so", tmp_path / "core.so", ["${ORIGIN}/../none"]) == []


def test_a_gpu_box_has_the_drivers_libraries_too(monkeypatch, tmp_path):
    driver = tmp_path / "libcuda.so.1"
    driver.touch()
    monkeypatch.setattr(libraries, "in_cache", lambda: {"libcuda.so.1": (str(driver),)})
    assert libraries.libraries({}, gpu=True) == {str(driver): driver}
    assert libraries.libraries({}) == {}
