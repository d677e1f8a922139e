"""The tutorial on minimax: what the engine says of a page, and the picture drawn of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bot.domain.matches import Match
from bot.domain.refusals import Refusal
from bot.domain.tree_diagram import (
    Diagram,
    DiagramNode,
    alpha_diagram,
    answered_diagram,
    beta_diagram,
    half_read_diagram,
    one_level_diagram,
    pruned_diagram,
)
from bot.domain.tutorial import (
    DEPTH_LIMIT_GAMES,
    EXAMPLE_GAME,
    SLOW_WIN_GAME,
    BotOverview,
    Chapter,
    DepthLimitDemo,
    FastestWin,
    HintConfirmation,
    OwnTree,
    PruningDemo,
    SearchComparison,
    TreeWalk,
    TutorialContent,
    TutorialPage,
    shows_answer,
    walk_diagram,
)
from bot.runtime.deadlines import Deadlines
from bot.runtime.engine_pool import EnginePool
from bot.runtime.executor import Executor, for_answer
from bot.runtime.latest_jobs import LatestJobs
from bot.runtime.worker_process import call_by_name
from bot.store.matches import count_hint
from bot.store.store import Store
from engine import (
    Board,
    Record,
    advise,
    game_tree,
    guess_moves,
    look_ahead,
    search_each_way,
)

_DRAW = "bot.services.tree_picture:draw"
"""Named, not imported: only the worker process needs the library that it draws with."""

_MIN_FREE_CELLS = 3
"""With fewer free cells the game tree is too small to learn from."""


class TutorialService:
    """The pages of the tutorial, and the matches that it can be about."""

    def __init__(
        self,
        store: Store,
        executor: Executor,
        engine: EnginePool,
        latest_jobs: LatestJobs,
        deadlines: Deadlines,
    ) -> None:
        self.executor = executor
        self._database = store.database
        self._matches = store.matches
        self._engine = engine
        self._latest_jobs = latest_jobs
        self._deadlines = deadlines

    async def page(
        self, page: TutorialPage, *, user_id: int, interaction_id: int, is_counted: bool = False
    ) -> TutorialContent | Refusal:
        """The content of a page, unless the person has asked for another meanwhile.

        A page that `is_counted` as a hint already is shown in any case.

        Raises:
            UnavailableError: The engine is overloaded, or the bot is shutting down.
        """
        job = partial(page_content, page, self._engine)
        if is_counted:
            return await job()
        return await self._latest_jobs.run(job, user_id=user_id, interaction_id=interaction_id)

    @for_answer
    def record_for_lesson(
        self, *, channel_id: int, user_id: int, interaction_id: int, as_hint: bool = False
    ) -> Record | HintConfirmation | None:
        """The game in progress in a channel; None if it is not one to learn from.

        A game between two people is not analysed. A person who plays the bot themselves is asked
        first, because it counts as a hint; `as_hint` says that they agreed. A game that was begun
        after the interaction is not meant.
        """
        while True:
            match = self._matches.live_in(channel_id)
            if match is None or match.is_between_people or self._deadlines.is_overdue(match):
                return None
            if match.id > interaction_id:
                return None
            if match.rules.repeats:  # its tree has no end
                return None
            if not match.moves or len(match.board.actions()) < _MIN_FREE_CELLS:
                return None
            is_own = match.mark_of(user_id) is not None
            if is_own and not as_hint:
                return HintConfirmation()
            if not is_own or self._count_hint(match):
                return match.record

    def _count_hint(self, match: Match) -> bool:
        with self._database.write() as connection:
            return count_hint(connection, match)


async def page_content(page: TutorialPage, engine: EnginePool) -> TutorialContent:
    """The content of a page."""
    content: TutorialContent
    match page.chapter:
        case Chapter.TREE | Chapter.NUMBERS:
            content = await _tree_walk(page, engine)
        case Chapter.ALPHA | Chapter.BETA | Chapter.PRUNING | Chapter.RULE | Chapter.SAVED:
            content = await _pruning_demo(page, engine)
        case Chapter.OWN_TREE:
            content = OwnTree(page)
        case Chapter.COMPARISON:
            content = await _search_comparison(page, engine)
        case Chapter.FASTEST_WIN:
            content = await _fastest_win(page, engine)
        case Chapter.LIMIT | Chapter.HORIZON:
            content = await _depth_limit_demo(page, engine)
        case Chapter.BOT:
            content = BotOverview(page)
    return content


async def _tree_walk(page: TutorialPage, engine: EnginePool) -> TreeWalk:
    verdicts = [] if page.board.is_terminal else await engine.advise(page.board)
    diagram = walk_diagram(page, verdicts)
    picture = None if diagram is None else await _render(diagram, engine)
    return TreeWalk(page, verdicts, picture)


async def _pruning_demo(page: TutorialPage, engine: EnginePool) -> PruningDemo:
    demo = PruningDemo(page, game_tree(EXAMPLE_GAME.boards[-1]))
    picture = await _render(_pruning_diagram(demo), engine)
    return replace(demo, picture=picture)


def _pruning_diagram(demo: PruningDemo) -> DiagramNode:
    tree = demo.tree
    is_answered = shows_answer(demo)
    match demo.page.chapter:
        case Chapter.ALPHA:
            return alpha_diagram(tree, is_answered=is_answered)
        case Chapter.BETA:
            return beta_diagram(tree, is_answered=is_answered)
        case Chapter.PRUNING if not is_answered:
            return half_read_diagram(tree)
        case Chapter.SAVED:
            return pruned_diagram(tree)
        case _:
            return answered_diagram(tree)


async def _search_comparison(page: TutorialPage, engine: EnginePool) -> SearchComparison:
    board = Board() if page.record == EXAMPLE_GAME else page.record.boards[-1]
    searches = await engine.run(search_each_way, board)
    return SearchComparison(page, board, searches)


async def _fastest_win(page: TutorialPage, engine: EnginePool) -> FastestWin:
    board = SLOW_WIN_GAME.boards[-1]
    verdicts = advise(board)
    win = FastestWin(page, verdicts)
    diagram = one_level_diagram(board, verdicts, verdicts[0].action, is_answered=shows_answer(win))
    return replace(win, picture=await _render(diagram, engine))


async def _depth_limit_demo(page: TutorialPage, engine: EnginePool) -> DepthLimitDemo:
    board = DEPTH_LIMIT_GAMES[page.chapter].boards[-1]
    glimpse = await engine.run(look_ahead, board, page.depth)
    guesses = {}
    if page.chapter is Chapter.LIMIT:
        guesses = await engine.run(guess_moves, board, page.depth)
    return DepthLimitDemo(page, board, glimpse, guesses)


async def _render(diagram: DiagramNode, engine: EnginePool) -> Diagram:
    """Draw a diagram in the process for lessons; the picture is cached as lessons are."""
    png = await engine.run(call_by_name, _DRAW, diagram)
    return Diagram(diagram, png)
