"""The tutorial on minimax: what the engine says of a page, and the picture drawn of it."""

from __future__ import annotations

from bot.domain.tutorial import (
    DAWDLING,
    EXAMPLE,
    IN_SIGHT,
    Chapter,
    LearnPage,
    Mind,
    Minimax,
    Picture,
    Pruned,
    Sight,
    Sketch,
    Sooner,
    Walk,
    Ways,
    half_read_sketch,
    level_sketch,
    pruned_sketch,
    told_sketch,
    walk_sketch,
)
from bot.services.diagram import draw
from bot.services.engine import EnginePool
from engine import Board, Node, advise, game_tree, look_ahead, search_each_way


async def learn(page: LearnPage, engine: EnginePool) -> Minimax:
    """The content of a page."""
    match page.chapter:
        case Chapter.TREE | Chapter.NUMBERS:
            return await _walk(page, engine)
        case Chapter.PRUNING | Chapter.SAVED:
            tree = game_tree(EXAMPLE.boards[-1])
            return Pruned(page, tree, await _picture(_pruned(page, tree), engine))
        case Chapter.WAYS:
            board = Board() if page.record == EXAMPLE else page.record.boards[-1]
            return Ways(page, board, await engine.think(search_each_way, board))
        case Chapter.SOONER:
            return await _sooner(page, engine)
        case Chapter.LIMIT | Chapter.HORIZON:
            board = IN_SIGHT[page.chapter].boards[-1]
            return Sight(page, board, await engine.think(look_ahead, board, page.depth))
        case Chapter.MIND:
            return Mind(page)


async def _walk(page: LearnPage, engine: EnginePool) -> Walk:
    board = page.board
    verdicts = [] if board.is_terminal else await engine.judge(board.rules, advise, board)
    sketch = walk_sketch(page, verdicts)
    return Walk(page, verdicts, await _picture(sketch, engine) if sketch else None)


async def _sooner(page: LearnPage, engine: EnginePool) -> Sooner:
    board = DAWDLING.boards[-1]
    verdicts = advise(board)
    sketch = level_sketch(board, verdicts, verdicts[0].action, is_told=page.answer is not None)
    return Sooner(page, verdicts, await _picture(sketch, engine))


def _pruned(page: LearnPage, tree: Node) -> Sketch:
    if page.chapter is Chapter.SAVED:
        return pruned_sketch(tree)
    return half_read_sketch(tree) if page.answer is None else told_sketch(tree)


async def _picture(sketch: Sketch, engine: EnginePool) -> Picture:
    """Draw a sketch in the process for lessons; the picture is cached as they are."""
    return Picture(sketch, await engine.think(draw, sketch))
