import pytest
import torch

from seq2seq.corpora.drawings import CELL, COLOURS, FORMS, GRID, SIDE, Shape, describe, drawings, paint

SHAPES = (Shape("red", "circle", 4, 0), Shape("blue", "square", 4, 2, 1, 0), Shape("green", "cross", 6, 5, 0, 1))


@pytest.fixture(scope="module")
def corpus():
    return drawings(300, seed=5)


def test_the_caption_of_a_drawing_made_by_hand():
    caption = "a red circle left of a blue square above a green cross"
    assert " ".join(describe(SHAPES).caption) == caption


def test_the_links_of_a_drawing_made_by_hand():
    red, blue, green = 28, 30, 47
    names = {(red, 1), (red, 2), (blue, 6), (blue, 7), (green, 10), (green, 11)}
    relations = {(red, 3), (blue, 3), (red, 4), (blue, 4), (blue, 8), (green, 8)}
    assert describe(SHAPES).links == names | relations
    assert describe(SHAPES).names == names


def test_a_shape_higher_up_is_above_and_one_lower_down_below():
    assert "below" in describe((Shape("red", "ring", 3, 1), Shape("red", "ring", 2, 2))).caption
    assert "above" in describe((Shape("red", "ring", 2, 1), Shape("red", "ring", 3, 2))).caption


def test_every_colour_and_form_and_relation_occurs(corpus):
    words = {word for drawing in corpus for word in drawing.caption}
    assert words == {"a", "left", "of", "above", "below", *COLOURS, *FORMS}


def test_the_numbers_of_shapes_are_those_asked_for(corpus):
    assert {len(drawing.shapes) for drawing in corpus} == {2, 3, 4}
    assert {len(drawing.shapes) for drawing in drawings(50, 5, (6, 6))} == {6}


def test_a_named_region_holds_the_named_colour(corpus):
    for drawing in corpus[:50]:
        picture = paint(drawing)
        for region, position in drawing.names:
            if drawing.caption[position] in COLOURS:
                row, column = divmod(region, GRID)
                cell = picture[:, row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL].flatten(1)
                colour = torch.tensor(COLOURS[drawing.caption[position]]).unsqueeze(1)
                assert (cell == colour).all(0).sum() >= 9


def test_all_else_is_white(corpus):
    for drawing in corpus[:50]:
        cells = paint(drawing).unfold(1, CELL, CELL).unfold(2, CELL, CELL)  # (3, GRID, GRID, CELL, CELL)
        drawn = (cells < 1).any(0).flatten(2).any(-1).flatten().nonzero().flatten().tolist()
        assert set(drawn) == {shape.region for shape in drawing.shapes}


def test_no_two_forms_look_alike():
    pictures = [paint(describe((Shape("red", form, 2, 3),))) for form in FORMS]
    assert not any(one.equal(other) for i, one in enumerate(pictures) for other in pictures[:i])


def test_a_picture_is_colours_by_rows_by_columns():
    picture = paint(describe((Shape("red", "square", 1, 4),)))
    assert picture.shape == (3, SIDE, SIDE)
    assert picture[0, CELL, 4 * CELL].item() == pytest.approx(0.9)
    assert picture[0, 4 * CELL, CELL].item() == 1


def test_a_seed_repeats_the_drawings(corpus):
    assert drawings(300, seed=5) == corpus
    assert drawings(300, seed=6) != corpus


@pytest.mark.parametrize("shapes", [(0, 2), (3, 2), (2, 8)])
def test_a_range_that_does_not_fit_the_grid_is_refused(shapes):
    with pytest.raises(ValueError, match="shapes"):
        drawings(1, 0, shapes)


def test_shapes_out_of_order_are_refused():
    with pytest.raises(ValueError, match="left to right"):
        describe(SHAPES[::-1])
