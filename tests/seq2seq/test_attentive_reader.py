from seq2seq.beyond.attentive_reader import AttentiveReader
from seq2seq.corpora.anonymous import MARKERS, anonymous, reading_vocabulary, readings
from seq2seq.corpora.stories import PEOPLE, PLACES, Story, where_is_the_person
from seq2seq.experiments import reading

STORIES = where_is_the_person(40, 3)


def test_text_and_question_share_the_embedding():
    reader = AttentiveReader(11, embedding_size=3, hidden_size=2)
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


def test_a_marker_means_something_else_in_every_story_and_no_word_of_a_reading_is_unknown():
    assert len({story.answer for story in anonymous([STORIES[0]] * 50, 5)}) > 5
    batch = readings(anonymous(STORIES, 5), reading_vocabulary())
    assert not (batch.text == reading_vocabulary().encode(["?"])[0]).any()


def test_the_support_covers_the_words_of_the_telling_sentence():
    story = Story((("@1", "runs"), ("@2", "walks", "to", "the", "@3")), ("where", "is", "@2"), "@3", (1,))
    batch = readings([story], reading_vocabulary())
    assert batch.support.tolist() == [[False] * 2 + [True] * 5]
    assert batch.text_lengths.tolist() == [7]


def test_the_kept_reader_answers():
    stories = readings(anonymous(STORIES, 6), reading_vocabulary())
    assert reading.evaluate(reading.load_trained(), stories)["accuracy"] > 0.8
