"""``okey101 client-check``: what a client or a bot of somebody's own does wrong on a bad line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from okey101.cli.output import FAILED, INTERRUPTED, Failure, Output, ending, printable
from okey101.cli.progress import Bar, Stopper
from okey101.errors import OkeyError

if TYPE_CHECKING:
    from okey101.client.check import CheckingProxy, CheckReport
    from okey101.client.playing import Faults

_LOOK_S: Final = 0.2


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What was asked for; ``bot`` plays itself where one is named, else a client is waited for."""

    url: str
    port: int = 0
    rounds: int = 2
    seed: int = 0
    seconds: int = 900
    bot: str | None = None


def check_client(output: Output, options: CheckOptions) -> int:
    """Put a client through a bad line and print what was found; Failure where that is a fault.

    The codes are ``client-faulty``, ``client-not-tested`` where something could not be tried,
    ``port-taken``, and those of a server that is none.
    """
    texts = output.texts
    with Stopper() as stopper, ending(texts):
        try:
            report, faulty = asyncio.run(_checked(output, options, stopper))
        except OSError as error:
            words = texts("error-port-taken", port=options.port, reason=str(error.strerror))
            raise Failure(FAILED, "port-taken", words, port=options.port) from None
    faults = {} if faulty is None else dict(faulty.counts)
    answer = report.to_dict() | ({} if options.bot is None else {"bot_faults": faults})
    if not output.as_json:
        output.lines(_lines(output, report, faulty))
    if count := len(report.faults) + len(faults):
        words = texts("error-client-faulty", count=count)
        raise Failure(FAILED, "client-faulty", words, **answer)
    if report.untried:
        words = texts("error-client-not-tested", count=len(report.untried))
        code = INTERRUPTED if stopper() and not report.actions else FAILED
        raise Failure(code, "client-not-tested", words, **answer)
    return output.tell(answer, lambda: [texts("check-good")])


async def _checked(
    output: Output, options: CheckOptions, stopper: Stopper
) -> tuple[CheckReport, Faults | None]:
    from okey101.client import Client, Faults
    from okey101.client.check import CheckingProxy

    await Client(options.url).check_version(again=False)
    proxy = CheckingProxy(options.url, seed=options.seed, rounds=options.rounds)
    try:
        await proxy.start(options.port)
        faulty = playing = None
        if options.bot is None:
            output.note(output.texts("check-connect", url=proxy.url, server=options.url))
        else:
            faulty = Faults()
            playing = asyncio.create_task(_play(proxy.url, options.bot, faulty))

        def stopped() -> bool:
            failed = playing is not None and playing.done() and playing.exception() is not None
            return stopper() or failed

        with Bar(output, output.texts("check-trying"), proxy.total) as bar:
            await _wait(proxy, bar, options.seconds, stopped)
        if playing is not None:
            playing.cancel()
            (ended,) = await asyncio.gather(playing, return_exceptions=True)
            if isinstance(ended, OkeyError):
                raise ended
        return proxy.report, faulty
    finally:
        await proxy.__aexit__(None, None, None)


async def _wait(proxy: CheckingProxy, bar: Bar, seconds: int, stopped: Callable[[], bool]) -> None:
    """Wait until the check is done, its time is up, or there is nothing more to wait for."""
    made, loop = 0, asyncio.get_running_loop()
    until = loop.time() + seconds
    while not proxy.done.is_set() and loop.time() < until and not stopped():
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_S):
                await proxy.done.wait()
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


def _lines(output: Output, report: CheckReport, faulty: Faults | None) -> Iterator[str]:
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
    if faulty is not None and faulty.reason:
        yield f"! {texts('bots-check-reason', reason=printable(faulty.reason))}"
