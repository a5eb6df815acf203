"""A library that makes the disk of one file hang or fail on demand, built by the C compiler."""

import atexit
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 0: as usual; -1: fail. It does not return while the file SHIM_HANG names is there. */
static int trouble(int fd)
{
    const char *name = getenv("SHIM_FILE"), *hang = getenv("SHIM_HANG");
    const char *fail = getenv("SHIM_FAIL");
    char link[64], path[4096];
    ssize_t length;
    if (!name || !hang || !fail)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    if (!strstr(path, name))
        return 0;
    while (access(hang, F_OK) == 0)
        usleep(10000);
    if (access(fail, F_OK) == 0) {
        errno = EIO;
        return -1;
    }
    return 0;
}

#define SYNC(name)                                          \
    int name(int fd)                                        \
    {                                                       \
        static int (*real)(int);                            \
        if (!real)                                          \
            real = (int (*)(int))dlsym(RTLD_NEXT, #name);   \
        return trouble(fd) ? -1 : real(fd);                 \
    }

SYNC(fsync)
SYNC(fdatasync)
"""


@cache
def _library() -> Path:
    """The library, built once for a process."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    assert compiler is not None, "a C compiler is needed"
    folder = Path(tempfile.mkdtemp(prefix="okey101-shim-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    source, library = folder / "shim.c", folder / "shim.so"
    source.write_text(SOURCE)
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"]
    subprocess.run(command, check=True)
    return library


class Disk:
    """The disk of files whose path holds ``name``, for processes started with :attr:`environ`."""

    def __init__(self, folder: Path, name: str = "log.sqlite") -> None:
        """It is told by files in a folder what to do."""
        self._hang, self._fail = folder / "hang", folder / "fail"
        library, before = _library(), os.environ.get("LD_PRELOAD")
        self.environ = {
            "LD_PRELOAD": f"{library}:{before}" if before else str(library),
            "SHIM_FILE": name,
            "SHIM_HANG": str(self._hang),
            "SHIM_FAIL": str(self._fail),
        }

    def hang(self, *, on: bool = True) -> None:
        """Let it answer nothing, or again."""
        _there(self._hang, on=on)

    def fail(self, *, on: bool = True) -> None:
        """Let it refuse everything, or nothing any more."""
        _there(self._fail, on=on)


def _there(path: Path, *, on: bool) -> None:
    if on:
        path.touch()
    else:
        path.unlink(missing_ok=True)
