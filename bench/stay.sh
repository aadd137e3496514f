# stay: MouseStay off and 5ms, two virtual hosts of one server under event, asked in turns.
# CPU is that of httpd's processes, user and system; switches are its threads' context
# switches. Both hold on a machine with other work to do, where rates do not.
[ $# -eq 0 ] || { echo "stay is about event alone" >&2; exit 2; }

sql() { mariadb --no-defaults -uroot -S "$MOUSE_TEST_MYSQL_SOCKET" "$@"; }
sql -e 'DROP DATABASE IF EXISTS mouse_bench; CREATE DATABASE mouse_bench CHARACTER SET utf8mb4'
sql mouse_bench <"$here/conf/examples/crow/schema.mysql.sql"
(umask 077; echo cheese >"$dir/pw")
{
    clients=64 # 128 threads
    base_conf event
    cat <<CONF
AsyncRequestWorkerFactor 20
MouseDatabase main mysql "sock=$MOUSE_TEST_MYSQL_SOCKET,user=mouse,dbname=mouse_bench" password-file=$dir/pw
MousePool main max=32
MouseModels $here/bench/models database=main
MouseRoute GET /hello          json '{"message":"Hello World"}'
MouseRoute GET /users/{id:int} sql users/by_id
<VirtualHost *>
    ServerName off
    MouseStay off
</VirtualHost>
<VirtualHost *>
    ServerName on
    MouseStay 5ms
</VirtualHost>
CONF
} >"$dir/httpd.conf"

# load HOST PATH: requests per second, CPU in us and switches per request, P99 in ms.
load() {
    local before after
    before=$("${usage[@]}")
    wrk -t1 -c"$clients" -d"${seconds}s" --latency -H "Host: $1" "$url/$2" >"$dir/wrk"
    after=$("${usage[@]}")
    awk -v before="$before" -v after="$after" '
        /^ +99%/ {p99 = $2 + 0; if ($2 ~ /us$/) p99 /= 1000; else if ($2 !~ /ms$/) p99 *= 1000}
        /requests in/ {n = $1}
        /^Requests\/sec/ {rate = $2}
        END {split(before, b, " "); split(after, a, " ")
             printf "%d %.1f %.2f %.2f\n", rate, (a[1] - b[1]) * 1000 / n, (a[2] - b[2]) / n, p99}' \
        "$dir/wrk"
}

# medians FILE: of each column.
medians() {
    local column
    for column in 1 2 3 4; do
        # shellcheck disable=SC2046
        median $(cut -d' ' -f$column "$1")
    done | tr '\n' ' '
}

start_httpd /hello
usage=(perl "$here/bench/usage.pl" cpu "$pid")
printf '%-8s %7s | %9s %6s %8s %8s | %9s %6s %8s %8s | %6s %6s\n' route clients off/s us switches \
    P99 5ms/s us switches P99 rate CPU
for path in hello users/7; do
    for clients in ${BENCH_STAY_CLIENTS:-1 8 32 200 1000}; do
        rm -f "$dir"/rows.*
        for _ in $(seq "$runs"); do
            for host in off on; do load $host $path >>"$dir/rows.$host"; done
        done
        # shellcheck disable=SC2046
        set -- $(medians "$dir/rows.off") $(medians "$dir/rows.on")
        printf '%-8s %7s | %9s %6s %8s %8s | %9s %6s %8s %8s | %6s %6s\n' "${path%/*}" "$clients" \
            "$@" "$(ratio "$5" "$1")" "$(ratio "$6" "$2")"
    done
done
