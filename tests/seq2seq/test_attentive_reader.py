import json
import math

import pytest
import torch
from torch.nn import functional as F

from seq2seq.beyond.attentive_reader import AttentiveReader
from seq2seq.corpora.anonymous import MARKERS, anonymous, reading_vocabulary, readings
from seq2seq.corpora.stories import PEOPLE, PLACES, Story, where_is_the_person
from seq2seq.experiments import reading

BATCH, WORDS, QUESTION_WORDS, VOCAB = 3, 7, 4, 11
LENGTHS, QUESTION_LENGTHS = torch.tensor([7, 5, 2]), torch.tensor([3, 4, 1])
STORIES = where_is_the_person(40, 3)


@pytest.fixture
def reader():
    torch.manual_seed(0)
    return AttentiveReader(VOCAB, embedding_size=3, hidden_size=2).double()


@pytest.fixture
def arguments():
    generator = torch.Generator().manual_seed(1)
    text = torch.randint(4, VOCAB, (BATCH, WORDS), generator=generator)
    question = torch.randint(4, VOCAB, (BATCH, QUESTION_WORDS), generator=generator)
    return text, LENGTHS, question, QUESTION_LENGTHS


def test_the_reader_equals_its_loop(reader, arguments):
    logits, weights = reader(*arguments)
    states, _ = reader.text_encoder(*arguments[:2])
    _, queries = reader.question_encoder(*arguments[2:])
    scorer = reader.attention.scorer
    for row in range(BATCH):
        query = queries[row]
        energies = [
            (
                scorer.energy_layer.weight
                @ torch.tanh(scorer.query_layer.weight @ query + scorer.key_layer.weight @ state)
            ).item()
            for state in states[row, : LENGTHS[row]]
        ]
        total = sum(map(math.exp, energies))
        context = torch.zeros_like(query)
        for t, energy in enumerate(energies):
            assert weights[row, t].item() == pytest.approx(math.exp(energy) / total)
            context += math.exp(energy) / total * states[row, t]
        joint = torch.tanh(
            reader.text_layer.weight @ context + reader.question_layer.weight @ query + reader.question_layer.bias
        )
        torch.testing.assert_close(logits[row], reader.answer_layer.weight @ joint + reader.answer_layer.bias)


def test_more_padding_changes_nothing(reader, arguments):
    text, lengths, question, question_lengths = arguments
    logits, weights = reader(*arguments)
    more, more_weights = reader(F.pad(text, (0, 3)), lengths, F.pad(question, (0, 2)), question_lengths)
    torch.testing.assert_close(more, logits)
    torch.testing.assert_close(more_weights, F.pad(weights, (0, 3)))


def test_each_story_is_read_as_if_alone(reader, arguments):
    logits, _ = reader(*arguments)
    for row in range(BATCH):
        alone, _ = reader(*(tensor[row : row + 1] for tensor in arguments))
        torch.testing.assert_close(alone[0], logits[row])


def test_gradients_reach_every_parameter_and_are_right(reader, arguments):
    parameters = tuple(reader.parameters())
    assert torch.autograd.gradcheck(lambda *_: reader(*arguments)[0].sum(), parameters)
    reader(*arguments)[0].square().sum().backward()
    assert all(parameter.grad.abs().sum() > 0 for parameter in parameters)


def test_text_and_question_share_the_embedding(reader):
    assert reader.question_encoder.embedding is reader.text_encoder.embedding


def test_an_anonymous_story_keeps_its_shape_and_its_answer():
    named = {*PEOPLE, *PLACES}
    for story, hidden in zip(STORIES, anonymous(STORIES, 5), strict=True):
        markers = {}
        for words, others in zip((*story.sentences, story.question), (*hidden.sentences, hidden.question), strict=True):
            for word, other in zip(words, others, strict=True):
                assert (other in MARKERS) == (word in named)
                assert markers.setdefault(word, other) == other
        assert len(set(markers.values())) == len(markers)
        assert hidden.answer == markers[story.answer]
        assert hidden.support == story.support


def test_a_marker_means_something_else_in_every_story():
    hidden = anonymous([STORIES[0]] * 50, 5)
    assert len({story.answer for story in hidden}) > 5


def test_no_word_of_a_reading_is_unknown():
    batch = readings(anonymous(STORIES, 5), reading_vocabulary())
    assert not (batch.text == reading_vocabulary().encode(["?"])[0]).any()


def test_the_support_covers_the_words_of_the_telling_sentence():
    story = Story((("@1", "runs"), ("@2", "walks", "to", "the", "@3")), ("where", "is", "@2"), "@3", (1,))
    batch = readings([story], reading_vocabulary())
    assert batch.support.tolist() == [[False] * 2 + [True] * 5]
    assert batch.text_lengths.tolist() == [7]


def test_no_stories_are_refused():
    with pytest.raises(ValueError, match="stories: got none"):
        readings([], reading_vocabulary())


def test_the_experiment_compares_two_readers_of_one_size(tmp_path):
    reading.main(["--quick", "--out", str(tmp_path)])
    report = json.loads((tmp_path / "reading.json").read_text())
    assert list(report["models"]) == list(reading.READERS)
    run = report["models"]["mean"][0]
    assert run["weight_on_support"] == pytest.approx(run["support_by_chance"], abs=1e-3)
    assert run["moved_by_the_question"] == pytest.approx(0, abs=1e-3)


def test_the_kept_reader_answers():
    stories = readings(anonymous(STORIES, 6), reading_vocabulary())
    assert reading.evaluate(reading.load_trained(), stories)["accuracy"] > 0.8
