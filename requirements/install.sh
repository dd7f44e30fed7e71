#!/bin/sh
# Bring `.venv` up to one lock: `sh requirements/install.sh try`. Called by the Makefile, which keeps the stamps.
# Uses uv where it is installed, else venv and pip. Everything comes from the locks, hashes checked; the few
# packages without a wheel are built with what requirements/build.txt pins.
set -eu

lock=requirements/$1.txt
python=.venv/bin/python
busy=.venv/installing
wanted='import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))'

say() {
    echo "$*" >&2
}

find_python() {
    # Each candidate is run: a name on the PATH may be a shim with nothing behind it.
    for candidate in ${PYTHON:-} python3.13 python3.12 python3.11 python3 python; do
        if "$candidate" -c "$wanted" >/dev/null 2>&1; then
            "$candidate" -c 'import sys; print(sys.executable)'
            return
        fi
    done
}

make_environment() {
    rm -rf .venv
    base=$(find_python)
    if [ -n "$uv" ]; then
        say "Making .venv with uv …"
        "$uv" venv --quiet --python "${base:->=3.11,<3.14}" .venv
    elif [ -n "$base" ]; then
        say "Making .venv with $("$base" --version) …"
        if ! "$base" -m venv .venv; then
            rm -rf .venv
            say "$base cannot make virtual environments. On Debian and Ubuntu: apt install python3-venv. Then run make again."
            exit 1
        fi
    else
        say "Paper Round needs Python 3.11, 3.12 or 3.13, and none is on the PATH."
        say "Install one, or name it: make $1 PYTHON=/path/to/python3.12"
        exit 1
    fi
}

# While packages are written, no stamp may say that its lock is there.
rename_stamps() {
    for stamp in .venv/"$1"-*; do
        [ ! -e "$stamp" ] || mv "$stamp" ".venv/$2-${stamp#.venv/"$1"-}"
    done
}

install() {
    if [ -n "$uv" ]; then
        "$uv" pip install --quiet --python "$python" "$@"
    else
        "$python" -m pip install -qq --disable-pip-version-check --no-input "$@"
    fi
}

# A lock is whole, so nothing is to be resolved: pip would look at newer releases than those locked wherever a
# package asks for another one's extra (`lxml[html_clean]`), and stop because those have no hash.
install_lock() {
    install --require-hashes --no-deps "$@"
}

check() {
    if [ -n "$uv" ]; then
        "$uv" pip check --quiet --python "$python"
    else
        "$python" -m pip --disable-pip-version-check check >/dev/null
    fi || {
        say "$lock does not hold all that its packages need: make lock, then run make again."
        exit 1
    }
}

uv=$(command -v uv || true)
owner=$(cat "$busy" 2>/dev/null || true)
if [ -n "$owner" ] && kill -0 "$owner" 2>/dev/null; then
    say "Another make (process $owner) is setting up .venv. Wait for it, then run make again."
    exit 1
fi
# An installation that was interrupted may have left half a package: begin again.
if [ -e "$busy" ] || ! "$python" -c "$wanted" >/dev/null 2>&1; then
    make_environment "$1"
fi

echo $$ >"$busy"
rename_stamps has had
say "Installing $lock into .venv; the first time, this can take a minute …"
install_lock --only-binary :all: -r requirements/build.txt
install_lock --no-build-isolation -r "$lock"
install --no-deps --no-build-isolation --editable .
check
rename_stamps had has
rm "$busy"
