# penalty [MPM ...]: what a look-up costs - a static route, a point query of MariaDB and one of
# SQLite that send the same bytes, loaded in turns.
. "$here/bench/servers.sh"
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $mouse_names
fill_database
install sqlite3
mkdir "$dir/data" "$dir/lite"
sql mouse_bench -N -e 'SELECT userId, firstname, lastname, email FROM Users' >"$dir/users.tsv"
sqlite3 "$dir/data/users.sqlite" >/dev/null <<SQL
PRAGMA journal_mode = WAL;
CREATE TABLE Users (userId INTEGER PRIMARY KEY, firstname TEXT, lastname TEXT, email TEXT);
.mode tabs
.import $dir/users.tsv Users
SQL
[ "$(id -u)" -ne 0 ] || chown -R www-data "$dir/data"
cat >"$dir/lite/lite.sql" <<'SQL'
-- name: by_id :one
SELECT userId, firstname || ' ' || lastname AS name, email FROM Users WHERE userId = :id;
SQL
bytes='{"userId":7,"name":"Gus Purdy","email":"user7@example.org"}'

mouse_database() {
    cat <<CONF
MouseDatabase main mysql "sock=$MOUSE_TEST_MYSQL_SOCKET,user=mouse,dbname=mouse_bench" password-file=$password
MousePool main max=$pool
MouseModels $here/bench/models database=main
MouseDatabase lite sqlite3 "${dir%/*}/data/users.sqlite"
MousePool lite max=$pool
MouseModels ${dir%/*}/lite database=lite
CONF
}

mouse_routes() {
    cat <<CONF
MouseRoute GET /hello            json '$bytes'
MouseRoute GET /users/{id:int}   sql users/by_id
MouseRoute GET /lite/{id:int}    sql lite/by_id
CONF
    ! knows_coalesce || echo 'MouseRoute GET /together/{id:int} sql users/by_id coalesce'
}

routes=(static MariaDB SQLite)
! knows_coalesce || routes+=(coalesce)

path_of() {
    case $1 in
    static) echo /hello ;;
    MariaDB) echo /users/7 ;;
    SQLite) echo /lite/7 ;;
    coalesce) echo /together/7 ;;
    esac
}

load_route() { load "$mpm" "$(path_of "$1")"; }

row() {
    local route=$1 share
    share=$(calm_ratio "$route" static)
    record penalty "$route" "$mpm" share "$share"
    printf '%s\t' "$mpm" "$route" "$(field "$route" 1)" "$share" "$(field "$route" 2)" "$(field "$route" 3)"
    field "$route" 4
}

measure() {
    local route path
    start_server "$mpm"
    for route in "${routes[@]}"; do
        path=$(path_of "$route")
        [ "$(curl -fs "$(address "$mpm")$path")" = "$bytes" ] || { echo "$path: other bytes" >&2; exit 1; }
    done
    turns load_route "${routes[@]}"
    for route in "${routes[@]}"; do row "$route"; done
    stop_server "$mpm"
}

printf '\n### The database penalty\n\n'
{
    printf 'MPM\troute\treq/s\tof static\tCPU us\tMariaDB us\tswitches\n'
    for mpm in "$@"; do measure; done
} >"$dir/rows"
table <"$dir/rows"
