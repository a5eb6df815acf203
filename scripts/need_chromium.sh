#!/usr/bin/env bash
# Chromium and fonts for the tests of the page: installed where this may be done, told of where it
# may not. With `desktop`, fonts besides DejaVu too, which the long tests show the page in.
set -euo pipefail

fonts() {
  find -L /usr/share/fonts /usr/local/share/fonts "${XDG_DATA_HOME:-$HOME/.local/share}/fonts" \
    "$HOME/.fonts" -type f \( -iname '*.ttf' -o -iname '*.otf' -o -iname '*.ttc' \) 2>/dev/null || true
}

lacking=() packages=()
for name in "${OKEY101_CHROMIUM:-}" chromium chromium-browser google-chrome none; do
  if [ -n "$name" ] && command -v "$name" >/dev/null; then break; fi
done
if [ "$name" = none ]; then
  lacking+=("Chromium") packages+=(chromium fonts-noto-color-emoji)
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

if [ ${#lacking[@]} = 0 ]; then exit 0; fi
words=$(printf '%s, ' "${lacking[@]}")
words=${words%, }
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing for the tests of the page: ${packages[*]}" >&2
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}"; } \
    >/dev/null 2>&1 && exit 0
fi
echo "missing, and not to be installed here: $words; tests of the page are skipped" >&2
