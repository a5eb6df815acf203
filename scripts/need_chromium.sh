#!/usr/bin/env bash
# Chromium and fonts for the tests of the page: installed where this may be done, told of where it
# may not. With `desktop`, fonts besides DejaVu too, which the long tests show the page in.
#
# The headless shell comes first: it is the same engine without a browser's windows around it, and
# opens a page in a sixth of the processor time (benchmarks/results.md).
set -euo pipefail

SHELL_NAME=chromium-headless-shell

fonts() {
  find -L /usr/share/fonts /usr/local/share/fonts "${XDG_DATA_HOME:-$HOME/.local/share}/fonts" \
    "$HOME/.fonts" -type f \( -iname '*.ttf' -o -iname '*.otf' -o -iname '*.ttc' \) 2>/dev/null || true
}

may_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

updated=""
apt_offers() {
  if [ -z "$updated" ]; then apt-get update -qq >/dev/null 2>&1 || true; fi
  updated=yes
  apt-cache show "$1" >/dev/null 2>&1
}

lacking=() packages=()
for name in "${OKEY101_CHROMIUM:-}" $SHELL_NAME chromium chromium-browser google-chrome none; do
  if [ -n "$name" ] && command -v "$name" >/dev/null; then break; fi
done
if [ "$name" = none ]; then lacking+=("Chromium") packages+=(fonts-noto-color-emoji); fi
if [ "$name" != "${OKEY101_CHROMIUM:-}" ] && [ "$name" != $SHELL_NAME ] && may_install; then
  if apt_offers $SHELL_NAME; then
    packages+=($SHELL_NAME)
  elif [ "$name" = none ]; then
    packages+=(chromium)
  fi
fi
found=$(fonts)
for name in DejaVuSans.ttf DejaVuSans-Bold.ttf; do
  if ! grep -q "/$name$" <<<"$found"; then
    lacking+=("$name") packages+=(fonts-dejavu-core)
  fi
done
if [ "${1:-}" = desktop ] && ! grep -qv -e '/[^/]*DejaVu[^/]*$' -e '/[^/]*Emoji[^/]*$' -e '^$' <<<"$found"; then
  lacking+=("any font but DejaVu") packages+=(fonts-liberation fonts-noto-core)
fi

if [ ${#packages[@]} = 0 ]; then exit 0; fi
if may_install; then
  echo "installing for the tests of the page: ${packages[*]}" >&2
  if [ -z "$updated" ]; then apt-get update -qq >/dev/null 2>&1 || true; fi
  if apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null 2>&1; then exit 0; fi
fi
if [ ${#lacking[@]} = 0 ]; then exit 0; fi
words=$(printf '%s, ' "${lacking[@]}")
words=${words%, }
echo "missing, and not to be installed here: $words; tests of the page are skipped" >&2
