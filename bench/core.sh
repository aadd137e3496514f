# core [MPM ...]: mod_mouse beside a hand-written handler that sends the same bytes.
[ $# -gt 0 ] || set -- event worker prefork

sql() { mariadb --no-defaults -uroot -S "$MOUSE_TEST_MYSQL_SOCKET" "$@"; }
sql -e 'DROP DATABASE IF EXISTS mouse_bench; CREATE DATABASE mouse_bench CHARACTER SET utf8mb4'
sql mouse_bench <"$here/conf/examples/crow/schema.mysql.sql"
# shellcheck disable=SC2046
gcc -O2 -fPIC -shared -I"$(apxs -q INCLUDEDIR)" $(apr-1-config --includes --cppflags) \
    $(pkg-config --cflags libmariadb) -o "$dir/mod_reference.so" "$here/bench/mod_reference.c" \
    $(pkg-config --libs libmariadb)
(umask 077; echo cheese >"$dir/pw")

printf '%-8s %-12s %12s %12s %7s %8s\n' MPM route mouse/s reference/s ratio 'PSS MiB'
for mpm in "$@"; do
    {
        base_conf "$mpm"
        cat <<CONF
LoadModule reference_module $dir/mod_reference.so
ReferenceSocket $MOUSE_TEST_MYSQL_SOCKET
MouseDatabase main mysql "sock=$MOUSE_TEST_MYSQL_SOCKET,user=mouse,dbname=mouse_bench" password-file=$dir/pw
MousePool main max=$clients
MouseModels $here/bench/models database=main
<MouseGroup "/mouse">
    MouseRoute GET /hello          json '{"message":"Hello World"}'
    MouseRoute GET /users          sql users/list
    MouseRoute GET /users/{id:int} sql users/by_id
</MouseGroup>
CONF
    } >"$dir/httpd.conf"
    start_httpd /mouse/hello
    for path in hello users/7 users; do
        cmp <(curl -fs "$url/mouse/$path") <(curl -fs "$url/ref/$path") ||
            { echo "$path: answers differ"; exit 1; }
        mouse=() reference=()
        for _ in $(seq "$runs"); do
            mouse+=("$(rate "/mouse/$path")")
            reference+=("$(rate "/ref/$path")")
        done
        m=$(median "${mouse[@]}") f=$(median "${reference[@]}")
        printf '%-8s %-12s %12s %12s %7s %8s\n' "$mpm" "$path" "$m" "$f" "$(ratio "$m" "$f")" \
            "$(pss)"
    done
    stop_httpd
done
