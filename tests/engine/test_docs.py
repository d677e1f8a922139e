"""The examples in the engine's docstrings are true."""

import doctest

import engine


def test_the_examples_of_the_front_door_are_true() -> None:
    results = doctest.testmod(engine)
    assert results.attempted > 0
    assert results.failed == 0
