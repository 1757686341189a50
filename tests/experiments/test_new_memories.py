"""Words of a project for new memories of a finished model."""

from experiments.new_memories import topic_of, words_by_source


def test_a_source_word_is_offered_the_words_of_its_pairs():
    pairs = [("网关转发请求", "The gateway forwards requests."), ("网关已停止", "The gateway has stopped.")]
    words = words_by_source([*pairs, ("请求失败", "The request failed.")])
    assert words["网关"] == ["gateway"] and "转发" not in words  # one pair is not enough
    assert [word for word, _ in topic_of("重启网关", words).words] == ["gateway"]
