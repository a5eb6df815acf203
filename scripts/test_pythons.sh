#!/usr/bin/env bash
# The core's and the command line's tests under every supported Python that this machine has, each in
# an environment that is thrown away. Words after the first go to pytest; the first is the workers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

workers=${1:-auto}
shift || true
versions=${PYTHONS:-3.11 3.12 3.13 3.14}
tests=(tests/bots tests/game tests/render tests/rules tests/sim tests/solver tests/test_i18n.py
  tests/test_lazy_names.py tests/cli/test_usage.py src)

# pyenv's stand-ins answer only for the version it has switched on; its folders have them all.
for folder in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin; do PATH="$PATH:$folder"; done
PATH=$(tr ':' '\n' <<<"$PATH" | grep -v '/\.pyenv/shims$' | paste -sd ':')

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=() failed=() absent=()
for version in $versions; do
  if ! python=$(.venv/bin/uv python find --no-project "$version" 2>/dev/null); then
    absent+=("$version")
    continue
  fi
  echo "== $("$python" --version), $python"
  tried+=("$version")
  export UV_PROJECT_ENVIRONMENT=$work/$version
  if .venv/bin/uv sync --frozen --quiet --python "$python" --no-default-groups --group test --all-extras --no-extra openspiel \
    && "$work/$version/bin/python" -m pytest -n "$workers" -q -p no:cacheprovider \
      --ignore tests/solver/ip.py --ignore tests/solver/test_against_ip.py "${@:-${tests[@]}}"; then :; else failed+=("$version"); fi
  rm -rf "${work:?}/$version"
done

echo "== tried: ${tried[*]:-none}"
if [ ${#absent[@]} -gt 0 ]; then
  echo "== NOT TRIED, for this machine has no Python ${absent[*]}" >&2
fi
if [ ${#failed[@]} -gt 0 ]; then
  echo "== FAILED under Python ${failed[*]}" >&2
  exit 1
fi
[ ${#tried[@]} -gt 0 ]
