# all: every suite, each as a process of its own beside the same MariaDB; then the goals, and
# docs/benchmarks.md with its charts. BENCH_DOCS names another folder for both. What a noisy
# machine leaves no time for is left out, so that it ends within 40 minutes.
export BENCH_SECONDS=${BENCH_SECONDS:-2} BENCH_RUNS=${BENCH_RUNS:-3} BENCH_RESULTS=$dir/results
docs=${BENCH_DOCS:-$here/docs}
began=$(date +%s)
: >"$BENCH_RESULTS"

# suite NAME [ARGUMENT...]: its tables go here and into the page; a failure ends none but itself.
suite() {
    local name=$1
    if [ $(($(date +%s) - began)) -gt 2000 ]; then
        echo "Left out: no time." | tee "$dir/$name.md"
        return
    fi
    echo "== $*, after $(($(date +%s) - began)) s" >&2
    "$here/bench/run" "$@" >"$dir/$name.md" || echo "$name failed." >>"$dir/$name.md"
    cat "$dir/$name.md"
}

suite peers
suite core
# Long, because what is under way at the end does not count, and queries take up to a second.
BENCH_RUNS=1 BENCH_SECONDS=$((3 * BENCH_SECONDS)) suite io
BENCH_RUNS=1 suite seeds
suite penalty
suite memory
BENCH_RUNS=1 suite writes
BENCH_RUNS=1 suite sizes
BENCH_REQUESTS=${BENCH_REQUESTS:-50000} suite tls
BENCH_SECONDS=1 suite guards worker
suite budget
BENCH_SECONDS=1 BENCH_STAY_CLIENTS="1 32 200" suite stay
perl "$here/bench/goals.pl" "$BENCH_RESULTS" >"$dir/goals.md"
printf '\n### Goals\n\n'
cat "$dir/goals.md"

first_line() { "$@" 2>&1 | sed -n 1p; }

versions() {
    local cpu
    cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sed -n 1p)
    printf -- '- %s\n' "$(nproc) cores, ${cpu:-unknown}; Linux $(uname -r); $(. /etc/os-release && echo "$PRETTY_NAME")" \
        "$(first_line "$httpd" -v)" "$(first_line mariadbd --version)" \
        "$(first_line "$(find /usr/sbin -name 'php-fpm[0-9]*' | sort -V | tail -n 1)" -v)" \
        "Node $(first_line node --version), mysql2 $(sed -n 's/.*"version": "\(.*\)".*/\1/p' "$here/build/bench/node_modules/mysql2/package.json")" \
        "$(first_line go version)" "$(first_line nginx -v), Lua client: bench/peers/nginx-lua/mysql.lua" \
        "$(first_line wrk -v), $(first_line h2load --version)"
}

section() { printf '\n## %s\n' "$1"; shift; [ $# -eq 0 ] || printf '\n%s\n' "$*"; }
chart() { printf '\n![%s](benchmarks-%s.svg)\n' "$2" "$1"; }

page() {
    cat <<TEXT
# Benchmarks

\`bench/run all\`, $(date -u +%F), $(git -C "$here" rev-parse --short HEAD 2>/dev/null || echo 'a release'); $BENCH_RUNS runs of $BENCH_SECONDS s each, in turns, medians; wrk with
one thread and $clients connections where nothing else is said. Load generator, server and MariaDB share the
machine: ratios hold, absolute figures drift. Where the runs of one server lie more than 15 %
apart they are repeated, up to twice; then the ratio is "noisy". CPU is that of the server's own
processes for one request in microseconds, which is milliseconds for 1,000 requests; switches are
their context switches for one request; PSS counts shared pages by their part.

TEXT
    versions
    section Goals; echo; cat "$dir/goals.md"
    section 'Beside other servers' "The same answers byte for byte from the same MariaDB, by its unix
socket; each server is configured in [bench/peers](../bench/peers)."
    chart static 'static route'; chart point 'point query'; chart users '100 users'; chart cpu 'CPU by request'
    cat "$dir/peers.md"
    section 'The cost of mod_mouse'; cat "$dir/core.md"
    section 'Slow queries and small pools' '100 clients, one run each of three times that length.'; cat "$dir/io.md"
    section 'Open loop' "100 connections at constant rates. Latencies count from when a request was due,
so a stall of the server omits nothing. The knee is the highest rate that is still answered with a
P99 below 100 ms; one run each. Shares are of what the server answers in a closed loop."
    chart sweep-static 'static route'; chart sweep-point 'point query'; cat "$dir/seeds.md"
    section 'Static, MariaDB, SQLite'; cat "$dir/penalty.md"
    section 'Writes' 'One run each.'; cat "$dir/writes.md"
    section 'Large answers' '8 clients, one run each.'; cat "$dir/sizes.md"
    section 'TLS and HTTP/2' 'One run each.'; cat "$dir/tls.md"
    section 'Memory'; cat "$dir/memory.md"
    section 'Instructions'; cat "$dir/budget.md"
    section 'MouseStay' 'event without it and with 5ms; the tables above have it.'
    printf '\n<!-- not run: measured -->\n```\n'; cat "$dir/stay.md"; printf '```\n'
    section 'Guards'; printf '\n<!-- not run: measured -->\n```\n'; cat "$dir/guards.md"; printf '```\n'
    cat <<'TEXT'

Route look-up, `bench/route.sh`, instructions by callgrind: static 487, 502, 509 for 10, 1,000
and 10,000 routes; dynamic 1,385, 1,401, 1,430 for 10, 100 and 1,000.
TEXT
}

mkdir -p "$docs"
page >"$docs/benchmarks.md"
perl "$here/bench/chart.pl" "$BENCH_RESULTS" "$docs"
echo "$(($(date +%s) - began)) s; written: $docs/benchmarks.md" >&2
