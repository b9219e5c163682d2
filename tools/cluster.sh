# shellcheck shell=bash
# A private temporary cluster. Source it in place of common.sh.

# shellcheck source=tools/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Starts a cluster that listens on a socket in its own directory only, and is gone when the script
# ends. Exports the PG variables that lead a client to it, as superuser. The array server_options
# may have further options of the server.
server_options=()
start_cluster() {
    make_temp_dir
    local dir=$temp_dir locale=C
    if locale -a 2>/dev/null | grep -qiE '^C\.utf-?8$'; then locale=C.UTF-8; fi

    # The environment may lead to another server.
    unset PGHOSTADDR PGSERVICE PGSERVICEFILE PGPASSWORD PGPASSFILE PGOPTIONS PGSSLMODE \
        PGREQUIRESSL PGCLIENTENCODING PGDATESTYLE PGTZ PGAPPNAME PGDATA
    export PGHOST=$dir PGPORT=5432 PGUSER=postgres PGDATABASE=postgres

    as_server "$PG_BINDIR/initdb" --pgdata="$dir/data" --username="$PGUSER" --auth=trust \
        --encoding=UTF8 --locale="$locale" --no-sync >"$dir/initdb.log" 2>&1 ||
        { cat "$dir/initdb.log" >&2; die 'initdb failed'; }
    at_exit "stop_cluster '$dir'"
    as_server "$PG_BINDIR/pg_ctl" start --wait --silent --pgdata="$dir/data" --log="$dir/log" \
        --options="-c listen_addresses='' -c unix_socket_directories='$dir' -c port=$PGPORT \
-c fsync=off ${server_options[*]}" \
        >/dev/null ||
        { as_server cat "$dir/log" >&2; die 'the server did not start'; }
}

stop_cluster() {
    as_server "$PG_BINDIR/pg_ctl" stop --wait --silent --mode=immediate --pgdata="$1/data" \
        >/dev/null 2>&1
}

# psql without the user's settings, for scripts.
run_psql() {
    "$PG_BINDIR/psql" --no-psqlrc --quiet --set=ON_ERROR_STOP=1 "$@"
}
