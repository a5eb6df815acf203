#!/usr/bin/env bash
# debootstrap, with which the long tests rehearse the container in root file systems: installed where
# this may be done, told of where it may not.
set -euo pipefail

if command -v debootstrap >/dev/null; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing for the tests of the container: debootstrap" >&2
  apt-get update -qq >/dev/null 2>&1 || true
  if apt-get install -y -qq --no-install-recommends debootstrap >/dev/null 2>&1; then exit 0; fi
fi
echo "missing, and not to be installed here: debootstrap; the container is not rehearsed" >&2
