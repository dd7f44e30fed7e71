import asyncio

from bot.delivery.pace import Pace


class Time:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds


async def test_a_burst_is_free_and_then_the_pace_holds() -> None:
    time = Time()
    pace = Pace(40, burst=10, monotonic=time, sleep=time.sleep)
    for _ in range(10):
        await pace.take()
    assert time.now == 0
    for _ in range(80):
        await pace.take()
    assert abs(time.now - 2) < 0.001


async def test_permits_gather_up_to_the_burst_only() -> None:
    time = Time()
    pace = Pace(1, burst=3, monotonic=time, sleep=time.sleep)
    time.now = 1000
    for _ in range(4):
        await pace.take()
    assert abs(time.now - 1001) < 0.001


async def test_less_than_one_a_second_works() -> None:
    time = Time()
    pace = Pace(0.1, monotonic=time, sleep=time.sleep)
    for _ in range(3):
        await pace.take()
    assert abs(time.now - 20) < 0.001


async def test_many_who_wait_are_held_to_one_pace() -> None:
    time = Time()
    pace = Pace(10, burst=1, monotonic=time, sleep=time.sleep)
    await asyncio.gather(*(pace.take() for _ in range(21)))
    assert abs(time.now - 2) < 0.001


async def test_one_who_gives_up_holds_nobody_back() -> None:
    pace = Pace(1000, burst=1)
    await pace.take()
    waiting = asyncio.create_task(pace.take())
    await asyncio.sleep(0)
    waiting.cancel()
    async with asyncio.timeout(1):
        await pace.take()
