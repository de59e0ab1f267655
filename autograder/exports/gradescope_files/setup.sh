#!/bin/sh
# Run once by Gradescope, as root, when it makes the image: Python, bubblewrap, and the packages of the grader.
set -eu
home=${AUTOGRADER_HOME:-/autograder}

export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install --yes --no-install-recommends bubblewrap ca-certificates python3 python3-pip python3-venv

# The grader needs Python 3.11. Where the image's own is older, uv brings one, into a folder that everybody may read.
if [ ! -x "$home/venv/bin/python" ]; then
    if python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        python3 -m venv "$home/venv"
    else
        python3 -m venv "$home/uv"
        "$home/uv/bin/pip" install --quiet uv
        UV_PYTHON_INSTALL_DIR="$home/python" "$home/uv/bin/uv" venv --seed --python 3.12 "$home/venv"
    fi
fi
"$home/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    --extra-index-url https://download.pytorch.org/whl/cpu \
    --requirement "$home/source/requirements.txt" --constraint "$home/source/constraints.txt"

# The submission is to read nothing of what is in here. What the sandbox keeps where the image is made is in the log;
# it is asked again, and this time it decides, wherever a submission is graded.
chmod 700 "$home/source"
cd "$home/source"
"$home/venv/bin/python" -m autograder doctor || "$home/venv/bin/python" -m autograder doctor --sandbox account ||
    echo "setup: above is what each sandbox lacks in this container; --without-bubblewrap decides what that means."
