# io [NAME ...]: slow queries of 50 and 200 ms from 100 clients, with a pool of 20 and of 100
# connections, and 1,000 square roots; mod_mouse under event and worker beside the peers. The
# most a pool can give is its size by the time of the query: who gives more has a larger one, and
# is not compared.
. "$here/bench/servers.sh"
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $peer_names
clients=100
fill_database
build_compute
for name in "$@"; do install_peer "$name"; done
set -- event worker "$@"

# Every run ends with queries under way, which servers give up together with their connections;
# so each begins with connections opened anew, by requests that nobody measures.
load_compared() {
    settle
    ab -q -n $((3 * clients)) -c $clients "$(address "$1")$compared" >"$dir/ab" 2>&1 || true
    load "$1" "$compared"
}

# of_the_most RATE LIMIT: a part of it; LIMIT -: there is none.
of_the_most() {
    awk -v rate="$1" -v limit="$2" 'BEGIN {
        if (limit == "-") print "-"
        else if (rate > 1.05 * limit) print "over the pool"
        else printf "%.3f\n", rate / limit
    }'
}

# measure TITLE PATH LIMIT NAME...
measure() {
    local title=$1 path=$2 limit=$3 name part
    shift 3
    compare "$path" "$@"
    printf '\n### %s\n\n' "$title"
    {
        printf 'server\treq/s\tof the most\tP50 ms\tP99 ms\tlongest ms\tCPU us\tPSS MiB\n'
        for name in "$@"; do
            part=$(of_the_most "$(field "$name" 1)" "$limit")
            if [ "$part" != "over the pool" ]; then
                record io "$path,$pool" "$name" rate "$(field "$name" 1)"
                record io "$path,$pool" "$name" p99 "$(field "$name" 6)"
            fi
            printf '%s\t' "$name" "$(field "$name" 1)" "$part" \
                "$(field "$name" 5)" "$(field "$name" 6)" "$(field "$name" 7)" "$(field "$name" 2)"
            pss_of "$name"
        done
    } >"$dir/rows"
    table <"$dir/rows"
}

for pool in 20 100; do
    php_children=$pool
    for name in "$@"; do start_server "$name"; done
    check_answers /sleep/50 "$@"
    measure "50 ms, pool $pool" /sleep/50 $((pool * 20)) "$@"
    measure "200 ms, pool $pool" /sleep/200 $((pool * 5)) "$@"
    if [ "$pool" = 20 ]; then
        check_answers /compute/1000 "$@"
        measure "1,000 square roots" /compute/1000 - "$@"
    fi
    stop_servers
done
