"""What other processes write is read, whenever it is heard."""

import asyncio

from industry.server.catch_up import CatchUpTasks


def test_news_heard_while_the_last_ones_are_finished_are_not_lost() -> None:
    """A watcher at another process saw the last move only when somebody made the next one."""
    read = []

    async def use() -> None:
        loop = asyncio.get_running_loop()

        async def catch_up(table: str, version: int) -> None:
            read.append(version)
            if version == 1:
                loop.call_soon(tasks.hear, table, 2)  # runs between the end and its callbacks

        tasks = CatchUpTasks(catch_up)
        tasks.hear("table", 1)
        for _ in range(10):
            await asyncio.sleep(0)
        await tasks.stop()

    asyncio.run(use())
    assert read == [1, 2]
