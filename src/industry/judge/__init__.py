"""Judges positions: chances of winning with standard errors, and the review of a whole game.

from industry.judge import judge

verdict = judge(game.position, lines=256, seed=1)
"""

from .judging import DEFAULT_LINES as DEFAULT_LINES
from .judging import Judge as Judge
from .judging import JudgeError as JudgeError
from .judging import MoveValue as MoveValue
from .judging import SeatValue as SeatValue
from .judging import Verdict as Verdict
from .judging import compile_judge as compile_judge
from .judging import judge as judge
