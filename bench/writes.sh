# writes [MPM ...]: a transaction (an order is written, a sum raised, the order read) from 1 to
# 64 writers; MariaDB (its log flushed once a second, as t/with-mariadb has it) and SQLite (each
# commit flushed).
. "$here/bench/servers.sh"
[ $# -gt 0 ] || set -- worker
fill_database
install sqlite3

tables='CREATE TABLE stock (id INTEGER NOT NULL PRIMARY KEY, sold INTEGER NOT NULL)ENGINE;
CREATE TABLE orders (id INTEGER PRIMARY KEY AUTO, stock_id INTEGER NOT NULL, qty INTEGER NOT NULL)ENGINE;
INSERT INTO stock WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    SELECT i, 0 FROM n;'
sed 's/ENGINE/ENGINE=InnoDB/; s/AUTO,/AUTO_INCREMENT,/' <<<"$tables" | sql mouse_bench
mkdir "$dir/data" "$dir/models"
{ echo 'PRAGMA journal_mode = WAL;'; sed 's/ENGINE//; s/AUTO,/AUTOINCREMENT,/' <<<"$tables"; } |
    sqlite3 "$dir/data/orders.sqlite" >/dev/null
[ "$(id -u)" -ne 0 ] || chown -R www-data "$dir/data"
cat >"$dir/models/orders.sql" <<'SQL'
-- name: place :one
-- param: qty int(1..9)
-- as: o
INSERT INTO orders (stock_id, qty) VALUES (:id, :qty);
-- expect: 1 else 404 "No such stock"
UPDATE stock SET sold = sold + :qty WHERE id = :id;
SELECT id, stock_id, qty FROM orders WHERE id = :o.insert_id;
SQL
cat >"$dir/place.lua" <<'LUA'
wrk.headers["Content-Type"] = "application/json"
function request()
    return wrk.format("POST", "/stock/" .. math.random(1000) .. "/orders", nil, '{"qty":2}')
end
LUA

wrk_options=(-s "$dir/place.lua")

mouse_database() {
    case $database in
    MariaDB)
        echo "MouseDatabase main mysql \"sock=$MOUSE_TEST_MYSQL_SOCKET,user=mouse,dbname=mouse_bench\" password-file=$password"
        ;;
    SQLite) echo "MouseDatabase main sqlite3 \"${dir%/*}/data/orders.sqlite\"" ;;
    esac
    echo "MousePool main max=64"
    echo "MouseModels ${dir%/*}/models database=main"
}

mouse_routes() {
    cat <<'CONF'
MouseRoute GET  /hello                 json '{"message":"Hello World"}'
MouseRoute POST /stock/{id:int}/orders sql orders/place
CONF
}

row() {
    local writers=$1
    clients=$writers compare "" "$mpm"
    record writes "$database,$writers" "$mpm" rate "$(field "$mpm" 1)"
    printf '%s\t' "$database" "$mpm" "$writers" "$(field "$mpm" 1)" "$(field "$mpm" 5)" \
        "$(field "$mpm" 6)" "$(field "$mpm" 7)" "$(field "$mpm" 2)"
    field "$mpm" 3
}

printf '\n### Transactions\n\n'
{
    printf 'database\tMPM\twriters\tcommits/s\tP50 ms\tP99 ms\tlongest ms\tCPU us\tMariaDB us\n'
    for database in MariaDB SQLite; do
        for mpm in "$@"; do
            clients=64 start_server "$mpm"
            for writers in 1 4 16 64; do row $writers; done
            stop_server "$mpm"
        done
    done
} >"$dir/rows"
table <"$dir/rows"
