#!/bin/sh
# Make sure of Debian packages: sh scripts/system-packages.sh bubblewrap chromium python3-venv
# What is there already is left alone, whoever installed it; what is missing is installed, and said.
set -eu

# there PACKAGE: does what the package is wanted for work already?
there() {
    case "$1" in
        bubblewrap) command -v bwrap >/dev/null 2>&1 ;;
        postgresql) ls /usr/lib/postgresql/*/bin/pg_ctl >/dev/null 2>&1 ;;
        chromium) command -v chromium >/dev/null 2>&1 ;;
        python3-venv) "${PYTHON:-python3}" -c 'import ensurepip, venv' >/dev/null 2>&1 ;;
        *) dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed ;;
    esac
}

missing=""
for package in "$@"; do
    there "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
else
    echo "system packages: missing$missing; you are not root and there is no sudo." >&2
    echo "Ask someone who may to run: apt-get install$missing" >&2
    exit 1
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "system packages: missing$missing, and there is no apt-get here." >&2
    echo "Install them with this system's own package manager (bubblewrap brings the command bwrap)." >&2
    exit 1
fi

echo "system packages: installing$missing${as_root:+ with sudo}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086  # the lists are meant to be split
if ! { $as_root apt-get update -qq &&
       $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } \
       >"$log" 2>&1; then
    cat "$log" >&2
    echo "system packages: apt-get could not install$missing; its words are above." >&2
    echo "Install them by hand, then run make again: apt-get install$missing" >&2
    exit 1
fi

for package in $missing; do
    if ! there "$package"; then
        echo "system packages: $package was installed, yet what it is wanted for still does not work." >&2
        exit 1
    fi
done
