"""What a button says, and what it cannot be made to say."""

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.match_actions import MatchAction, Press

ids = st.integers(0, 2**63 - 1)
versions = st.integers(0, 10**9 - 1)
presses = st.one_of(
    st.builds(
        Press,
        ids,
        versions,
        st.sampled_from([MatchAction.PLAY, MatchAction.HINT]),
        st.integers(0, 24),
    ),
    st.builds(Press, ids, versions, st.sampled_from([*MatchAction][1:]), st.none()),
)


@given(presses)
def test_a_press_survives_being_written_on_a_button(press: Press) -> None:
    assert Press.parse(str(press)) == press
    assert len(str(press)) <= 100


@given(st.one_of(st.text(), st.from_regex(r"velha:[0-9:a-z]*")))
def test_any_text_is_a_press_or_nothing(text: str) -> None:
    press = Press.parse(text)
    assert press is None or Press.parse(str(press)) == press


def test_numbers_too_large_for_the_database_are_not_ours() -> None:
    assert Press.parse(f"velha:{2**63}:0:resign") is None


def test_a_cell_comes_with_playing_and_may_with_a_hint_and_with_nothing_else() -> None:
    assert Press.parse("velha:1:0:play") is None
    assert Press.parse("velha:1:0:resign:4") is None
    assert Press.parse("velha:1:0:hint:4") == Press(1, 0, MatchAction.HINT, 4)
    assert Press.parse("velha:1:0:hint") == Press(1, 0, MatchAction.HINT)
    assert Press.parse("velha:1:0:play:4") == Press(1, 0, MatchAction.PLAY, 4)
