# shellcheck shell=bash
# What every script here needs. Source it from a script that has set -euo pipefail.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# Outside the checkout, so that the checkout may be read-only, and owned by anyone.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/pg_sketch/target}
export PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin
# The test harness of pgrx reads it, and containers often lack it.
export USER=${USER:-$(id -un)}
# It would put a backtrace into the DETAIL of every error that the server reports.
unset RUST_BACKTRACE
# The server's user must be able to read what is installed.
umask 022

readonly PG_OLDEST=14 PG_NEWEST=18

say() {
    printf '==> %s\n' "$*"
}

die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

is_root() {
    [[ $(id -u) -eq 0 ]]
}

as_root() {
    if is_root; then "$@"; else sudo "$@"; fi
}

# PostgreSQL refuses to run as root.
server_user() {
    if is_root; then echo postgres; else id -un; fi
}

# Runs in /, since the server's user may not be able to enter the checkout.
as_server() {
    if is_root; then
        (cd / && runuser -u postgres -- "$@")
    else
        (cd / && "$@")
    fi
}

# Cleaning up, last in first out, however the script ends.
exit_commands=()
run_exit_commands() {
    local i
    for ((i = ${#exit_commands[@]} - 1; i >= 0; i--)); do
        eval "${exit_commands[i]}" || true
    done
}
trap run_exit_commands EXIT

at_exit() {
    exit_commands+=("$*")
}

# Sets temp_dir to a new directory of the server's user, gone at exit. It lies in /tmp since the
# path of a socket may not exceed 107 bytes.
make_temp_dir() {
    temp_dir=$(mktemp -d /tmp/pg_sketch.XXXXXX)
    at_exit "rm -rf '$temp_dir'"
    if is_root; then chown postgres: "$temp_dir"; fi
}

# Finds the server to work with. Sets PG_CONFIG, PG_MAJOR and PG_BINDIR, or fails if there is none.
find_server() {
    local candidate found=
    if [[ -n ${PG_CONFIG:-} ]]; then
        found=$(command -v "$PG_CONFIG") || die "PG_CONFIG is '$PG_CONFIG', which is no program"
        "$found" --version >/dev/null || die "'$found --version' fails"
    else
        # Debian's /usr/bin/pg_config can be there without a server that it speaks of.
        for candidate in "$(command -v pg_config)" \
            $(compgen -G '/usr/lib/postgresql/*/bin/pg_config' | sort -Vr); do
            if [[ -n $candidate ]] && "$candidate" --version >/dev/null 2>&1; then
                found=$candidate
                break
            fi
        done
        [[ -n $found ]] || return 1
    fi
    PG_CONFIG=$(realpath --no-symlinks "$found")
    PG_MAJOR=$("$PG_CONFIG" --version | sed -E 's/^[^0-9]*([0-9]+).*/\1/')
    PG_BINDIR=$("$PG_CONFIG" --bindir)
    export PG_CONFIG PG_MAJOR PG_BINDIR
    # pgrx reads the headers of this server, also where plain cargo builds.
    export PGRX_PG_CONFIG_PATH=$PG_CONFIG
    if ((PG_MAJOR < PG_OLDEST || PG_MAJOR > PG_NEWEST)); then
        die "$PG_CONFIG is of PostgreSQL $PG_MAJOR; $PG_OLDEST to $PG_NEWEST are supported." \
            "Set PG_CONFIG to the pg_config of such a server."
    fi
}

need_server() {
    find_server || die "found no pg_config; run 'make setup', or set PG_CONFIG"
}

# The stock test driver of the server, which comes with its development files; PG_REGRESS names
# another in its place.
pg_regress_path() {
    if [[ -n ${PG_REGRESS:-} ]]; then
        echo "$PG_REGRESS"
        return
    fi
    realpath --canonicalize-missing "$(dirname "$("$PG_CONFIG" --pgxs)")/../test/regress/pg_regress"
}

# Whether this user may write to the folders of the server that hold extensions.
can_install() {
    [[ -w $("$PG_CONFIG" --pkglibdir) && -w $("$PG_CONFIG" --sharedir)/extension ]]
}

# The version of the extension, which stands in Cargo.toml alone.
version() {
    sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1
}

# The files of sql/ in the order of the install script, which src/lib.rs has for cargo-pgrx.
sql_files() {
    sed -n 's|^extension_sql_file!("\.\./\(sql/[a-z_]*\.sql\)".*|\1|p' src/lib.rs
}
