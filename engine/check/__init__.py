"""A learner's own `tictactoe.py`, judged function by function.

- *Judging*: `runner` checks each function on its boards (`checks`), and `minimax` in `games` as
  well; `trials` tries again what was found. A `report` has the `finding`s on one function.
- *The file*: a `learner`'s file is imported by a `process` of its own, in which `worker` runs. What
  can be said before a function is called is in `file`; `shapes` tries the lines that
  `wrapping` makes for programs written otherwise. A `command` is a program in any language.
- *Why it is wrong*: `hypotheses` changes the code in one place, `models` has known wrong programs.
- *How it searches*: `tree_search` tries it on small trees, `expect` looks for cuts in its calls,
  and `steps` follows it call by call.

Files named `*worker` run beside the learner's code and import nothing of the engine.
"""
