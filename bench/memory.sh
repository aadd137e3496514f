# memory [MPM ...]: what the tree of processes holds, shared pages by their part, at the start
# and after a quarter, half and all of BENCH_REQUESTS (2,000,000) requests, static and point
# query in turns.
. "$here/bench/servers.sh"
[ $# -gt 0 ] || set -- event worker
total=${BENCH_REQUESTS:-2000000}
fill_database
build_compute
install nghttp2-client

# ask MPM COUNT: exactly so many requests.
ask() {
    h2load --h1 -t1 -c"$clients" -n"$2" "$(address "$1")/hello" "$(address "$1")/users/7" >"$dir/h2load"
    grep -q "$2 succeeded, 0 failed" "$dir/h2load" || { cat "$dir/h2load" >&2; exit 1; }
}

row() {
    local mpm=$1 held
    start_server "$mpm"
    held=("$(pss_of "$mpm")")
    for count in $((total / 4)) $((total / 4)) $((total / 2)); do
        ask "$mpm" $count
        held+=("$(pss_of "$mpm")")
    done
    stop_server "$mpm"
    record memory "$total" "$mpm" quarter "${held[1]}"
    record memory "$total" "$mpm" all "${held[3]}"
    printf '%s\t%s\t%s\t%s\t%s\n' "$mpm" "${held[@]}"
}

printf '\n### PSS in MiB after so many requests\n\n'
{
    printf 'MPM\t0\t%s\t%s\t%s\n' $((total / 4)) $((total / 2)) "$total"
    for mpm in "$@"; do row "$mpm"; done
} >"$dir/rows"
table <"$dir/rows"
