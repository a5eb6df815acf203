#!/usr/bin/env bash
# A program that tests lean on: installed where this may be done, told of where it may not.
#
#     scripts/need_program.sh PROGRAM PACKAGE "what is not done without it"
set -euo pipefail

program=$1 package=$2 without=$3
if command -v "$program" >/dev/null; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing for the tests: $package" >&2
  apt-get update -qq >/dev/null 2>&1 || true
  if apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1; then exit 0; fi
fi
echo "missing, and not to be installed here: $program; $without" >&2
