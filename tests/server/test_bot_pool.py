"""Bots in processes of their own: they always answer, and nothing is ever left behind."""

import asyncio
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from industry.boards import load_board
from industry.bots.coach import judge_move
from industry.bots.levels import Engineer
from industry.bots.runner import InterpretedRunner
from industry.engine.compiled import CACHE_VARIABLE
from industry.notation import Game, Record, new_game, read_move, replay, write_move
from industry.server.automatic_moves import passive_move
from industry.server.bot_pool import BotPool, BotProcess
from industry.server.bot_process import ChosenMove, JudgedMove
from industry.server.metrics import Metrics
from tests.support import proof
from tests.support.packages import BODIES, choosing, install
from tests.support.waiting import until, wait_until

BOARD = load_board("industry")


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No machine code anywhere, as after an installation."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))


STUCK = choosing(
    "open(os.path.join(os.environ['STUCK'], str(os.getpid())), 'w').close()",
    "while True: pass",
)
"""Says in a folder that it has begun to think, and never ends."""


@pytest.fixture
def stuck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the bot “stuck” leaves the number of each process in which it thinks."""
    folder = tmp_path / "stuck"
    folder.mkdir()
    monkeypatch.setenv("STUCK", str(folder))
    return folder


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots of a foreign package, most of which do one thing wrong each."""
    thinker = "    level = 5\n    def warm_up(self): pass\n" + choosing("return legal[0]")
    folder = tmp_path / "foreign"
    folder.mkdir()
    monkeypatch.syspath_prepend(install(folder, {**BODIES, "thinker": thinker, "stuck": STUCK}))


def game(moves: int = 6, seat: int = 1) -> Game:
    """A game in which this seat must decide, and has more than one legal move."""
    game = new_game(["Ana", "Bo", "Cy"], seed="bots", starting_player=1)
    while len(game.moves) < moves or game.to_move != seat or len(game.legal_moves()) < 2:
        if game.position.draw_due:
            game.draw()
        else:
            game.play(game.legal_moves()[-1])
    return game


def with_pool(
    use: Callable[[BotPool], Awaitable[None]],
    *,
    workers: int = 1,
    warm: bool = False,
    metrics: Metrics | None = None,
    patience: float = 60,
) -> None:
    """Use a pool whose bots have little time, and stop it whatever happens."""

    async def run() -> None:
        pool = BotPool(workers, seconds=0.05, patience=patience, metrics=metrics)
        await pool.start(warm=warm)
        try:
            await use(pool)
        finally:
            await pool.stop()
        assert not any(worker.process.is_alive() for worker in pool._workers)

    asyncio.run(run())


def legal(record: Record, line: str) -> bool:
    position = replay(record, BOARD).position
    return read_move(line, BOARD) in position.legal_moves


def passive(record: Record) -> str:
    return write_move(passive_move(replay(record, BOARD).position), BOARD)


@pytest.mark.usefixtures("cold")
def test_every_own_bot_answers_at_once_before_anything_is_compiled() -> None:
    record = game().record()

    async def use(pool: BotPool) -> None:
        bots = await pool.bots()
        assert [bot.level for bot in bots] == sorted(bot.level for bot in bots)
        assert {"apprentice", "magnate"} <= {bot.name for bot in bots}
        for bot in bots:
            assert legal(record, (await pool.choose(bot.name, record, BOARD, "seed")).line)

    with_pool(use)


@pytest.mark.usefixtures("cold")
def test_before_machine_code_is_there_the_engineer_decides_for_levels_4_and_5() -> None:
    async def use(pool: BotPool) -> None:
        for moves in (6, 60, 130):
            position = (play := game(moves)).position
            engineer = Engineer()
            engineer._runner = InterpretedRunner(position.board)
            move = engineer.choose(position, position.legal_moves, 1.0, Random("seed"))
            for bot in ("director", "magnate"):
                chosen = await pool.choose(bot, play.record(), BOARD, "seed")
                assert chosen == ChosenMove(write_move(move, BOARD), stand_in="engineer")
            own = await pool.choose("engineer", play.record(), BOARD, "seed")
            assert own == ChosenMove(write_move(move, BOARD), stand_in=None)

    with_pool(use)


def test_a_process_judges_a_move_as_the_coach_does() -> None:
    async def use(pool: BotPool) -> None:
        for moves in (6, 9, 40):
            play = game(moves)
            for move in play.position.legal_moves:
                judged = await pool.judge(play.record(), BOARD, write_move(move, BOARD))
                expected = judge_move(play.position, move)
                better = None if expected.better is None else write_move(expected.better, BOARD)
                assert judged == JudgedMove(expected.loss, better)

    with_pool(use)


def test_a_question_that_no_process_can_answer_is_answered_by_none() -> None:
    async def use(pool: BotPool) -> None:
        play = game()
        assert await pool.judge(play.record(), BOARD, "nonsense") is None
        assert await pool.judge(play.record(), BOARD, play.legal_moves()[0]) is not None

    with_pool(use)


@pytest.mark.usefixtures("cold")
def test_the_same_seed_gives_a_bot_the_same_chance_in_every_process() -> None:
    record = game(30).record()

    async def use(pool: BotPool) -> None:
        asked = [pool.choose("random", record, BOARD, f"seed {n % 8}") for n in range(32)]
        lines = await asyncio.gather(*asked)
        for n in range(8):
            assert len(set(lines[n::8])) == 1
        assert len(set(lines)) > 1

    with_pool(use, workers=2)


@pytest.mark.usefixtures("foreign")
@pytest.mark.parametrize(
    ("bot", "kind"), [("illegal", "illegal"), ("nonsense", "illegal"), ("raises", "error")]
)
def test_a_bot_that_gives_no_legal_move_is_asked_again_and_then_played_for(
    bot: str, kind: str
) -> None:
    record, metrics = game().record(), Metrics()

    async def use(pool: BotPool) -> None:
        assert (await pool.choose(bot, record, BOARD, "seed")) == ChosenMove(passive(record))
        assert legal(record, (await pool.choose("first", record, BOARD, "seed")).line)

    with_pool(use, metrics=metrics)
    failures = f'industry_bot_failures_total{{bot="{bot}",kind="{kind}"}} 2.0'
    assert failures in metrics.page().decode()


@pytest.mark.usefixtures("foreign")
@pytest.mark.parametrize(("bot", "kind"), proof.cases([("hangs", "hang"), ("crashes", "crash")]))
def test_a_process_that_hangs_or_crashes_is_replaced_and_the_table_goes_on(
    bot: str, kind: str
) -> None:
    record, other, metrics = game().record(), game(seat=2).record(), Metrics()

    async def use(pool: BotPool) -> None:
        first = set(pool._workers)
        assert (await pool.choose(bot, record, BOARD, "seed")) == ChosenMove(passive(record))
        assert f'{{bot="{bot}",kind="{kind}"}} 2.0' in metrics.page().decode()
        assert legal(other, (await pool.choose(bot, other, BOARD, "seed")).line)
        assert not first & pool._workers

    with_pool(use, metrics=metrics, patience=1.5 if bot == "hangs" else 60)


@pytest.mark.usefixtures("cold")
def test_a_process_that_is_killed_between_two_questions_costs_nothing_but_time() -> None:
    record = game().record()

    async def use(pool: BotPool) -> None:
        line = await pool.choose("engineer", record, BOARD, "seed")
        (worker,) = pool._workers
        os.kill(worker.process.pid or 0, signal.SIGKILL)
        assert await pool.choose("engineer", record, BOARD, "seed") == line

    with_pool(use)


@pytest.mark.usefixtures("foreign")
def test_one_who_asked_may_leave_and_the_next_one_is_answered() -> None:
    record = game().record()

    async def use(pool: BotPool) -> None:
        asked = asyncio.create_task(pool.choose("slow", record, BOARD, "seed"))
        await asyncio.sleep(0.1)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert legal(record, (await pool.choose("first", record, BOARD, "seed")).line)

    with_pool(use)


@pytest.mark.usefixtures("foreign")
def test_stopping_cancels_waiting_requests_instead_of_making_a_move_for_a_bot(
    stuck: Path,
) -> None:
    record, patience = game().record(), 120.0

    async def run() -> None:
        pool = BotPool(1, seconds=0.05, patience=patience)
        await pool.start(warm=False)
        asked = [asyncio.create_task(pool.choose("stuck", record, BOARD, "")) for _ in range(3)]
        await until(lambda: list(stuck.iterdir()), "no bot thinks")
        pids = [worker.process.pid for worker in pool._workers]
        begin = time.monotonic()
        await pool.stop()
        assert time.monotonic() - begin < patience / 2  # nobody waits for an answer
        for task in asked:
            with pytest.raises(asyncio.CancelledError):
                await task
        with pytest.raises(asyncio.CancelledError):
            await pool.choose("first", record, BOARD, "")
        assert all(pid is not None and not alive(pid) for pid in pids)

    asyncio.run(run())


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


PARENT = """
import asyncio
from industry.notation import record_from_json
from industry.boards import load_board
from industry.server.bot_pool import BotPool, BotProcess
import sys

async def run():
    pool = BotPool(2, seconds=0.05, patience=600)
    await pool.start(warm=False)
    record = record_from_json(sys.stdin.readline())
    await pool.choose("first", record, load_board("industry"), "")
    asked = [pool.choose("stuck", record, load_board("industry"), "") for _ in range(2)]
    print([m for m in ("numba", "numpy") if m in sys.modules])
    print(*(worker.process.pid for worker in pool._workers), flush=True)
    await asyncio.gather(*asked)

if __name__ == "__main__":
    asyncio.run(run())
"""


@pytest.fixture
def parent(tmp_path: Path, stuck: Path) -> Iterator[subprocess.Popen[str]]:
    """A program whose bots hang."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "foreign")}
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    yield process
    process.kill()
    process.communicate()


@pytest.mark.usefixtures("foreign")
def test_no_process_outlives_a_server_that_is_killed_while_bots_hang(
    parent: subprocess.Popen[str], stuck: Path
) -> None:
    assert parent.stdin is not None
    assert parent.stdout is not None
    parent.stdin.write(game().record().to_json() + "\n")
    parent.stdin.flush()
    assert parent.stdout.readline() == "[]\n"  # nor did the server itself load Numba
    pids = [int(word) for word in parent.stdout.readline().split()]
    assert len(pids) == 2
    wait_until(lambda: {int(path.name) for path in stuck.iterdir()} == set(pids), "no bot thinks")
    assert all(alive(pid) for pid in pids)
    parent.kill()
    parent.wait()
    wait_until(lambda: not any(alive(pid) for pid in pids), f"left: {pids}")


@pytest.mark.timeout(1200)  # the compiler's time, on a machine that may be busy
@pytest.mark.usefixtures("foreign")
def test_once_machine_code_is_there_every_level_decides_for_itself() -> None:
    """In the background: questions are answered meanwhile."""
    record, metrics = game().record(), Metrics()

    async def use(pool: BotPool) -> None:
        assert legal(record, (await pool.choose("magnate", record, BOARD, "seed")).line)
        while not pool.is_warm:
            await asyncio.sleep(0.1)
        first = write_move(replay(record, BOARD).position.legal_moves[0], BOARD)
        assert await pool.choose("thinker", record, BOARD, "seed") == ChosenMove(first)
        assert legal(record, (await pool.choose("magnate", record, BOARD, "seed")).line)

    with_pool(use, warm=True, metrics=metrics)
    assert "industry_bots_warm 1.0" in metrics.page().decode()


def test_a_process_that_finds_everything_compiled_becomes_the_bot_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Loading takes seconds: a server that starts again does it once for each bot process."""
    started: list[BotProcess] = []
    new_worker = BotPool._new_worker

    def counted(self: BotPool) -> BotProcess:
        started.append(worker := new_worker(self))
        return worker

    monkeypatch.setattr(BotPool, "_new_worker", counted)

    async def use(pool: BotPool) -> None:
        await compiled(lambda: pool.is_warm)
        assert (await pool.choose("magnate", game().record(), BOARD, "seed")).stand_in is None

    with_pool(use, warm=True)
    assert [worker.is_warm for worker in started] == [False, True]


LOADER = """    level = 5
    def warm_up(self):
        with open(os.environ["LOADED"], "a") as file:
            print("loading", file=file)
        with open(os.environ["LOADED"]) as file:
            times = len(file.readlines())
        while times > 1 and not os.path.exists(os.environ["LOADED"] + ".go"):
            time.sleep(0.02)
"""
"""Compiled at once; loading it afterwards waits until the test lets it go on."""


def loader(folder: Path) -> Path:
    """A package with a bot whose machine code takes as long to load as the test wants."""
    folder.mkdir()
    return install(folder, {"loader": LOADER + choosing("return legal[0]")})


async def compiled(happened: Callable[[], bool]) -> None:
    """Wait for the compiler, which has work for minutes where nobody has called `make warm`."""
    deadline = time.monotonic() + 800
    while not happened():
        assert time.monotonic() < deadline, "nothing was compiled"
        await asyncio.sleep(0.1)


@pytest.mark.proof
@pytest.mark.timeout(900)
def test_bots_answer_while_a_process_loads_machine_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 15: in version 0.1.0 the only process loaded it, and no bot answered until it had."""
    monkeypatch.syspath_prepend(loader(tmp_path / "foreign"))
    loaded = tmp_path / "loaded"
    monkeypatch.setenv("LOADED", str(loaded))
    record = game().record()

    async def use(pool: BotPool) -> None:
        await compiled(lambda: loaded.exists() and len(loaded.read_text().splitlines()) == 2)
        for bot in ("foreman", "loader"):
            chosen = await pool.choose(bot, record, BOARD, "seed")
            assert legal(record, chosen.line)
        assert not pool.is_warm
        loaded.with_name("loaded.go").touch()
        await compiled(lambda: pool.is_warm)
        assert (await pool.choose("loader", record, BOARD, "seed")).stand_in is None

    with_pool(use, workers=2, warm=True)


def test_an_engine_that_the_operator_named_plays_as_a_bot() -> None:
    example = Path(__file__).parents[2] / "examples" / "engine.py"
    record = game().record()

    async def use() -> None:
        engines = [f"mine={shlex.quote(sys.executable)} {shlex.quote(str(example))}"]
        pool = BotPool(1, seconds=0.05, patience=60, engines=engines)
        await pool.start(warm=False)
        try:
            assert "mine" in {bot.name for bot in await pool.bots()}
            chosen = await pool.choose("mine", record, BOARD, "seed")
            assert legal(record, chosen.line)
            assert chosen.stand_in is None
        finally:
            await pool.stop()

    asyncio.run(use())
