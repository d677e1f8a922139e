"""The examples in the engine's docstrings are true."""

import doctest

import engine


def test_the_doctest_of_the_engine_package_passes() -> None:
    results = doctest.testmod(engine)
    assert results.attempted > 0
    assert results.failed == 0
