"""``okey101 client-check``: what a client or a bot of somebody's own does wrong on a bad line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from okey101.cli.output import Exit, Failure, Output, ending, printable
from okey101.cli.progress import Bar, stopping
from okey101.errors import OkeyError

if TYPE_CHECKING:
    from okey101.client.check import CheckingProxy, CheckReport
    from okey101.client.playing import Faults

_LOOK_S: Final = 0.2


def check_client(
    output: Output, url: str, bot: str | None, port: int, rounds: int, seed: int, seconds: int
) -> int:
    """Put a client through a bad line and print what was found; Failure where that is a fault.

    ``bot`` plays itself where one is named, else a client is waited for. The codes are
    ``client-faulty``, ``client-not-tested`` where something could not be tried, ``port-taken``, and
    those of a server that is none.
    """
    from okey101.client import Client, Faults
    from okey101.client.check import CheckingProxy

    texts = output.texts
    faulty = Faults()

    async def checked() -> CheckReport:
        await Client(url).check_version(again=False)
        async with CheckingProxy(url, port=port, seed=seed, rounds=rounds) as proxy:
            playing = None
            if bot is None:
                output.note(texts("check-connect", url=proxy.url, server=url))
            else:
                playing = asyncio.create_task(_play(proxy.url, bot, faulty))
            with Bar(output, texts("check-trying"), proxy.total) as bar:
                await _wait(proxy, bar, seconds, lambda: stopper() or _failed(playing))
            if playing is not None:
                playing.cancel()
                (ended,) = await asyncio.gather(playing, return_exceptions=True)
                if isinstance(ended, OkeyError):
                    raise ended
            return proxy.report

    with stopping() as stopper, ending(texts):
        try:
            report = asyncio.run(checked())
        except OSError as error:
            words = texts("error-port-taken", port=port, reason=str(error.strerror))
            raise Failure(Exit.FAILED, "port-taken", words, port=port) from None
    faults = dict(faulty.counts)
    answer = report.to_dict() | ({} if bot is None else {"bot_faults": faults})
    if not output.as_json:
        output.lines(_lines(output, report, faulty))
    if count := len(report.faults) + len(faults):
        words = texts("error-client-faulty", count=count)
        raise Failure(Exit.FAILED, "client-faulty", words, **answer)
    if report.untried:
        words = texts("error-client-not-tested", count=len(report.untried))
        code = Exit.INTERRUPTED if stopper() and not report.actions else Exit.FAILED
        raise Failure(code, "client-not-tested", words, **answer)
    return output.tell(answer, lambda: [texts("check-good")])


def _failed(task: asyncio.Task[None] | None) -> bool:
    return task is not None and task.done() and task.exception() is not None


async def _wait(proxy: CheckingProxy, bar: Bar, seconds: int, stopped: Callable[[], bool]) -> None:
    """Wait until the check is done, its time is up, or there is nothing more to wait for."""
    made, loop = 0, asyncio.get_running_loop()
    until = loop.time() + seconds
    while not proxy.done.is_set() and loop.time() < until and not stopped():
        with suppress(TimeoutError):
            await asyncio.wait_for(proxy.done.wait(), _LOOK_S)
        bar.add(proxy.made - made)
        made = proxy.made


async def _play(url: str, bot: str, faults: Faults) -> None:
    """Let a bot play by our own client, until the last trial ends its line."""
    from okey101.client import Client, Ended, Pace, play_at

    client = await Client.as_guest(url, "Checked player")
    table = await client.against_bots(deals=20, bot="greedy", clock=60)
    async with client.join(table, pace=Pace(first=0.2, longest=1.0)) as at:
        try:
            await play_at(at, bot, seed=1, faults=faults)
        except Ended as ended:
            if ended.code != "replaced":
                raise


def _lines(output: Output, report: CheckReport, faulty: Faults) -> Iterator[str]:
    from okey101.client.check import TRIALS

    texts = output.texts
    yield texts("check-head", actions=report.actions, lines=report.lines)
    for trial in TRIALS:
        count = report.tried[trial]
        mark = "+" if count else "?"
        yield f"{mark} {texts(f'check-trial-{trial}')}: {texts('check-times', count=count)}"
    for found in report.found:
        mark = "-" if found.advice else "!"
        yield f"{mark} {found.code} ({texts('check-times', count=found.times)}): " + texts(
            f"check-{found.code}"
        )
        if found.first:
            yield f"    {texts('check-first', example=printable(found.first))}"
    if faulty.reason:
        yield f"! {texts('bots-check-reason', reason=printable(faulty.reason))}"
