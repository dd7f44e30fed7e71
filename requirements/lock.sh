#!/bin/sh
# Write the locks: `make lock` keeps the versions that still fit, `make lock UPGRADE=1` takes the newest.
# Each lock after the first is bound to the versions of the one it builds on, so that all of them install
# into one environment, in any order. No registry's address gets into them.
set -eu

uv=$(command -v uv || true)
if [ -z "$uv" ]; then
    python3 -m venv build/uv
    build/uv/bin/python -m pip install --quiet uv
    uv=build/uv/bin/uv
fi

lock() {
    name=$1
    shift
    "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
        --no-header --no-annotate ${UPGRADE:+--upgrade} --output-file "requirements/$name.txt" "$@" >/dev/null
    echo "requirements/$name.txt"
}

lock run pyproject.toml
lock build --group build --constraint requirements/run.txt
lock try pyproject.toml --extra try --constraint requirements/run.txt --constraint requirements/build.txt
lock test pyproject.toml --extra try --group test --constraint requirements/try.txt --constraint requirements/build.txt
lock check pyproject.toml --extra try --group test --group check \
    --constraint requirements/test.txt --constraint requirements/build.txt
lock browser pyproject.toml --extra try --group browser \
    --constraint requirements/test.txt --constraint requirements/build.txt
lock bench pyproject.toml --extra try --group bench \
    --constraint requirements/test.txt --constraint requirements/build.txt
