"""What a server keeps in lines: of one that runs, or from the folder of one that has ended."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from okey101.cli.admin.link import Where, folder_of, link_to, running_in
from okey101.cli.failures import FAILED, Failure, file_failure
from okey101.cli.output import Output

__all__ = ["Line", "kept_lines"]

Line: TypeAlias = dict[str, Any]


def kept_lines(
    output: Output, where: Where, address: str, limit: int, read: Callable[[Path], list[Line]]
) -> list[Line]:
    """The last lines, asked of the server at ``address`` or read from its folder.

    Raises Failure where there is neither, or where the folder can't be read.
    """
    if where.url is not None or running_in(folder_of(where), output.texts) is not None:
        found: list[Line] = link_to(output, where).get(address, limit=limit)
        return found
    folder = folder_of(where)
    if not folder.log.is_file():
        message = output.texts("error-no-server-folder", folder=str(folder.path))
        raise Failure(FAILED, "no-server-folder", message, folder=str(folder.path))
    try:
        return read(folder.path)
    except OSError as error:
        raise file_failure(error, str(folder.path), output.texts) from None
