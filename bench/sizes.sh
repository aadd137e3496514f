# sizes [MPM ...]: answers of 1 kB to 10 MB (one text) and of 1 to 10,000 rows, from MariaDB, by
# eight clients.
. "$here/bench/servers.sh"
[ $# -gt 0 ] || set -- event worker
clients=8
fill_database
mkdir "$dir/models"
cat >"$dir/models/sizes.sql" <<'SQL'
-- name: text :one
SELECT REPEAT('abcdefghi ', :n / 10) AS text;

-- name: rows :many
SELECT userId, CONCAT(firstname, ' ', lastname) AS name, email FROM Many LIMIT :n;
SQL
sql mouse_bench -e 'CREATE TABLE Many ENGINE=InnoDB AS
    SELECT seq AS userId, firstname, lastname, email FROM Users, seq_1_to_10 LIMIT 10000'

mouse_database() {
    cat <<CONF
MouseDatabase main mysql "sock=$MOUSE_TEST_MYSQL_SOCKET,user=mouse,dbname=mouse_bench" password-file=$password
MousePool main max=$pool
MouseModels ${dir%/*}/models database=main
CONF
}

mouse_routes() {
    cat <<'CONF'
MouseRoute GET /hello        json '{"message":"Hello World"}'
MouseRoute GET /text/{n:int} sql sizes/text
MouseRoute GET /rows/{n:int} sql sizes/rows
CONF
}

row() {
    local path=$1 name=$2 bytes rate
    bytes=$(curl -fs "$(address "$name")$path" | wc -c)
    rate=$(field "$name" 1)
    record sizes "$path" "$name" rate "$rate"
    printf '%s\t' "$path" "$name" "$bytes" "$rate" "$(awk "BEGIN {printf \"%.0f\", $rate * $bytes / 1e6}")" \
        "$(field "$name" 5)" "$(field "$name" 6)" "$(field "$name" 2)"
    pss_of "$name"
}

for name in "$@"; do start_server "$name"; done
printf '\n### Sizes\n\n'
{
    printf 'path\tMPM\tbytes\treq/s\tMB/s\tP50 ms\tP99 ms\tCPU us\tPSS MiB\n'
    for path in /text/1000 /text/10000 /text/100000 /text/1000000 /text/10000000 \
        /rows/1 /rows/10 /rows/100 /rows/1000 /rows/10000; do
        compare $path "$@"
        for name in "$@"; do row $path "$name"; done
    done
} >"$dir/rows"
table <"$dir/rows"
