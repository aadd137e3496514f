# seeds [NAME ...]: the benchmarks of the projects that mod_mouse grew from. mouse-php's sweep:
# 100 connections at constant rates up to the knee, the highest rate that is still answered
# (99 % of it) with a P99 below 100 ms, found by bisection; the static and the point route.
# CrowPHP's two runs of `ab -n 100000 -c 30`. Latencies count from when a request was due, by
# wrk2 where it is on PATH, else by openloop.c.
. "$here/bench/servers.sh"
[ $# -gt 0 ] || set -- event worker php-fpm go
clients=100 pool=32
fill_database
build_compute
install apache2-utils gcc
gcc -O2 -o "$dir/openloop" "$here/bench/openloop.c"

# open_loop NAME PATH RATE: answers/s, mean, P50, P99, longest in ms, answers that were not 200.
open_loop() {
    if command -v wrk2 >/dev/null; then
        wrk2_loop "$@"
    else
        "$dir/openloop" "${port_of[$1]}" "$2" $clients "$3" "$seconds"
    fi
}

# wrk2 counts nothing in its first ten seconds.
wrk2_loop() {
    wrk2 -t1 -c$clients -d$((seconds + 10))s -R"$3" --latency "$(address "$1")$2" | awk '
        function ms(text) {
            if (text ~ /us$/) return text / 1000
            if (text ~ /ms$/) return text + 0
            return text * 1000
        }
        $1 == "Latency" && $2 != "Distribution" {mean = ms($2); longest = ms($4)}
        $1 == "50.000%" {p50 = ms($2)}
        $1 == "99.000%" {p99 = ms($2)}
        /^Requests\/sec/ {rate = $2}
        /Non-2xx/ {refused = $NF}
        END {printf "%s %s %s %s %s %d\n", rate, mean, p50, p99, longest, refused}'
}

holds() { awk -v asked="$1" '{exit !($1 >= 0.99 * asked && $4 < 100 && $6 == 0)}' <<<"$2"; }

# knee NAME PATH MOST: by five halvings between half of MOST and MOST.
knee() {
    local low=$(($3 / 2)) high=$3 middle
    for _ in 1 2 3 4 5; do
        middle=$(((low + high) / 2))
        if holds $middle "$(open_loop "$1" "$2" $middle)"; then low=$middle; else high=$middle; fi
    done
    echo $low
}

# row NAME PATH RATE LABEL
row() {
    local answer
    read -r -a answer < <(open_loop "$1" "$2" "$3")
    record seeds "$2" "$1" "p99 at $4" "${answer[3]}"
    record sweep "$2" "$1" "$3" "${answer[3]}"
    printf '%s\t' "$1" "$4" "$3" "${answer[@]:0:4}"
    echo "${answer[4]}"
}

# sweep NAME PATH: shares of the most that the server answers in a closed loop.
sweep() {
    local name=$1 path=$2 most part knee
    load "$name" "$path" >/dev/null # what compiles at run time does it now
    most=$(load "$name" "$path" | cut -d. -f1)
    row "$name" "$path" 100 100/s
    for part in 10 30 50 70 90; do row "$name" "$path" $((most * part / 100)) $part%; done
    knee=$(knee "$name" "$path" "$most")
    record seeds "$path" "$name" knee "$knee"
    row "$name" "$path" "$knee" knee
}

for name in "$@"; do
    is_mouse "$name" || install_peer "$name"
    start_server "$name"
    check_answers /users/7 "$1" "$name"
done
for path in /hello /users/7; do
    printf '\n### Open loop, %s\n\n' $path
    {
        printf 'server\tof its most\tasked/s\tanswered/s\tmean ms\tP50 ms\tP99 ms\tlongest ms\n'
        for name in "$@"; do sweep "$name" $path; done
    } >"$dir/rows"
    table <"$dir/rows"
done

printf '\n### CrowPHP: ab -n %s -c 30\n\n' "${BENCH_REQUESTS:-100000}"
{
    printf 'server\tpath\treq/s\tP50 ms\tP99 ms\tlongest ms\tfailed\n'
    for path in /hello /users; do
        for name in "$@"; do
            ab -q -n "${BENCH_REQUESTS:-100000}" -c 30 "$(address "$name")$path" 2>"$dir/logs/ab" |
                awk -v name="$name" -v path=$path '
                    /^Requests per second/ {rate = $4}
                    /^Failed requests/ {failed = $3}
                    /^Non-2xx/ {failed += $3}
                    $1 == "50%" {p50 = $2}
                    $1 == "99%" {p99 = $2}
                    $1 == "100%" {longest = $2}
                    END {printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", name, path, rate, p50, p99, longest, failed}'
        done
    done
} >"$dir/rows"
table <"$dir/rows"
