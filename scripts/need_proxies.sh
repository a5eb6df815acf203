#!/usr/bin/env bash
# nginx and Caddy for the test of the documented proxies. Where they aren't on the PATH Debian's
# packages are taken apart into .venv/proxies: nothing is installed, and no service is started.
set -euo pipefail

here=.venv/proxies
lacking=()
for name in nginx caddy; do
  if [ -z "$(command -v "$name" || command -v "$here/usr/sbin/$name" || command -v "$here/usr/bin/$name")" ]; then
    lacking+=("$name")
  fi
done
if [ ${#lacking[@]} = 0 ]; then exit 0; fi

if command -v apt-get >/dev/null && command -v dpkg >/dev/null; then
  echo "fetching for the test of the documented proxies: ${lacking[*]}" >&2
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  take() { (cd "$work" && apt-get download -qq "${lacking[@]}") >/dev/null 2>&1; }
  if take || { [ "$(id -u)" = 0 ] && apt-get update -qq >/dev/null 2>&1 && take; }; then
    mkdir -p "$here"
    for package in "$work"/*.deb; do dpkg -x "$package" "$here"; done
    exit 0
  fi
fi
echo "missing, and not to be had here: ${lacking[*]}; their tests are skipped" >&2
