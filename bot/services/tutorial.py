"""The tutorial on minimax: what the engine says of a page, and the picture drawn of it."""

from __future__ import annotations

from bot.domain.tutorial import (
    DEPTH_LIMIT_GAMES,
    EXAMPLE_GAME,
    SLOW_WIN_GAME,
    BotOverview,
    Chapter,
    DepthLimitDemo,
    Diagram,
    DiagramNode,
    FastestWin,
    PruningDemo,
    SearchComparison,
    TreeWalk,
    TutorialContent,
    TutorialPage,
    answered_diagram,
    half_read_diagram,
    one_level_diagram,
    pruned_diagram,
    walk_diagram,
)
from bot.services.diagram import draw
from bot.services.engine import EnginePool
from engine import Board, Node, advise, game_tree, look_ahead, search_each_way


async def learn(page: TutorialPage, engine: EnginePool) -> TutorialContent:
    """The content of a page."""
    match page.chapter:
        case Chapter.TREE | Chapter.NUMBERS:
            return await _walk(page, engine)
        case Chapter.PRUNING | Chapter.SAVED:
            tree = game_tree(EXAMPLE_GAME.boards[-1])
            return PruningDemo(page, tree, await _picture(_pruned(page, tree), engine))
        case Chapter.COMPARISON:
            board = Board() if page.record == EXAMPLE_GAME else page.record.boards[-1]
            return SearchComparison(page, board, await engine.run(search_each_way, board))
        case Chapter.FASTEST_WIN:
            return await _sooner(page, engine)
        case Chapter.LIMIT | Chapter.HORIZON:
            board = DEPTH_LIMIT_GAMES[page.chapter].boards[-1]
            return DepthLimitDemo(page, board, await engine.run(look_ahead, board, page.depth))
        case Chapter.BOT:
            return BotOverview(page)


async def _walk(page: TutorialPage, engine: EnginePool) -> TreeWalk:
    board = page.board
    verdicts = (
        [] if board.is_terminal else await engine.run_unless_quick(board.rules, advise, board)
    )
    diagram = walk_diagram(page, verdicts)
    return TreeWalk(page, verdicts, await _picture(diagram, engine) if diagram else None)


async def _sooner(page: TutorialPage, engine: EnginePool) -> FastestWin:
    board = SLOW_WIN_GAME.boards[-1]
    verdicts = advise(board)
    diagram = one_level_diagram(
        board, verdicts, verdicts[0].action, is_answered=page.answer is not None
    )
    return FastestWin(page, verdicts, await _picture(diagram, engine))


def _pruned(page: TutorialPage, tree: Node) -> DiagramNode:
    if page.chapter is Chapter.SAVED:
        return pruned_diagram(tree)
    return half_read_diagram(tree) if page.answer is None else answered_diagram(tree)


async def _picture(diagram: DiagramNode, engine: EnginePool) -> Diagram:
    """Draw a sketch in the process for lessons; the picture is cached as they are."""
    return Diagram(diagram, await engine.run(draw, diagram))
