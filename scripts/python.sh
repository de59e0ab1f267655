#!/bin/sh
# Print the interpreter for `make PYTHON=…`, a version or a command: sh scripts/python.sh 3.13 .venv
# Fails if there is none, if it is too old, or if the environment is already one of another version.
set -eu

version() {
    "$1" -c 'import platform; print(platform.python_version())' 2>/dev/null
}

refuse() {
    echo "make: $1" >&2
    exit 1
}

found=""
# pyenv puts a python3.13 into PATH that runs only where that version is chosen: so its own folders are tried too.
for python in "$1" "python$1" "$(pyenv root 2>/dev/null || echo "$HOME/.pyenv")/versions/$1"*/bin/python; do
    [ -n "$found" ] || ! version "$python" >/dev/null || found=$python
done
[ -n "$found" ] || refuse "$1 is no Python in PATH or among pyenv's; name an interpreter: make PYTHON=/path/to/python"
"$found" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
    || refuse "$found is Python $(version "$found"), expected 3.11 or newer; try make PYTHON=python3.11"
if [ -x "$2/bin/python" ] && [ "$(version "$2/bin/python")" != "$(version "$found")" ]; then
    refuse "$2 is of Python $(version "$2/bin/python"), $found is $(version "$found"): remove $2, or add VENV=$2-other"
fi
echo "$found"
