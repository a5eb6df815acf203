#!/usr/bin/env bash
# Chromium for the tests of the page: installed where this may be done, told of where it may not.
set -euo pipefail

for name in "${OKEY101_CHROMIUM:-}" chromium chromium-browser google-chrome; do
  if [ -n "$name" ] && command -v "$name" >/dev/null; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing Chromium for the tests of the page" >&2
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends \
    chromium fonts-dejavu-core fonts-noto-color-emoji; } >/dev/null 2>&1 && exit 0
fi
echo "Chromium is missing and can't be installed here: the tests of the page are skipped" >&2
