# peers [NAME ...]: mod_mouse under each MPM beside other servers that answer the same bytes,
# all running at once and loaded in turns. CPU and switches are those of the server's own
# processes for one request; CPU in microseconds, which is milliseconds for 1,000 requests.
. "$here/bench/servers.sh"
[ $# -gt 0 ] || set -- $peer_names
fill_database
build_compute
for name in "$@"; do install_peer "$name"; done
# shellcheck disable=SC2086
set -- $mouse_names "$@"
for name in "$@"; do start_server "$name"; done
for path in /hello /users/7 /users /sleep/50 /compute/1000; do check_answers $path "$@"; done

row() {
    local name=$1 mpm ratios=()
    for mpm in $mouse_names; do
        ratios+=("$(calm_ratio "$mpm" "$name")")
        record peers "$path" "$name" "$mpm/it" "${ratios[-1]}"
    done
    set -- "$(field "$name" 1)" "$(field "$name" 2)" "$(field "$name" 3)" "$(field "$name" 4)" "$(pss_of "$name")"
    record peers "$path" "$name" rate "$1"
    record peers "$path" "$name" cpu "$2"
    record peers "$path" "$name" switches "$4"
    record peers "$path" "$name" pss "$5"
    record peers "$path" "$name" spread "$(spread "$name")"
    printf '%s\t' "$name" "$1" "$(spread "$name")" "${ratios[@]}" "$2" "$3" "$4"
    echo "$5"
}

# Behind the three routes, 100 users with `coalesce` where this mod_mouse knows it.
load_peer() {
    case $path,$1 in
    together,event | together,worker | together,prefork) load "$1" /together/users ;;
    together,*) load "$1" /users ;;
    *) load "$1" "$path" ;;
    esac
}

paths=(/hello /users/7 /users)
if knows_coalesce; then
    paths+=(together)
    for name in $mouse_names; do
        cmp <(curl -fs "$(address "$name")/users") <(curl -fs "$(address "$name")/together/users") ||
            { echo "$name answers otherwise with coalesce" >&2; exit 1; }
    done
fi
for path in "${paths[@]}"; do
    turns load_peer "$@"
    title=$path
    [ "$path" != together ] || title='/users, coalesced by mod_mouse'
    printf '\n### %s\n\n' "$title"
    {
        printf 'server\treq/s\tspread %%\tevent/it\tworker/it\tprefork/it\tCPU us\tMariaDB us\tswitches\tPSS MiB\n'
        for name in "$@"; do row "$name"; done
    } >"$dir/rows"
    table <"$dir/rows"
done
