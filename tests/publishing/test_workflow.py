"""A tag publishes the book and the package: what the workflow does, as far as it can be told without GitHub."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from small_course import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
JOBS = yaml.safe_load((ROOT / ".github" / "workflows" / "publish.yml").read_text("utf-8"))["jobs"]


def script(job: str, word: str) -> str:
    """What the job's one step with this word runs."""
    (text,) = [step["run"] for step in JOBS[job]["steps"] if word in step.get("run", "")]
    return text


def run(text: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """As GitHub runs a step: by bash, which stops where a command fails."""
    line = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", text]
    return subprocess.run(line, cwd=folder, env=os.environ | variables, capture_output=True, text=True)


def test_each_has_the_form_of_a_workflow():
    line = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_only_a_tag_publishes_and_each_job_may_do_its_own_part_alone():
    workflow = yaml.load((ROOT / ".github" / "workflows" / "publish.yml").read_text("utf-8"), Loader=yaml.BaseLoader)
    assert workflow["on"] == {"push": {"tags": ["v*"]}}
    assert workflow["permissions"] == {}
    rights = {name: job["permissions"] for name, job in JOBS.items()}
    assert rights == {
        "build": {"contents": "read"},
        "package": {"id-token": "write"},  # trusted publishing: PyPI asks GitHub who it is
        "book": {"id-token": "write", "pages": "write"},
        "branch": {"contents": "write"},
    }
    assert "secrets." not in (ROOT / ".github" / "workflows" / "publish.yml").read_text("utf-8")
    assert {name: job.get("needs") for name, job in JOBS.items()} == dict.fromkeys(JOBS, "build") | {"build": None}
    for target in script("build", "make").split()[1:]:
        assert f"\n{target}: " in (ROOT / "Makefile").read_text("utf-8")


@pytest.mark.parametrize(
    ("baseurl", "tag", "says"),
    [
        ("https://ada.github.io/course/", "v1.2", ""),
        ("https://learning-to-align.example.org/", "v1.2", "baseurl is nobody's"),
        ("https://ada.github.io/course/", "v1.3", 'the tag is v1.3, pyproject.toml has version = "1.2"'),
    ],
)
def test_neither_a_placeholder_nor_another_version_is_published(tmp_path, baseurl, tag, says):
    (tmp_path / "_config.yml").write_text(f"html:\n  baseurl: {baseurl}   # example.org is nobody's\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "course"\nversion = "1.2"\n')
    done = run(script("build", "GITHUB_REF_NAME"), tmp_path, GITHUB_REF_NAME=tag)
    assert done.returncode == (1 if says else 0), done.stderr
    assert says in done.stdout


def test_the_branch_holds_the_book_and_nothing_else(tmp_path):
    """Pushed into a repository that stands where GitHub's would."""
    book, there = tmp_path / "book", tmp_path / "there.git"
    (book / "_static").mkdir(parents=True)
    (book / "index.html").write_text("the book")
    (book / "_static" / "course.css").write_text("a {}")
    work = tmp_path / "work"
    work.mkdir()
    subprocess.run(["tar", "--create", "--file", work / "artifact.tar", "--directory", book, "."], check=True)
    subprocess.run(["git", "init", "--quiet", "--bare", there], check=True)
    text = script("branch", "git push")
    address = '"https://x-access-token:$TOKEN@github.com/$GITHUB_REPOSITORY"'
    assert address in text
    variables = {"GITHUB_REF_NAME": "v1.2", "GITHUB_ACTOR": "ada", "GIT_CONFIG_GLOBAL": os.devnull}
    for _ in range(2):  # a second release replaces the first
        done = run(text.replace(address, str(there)), work, **variables)
        assert done.returncode == 0, done.stderr
        subprocess.run(["rm", "-r", work / "html"], check=True)
    show = ["git", "--git-dir", there, "ls-tree", "-r", "--name-only", "gh-pages"]
    assert subprocess.run(show, capture_output=True, text=True).stdout.split() == ["_static/course.css", "index.html"]


def test_what_the_launch_buttons_open_is_what_the_workflow_pushes():
    options = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]["config"]["html_theme_options"]
    assert urlsplit(options["repository_url"]).hostname == "github.com"
    assert f"--initial-branch {options['repository_branch']}\n" in script("branch", "git push")
