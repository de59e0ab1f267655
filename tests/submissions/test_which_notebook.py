import pytest

from autograder.submissions.which_notebook import chosen


@pytest.mark.parametrize(
    "names",
    [
        ["a.ipynb"],
        ["a.ipynb", "a (1).ipynb", "scratch.ipynb", "a.py"],
        [".ipynb_checkpoints/a-checkpoint.ipynb", "a.ipynb"],
    ],
)
def test_the_right_name_comes_first(names):
    assert chosen(names, "a").name == "a.ipynb"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "a (1).ipynb",
            "a-Copy1.ipynb",
            "a - Copy.ipynb",
            "Copy of a.ipynb",
            "a_(2).ipynb",
            "a(copy).ipynb",
            "A.ipynb",
        ),
        *("a.IPYNB", "a.ipynb.txt", "a.ipynb.json", "a-checkpoint.ipynb", "mine.ipynb", "a/a.ipynb", "x/y/mine.ipynb"),
        *(".ipynb_checkpoints/a-checkpoint.ipynb", "a.py", "x/a.py"),
    ],
)
def test_a_file_that_can_only_be_meant_is_taken_and_noted(name):
    choice = chosen([name, "data.csv", "readme.txt"], "a")
    assert choice.name == name
    assert choice.notes == (f"The notebook was called {name!r}; it was read as 'a.ipynb'.",)


@pytest.mark.parametrize(
    ("names", "taken"),
    [
        (["a (1).ipynb", "a (2).ipynb"], "a (2).ipynb"),
        (["a-Copy9.ipynb", "a-Copy10.ipynb"], "a-Copy10.ipynb"),
        (["a (1).ipynb", "mine.ipynb"], "a (1).ipynb"),
        (["mine.ipynb", "x/a.ipynb"], "mine.ipynb"),
        (["x/a.ipynb", "x/mine.ipynb"], "x/a.ipynb"),
    ],
)
def test_of_several_the_nearest_and_latest_is_taken(names, taken):
    assert chosen(names, "a").name == taken


def test_notebooks_that_are_not_graded_are_told():
    choice = chosen(["a.ipynb", "scratch.ipynb", "helpers.py"], "a")
    assert choice.notes == ("Only 'a.ipynb' was graded; also handed in: 'scratch.ipynb'.",)


@pytest.mark.parametrize("names", [["b.ipynb", "c.ipynb"], ["x/a.ipynb", "y/a.ipynb"], ["A.ipynb", "a.IPYNB"]])
def test_where_two_are_equally_near_none_is_taken(names):
    assert "None of the notebooks" in chosen(names, "a").problem


@pytest.mark.parametrize(
    "names", [[], ["readme.txt"], ["other.py"], ["__MACOSX/._a.ipynb"], [".a.ipynb"], [".git/a.ipynb"]]
)
def test_where_there_is_none_none_is_taken(names):
    assert chosen(names, "a").problem == "No notebook was handed in."
