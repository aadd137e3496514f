# core [MPM ...]: mod_mouse beside a hand-written handler in the same httpd that sends the same
# bytes, loaded in turns.
. "$here/bench/servers.sh"
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $mouse_names
fill_database
# shellcheck disable=SC2046
gcc -O2 -fPIC -shared -I"$(apxs -q INCLUDEDIR)" $(apr-1-config --includes --cppflags) \
    $(pkg-config --cflags libmariadb) -o "$dir/mod_reference.so" "$here/bench/mod_reference.c" \
    $(pkg-config --libs libmariadb)

mouse_routes() {
    cat <<CONF
LoadModule reference_module $dir/mod_reference.so
ReferenceSocket $MOUSE_TEST_MYSQL_SOCKET
MouseRoute GET /hello              json '{"message":"Hello World"}'
<MouseGroup "/mouse">
    MouseRoute GET /hello          json '{"message":"Hello World"}'
    MouseRoute GET /users          sql users/list
    MouseRoute GET /users/{id:int} sql users/by_id
</MouseGroup>
CONF
}

load_side() { load "$mpm" "/$1/$path"; }

row() {
    cmp <(curl -fs "$(address "$mpm")/mouse/$path") <(curl -fs "$(address "$mpm")/ref/$path") ||
        { echo "$path: answers differ" >&2; exit 1; }
    turns load_side mouse ref
    record core "$path" "$mpm" ratio "$(calm_ratio mouse ref)"
    record core "$path" "$mpm" rate "$(field mouse 1)"
    printf '%s\t' "$mpm" "/$path" "$(field mouse 1)" "$(field ref 1)" "$(calm_ratio mouse ref)" \
        "$(field mouse 2)" "$(field mouse 4)"
    pss_of "$mpm"
}

printf '\n### Beside a hand-written handler\n\n'
{
    printf 'MPM\troute\tmouse/s\treference/s\tratio\tCPU us\tswitches\tPSS MiB\n'
    for mpm in "$@"; do
        start_server "$mpm"
        for path in hello users/7 users; do row; done
        stop_server "$mpm"
    done
} >"$dir/rows"
table <"$dir/rows"
