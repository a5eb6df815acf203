"""What ``okey101 admin`` does with one person: a new password, all that is kept, an erasure.

The person is named by an id or a name. Without ``--yes`` it is only told what would happen.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from okey101.cli.admin.files import PATIENCE_S, either, people_of
from okey101.cli.admin.link import Link, Where, segment
from okey101.cli.admin.server import local_time
from okey101.cli.output import Exit, Failure, Output, printable, with_file
from okey101.server.files.atomic_files import create

if TYPE_CHECKING:
    from okey101.server.people.service import Accounts
    from okey101.server.store import AnyStore

T = TypeVar("T")


def _found(output: Output, where: Where, text: str) -> dict[str, Any]:
    """How much is kept of the person whom an id or a name means."""

    async def looked(store: AnyStore, accounts: Accounts) -> dict[str, Any]:
        from msgspec.structs import asdict

        from okey101.server.tables.log_check import tables_of

        kept = await accounts.traces(text)
        sits = await tables_of(store, kept.user.id)
        return asdict(kept) | {"user": asdict(kept.user), "tables": sits}

    path = f"/api/admin/users/{segment(text)}"
    return either(output, where, lambda link: link.get(path), partial(_with_people, looked))


def _done(
    output: Output, where: Where, what: str, user: str, ask: Callable[..., Any],
    work: Callable[[AnyStore, Accounts], Awaitable[T]],
) -> T:  # fmt: skip
    """Have the server do something, or do it, and note it in the journal."""

    async def noted(store: AnyStore, accounts: Accounts) -> T:
        from okey101.server.ops.journal import Journal, local_user

        async with Journal(store, logged=False).noted(what, who=local_user(), of=user):
            return await work(store, accounts)

    path, patience = f"/api/admin/users/{segment(user)}/{what}", PATIENCE_S
    done = partial(_with_people, noted)
    return either(output, where, lambda link: ask(link, path, patience=patience), done)


async def _with_people(work: Callable[[AnyStore, Accounts], Awaitable[T]], store: AnyStore) -> T:
    async with people_of(store) as accounts:
        return await work(store, accounts)


def _told(output: Output, found: dict[str, Any]) -> Iterator[str]:
    """Who it is, and how much there is of that person."""
    user, texts = found["user"], output.texts
    kind = "bot" if user["owner"] else "account" if user["account"] else "guest"
    yield printable(
        texts(
            "admin-person", name=_name(user), user=user["id"], kind=texts(f"admin-kind-{kind}"),
            since=local_time(user["created_ms"]), seen=local_time(user["seen_ms"]),
        )
    )  # fmt: skip
    counts = {name: found[name] for name in ("sessions", "ties", "matches")}
    counts |= {name: len(found[name]) for name in ("bots", "tables")}
    yield "  " + printable(texts("admin-person-kept", **counts))


def _name(user: dict[str, Any]) -> str:
    return str(user["name"] or user["id"])


def _planned(output: Output, found: dict[str, Any], plan: Sequence[str]) -> int:
    """Tell what would happen, and how to have it done."""
    lines = partial(_told, output, found)
    data = {"done": False, "person": found}
    return output.tell(data, lambda: [*lines(), *plan, output.texts("admin-not-yet")])


def reset_password(output: Output, where: Where, person: str, *, yes: bool) -> int:
    """End a forgotten password, and print a code that a new one is chosen with."""
    found, texts = _found(output, where, person), output.texts
    user = found["user"]
    if not user["account"]:
        raise Failure.of(texts, Exit.FAILED, "not-account", user=user["id"])
    if not yes:
        return _planned(output, found, [texts("admin-reset-plan", sessions=found["sessions"])])

    async def reset(_: AnyStore, accounts: Accounts) -> dict[str, Any]:
        code, until = await accounts.reset_password(user["id"])
        return {"code": code, "until_ms": until}

    made = _done(output, where, "reset-password", user["id"], Link.post, reset)

    def lines() -> list[str]:
        until = local_time(made["until_ms"])
        return [texts("admin-reset-code", code=made["code"]), texts("admin-reset-how", until=until)]

    return output.tell({"done": True, "person": found} | made, lines)


def export_person(output: Output, where: Where, person: str, out: str | None) -> int:
    """Write all that is kept of a person into a file for its owner alone; none is overwritten."""
    texts = output.texts
    user = _found(output, where, person)["user"]
    path = Path(out or f"okey101-{user['id']}.json")
    if path.exists():
        raise Failure.of(texts, Exit.FAILED, "file-exists", file=str(path))

    async def exported(store: AnyStore, accounts: Accounts) -> Any:
        import msgspec

        from okey101.server.ops.journal import Reports
        from okey101.server.tables.log_check import tables_of
        from okey101.server.web import response_schemas as shapes

        sits = await tables_of(store, user["id"])
        found = await shapes.exported(accounts, Reports(store), user["id"], sits)
        return msgspec.json.decode(msgspec.json.encode(found))

    data = _done(output, where, "export", user["id"], Link.get, exported)
    with with_file(str(path), texts):
        create(path, json.dumps(data, ensure_ascii=False, indent=1).encode() + b"\n")
    done = {"user": user["id"], "file": str(path)}
    return output.tell(done, lambda: [printable(texts("admin-copied", path=str(path)))])


def erase_person(output: Output, where: Where, person: str, *, yes: bool) -> int:
    """Erase a person, as that person could."""
    found, texts = _found(output, where, person), output.texts
    user = found["user"]
    plan = [texts("admin-erase-plan"), texts("admin-erase-left", matches=found["matches"])]
    if found["bots"]:
        plan.append(printable(texts("admin-erase-bots", names=", ".join(found["bots"]))))
    if not yes:
        return _planned(output, found, plan)

    async def erased(_: AnyStore, accounts: Accounts) -> None:
        await accounts.delete(user["id"])

    _done(output, where, "erase", user["id"], Link.post, erased)
    words = printable(texts("admin-erased", name=_name(user), user=user["id"]))
    return output.tell({"done": True, "person": found}, lambda: [words])
