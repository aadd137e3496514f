# Servers side by side, for the suites that compare: each of its own folder, port and process
# tree; what a load costs them and MariaDB. Sourced by a suite behind lib.sh. A server is
# mod_mouse under event, worker or prefork, or a folder of bench/peers.
mouse_names="event worker prefork" peer_names="php-fpm node go nginx-lua"
results=${BENCH_RESULTS:-$dir/results}
pool=$clients php_children=$((4 * $(nproc)))
node_modules=$here/build/bench/node_modules
mariadb_pid=$(cat "$(dirname "$MOUSE_TEST_MYSQL_SOCKET")/pid")
declare -A root_of port_of
wrk_options=()
trap 'stop_servers; stop_httpd; rm -rf "$dir"' EXIT

sql() { mariadb --no-defaults -uroot -S "$MOUSE_TEST_MYSQL_SOCKET" "$@"; }

# CrowPHP's 1,000 users; room for the connections of all servers at once.
fill_database() {
    sql -e 'SET GLOBAL max_connections = 2000;
        DROP DATABASE IF EXISTS mouse_bench; CREATE DATABASE mouse_bench CHARACTER SET utf8mb4'
    sql mouse_bench <"$here/conf/examples/crow/schema.mysql.sql"
    (umask 077; echo cheese >"$dir/pw")
}

is_mouse() { case " $mouse_names " in *" $1 "*) ;; *) return 1 ;; esac; }

# install PACKAGE...: without starting services, which would listen on every address.
install() {
    local missing=() package kept=
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    [ "$(id -u)" -eq 0 ] || { echo "missing; as root: apt-get install ${missing[*]}" >&2; exit 1; }
    if [ ! -e /usr/sbin/policy-rc.d ]; then
        kept=1
        printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
        chmod 755 /usr/sbin/policy-rc.d
    fi
    apt-get update -qq || true
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq \
        --no-install-recommends "${missing[@]}" >"$dir/logs/apt" 2>&1 ||
        { tail "$dir/logs/apt" >&2; exit 1; }
    [ -z "$kept" ] || rm -f /usr/sbin/policy-rc.d
}

# Node as it is on PATH, else Debian's; mysql2 by npm, kept in build/.
install_node() {
    command -v node >/dev/null || install nodejs
    [ -d "$node_modules/mysql2" ] && return
    command -v npm >/dev/null || install npm
    mkdir -p "$here/build/bench"
    npm install --silent --no-save --prefix "$here/build/bench" mysql2 >"$dir/logs/npm" 2>&1 ||
        { tail "$dir/logs/npm" >&2; exit 1; }
}

install_peer() {
    case $1 in
    node) install_node ;;
    *)
        # shellcheck disable=SC2046
        install $(cat "$here/bench/peers/$1/packages")
        ;;
    esac
}

free_port() {
    perl -MIO::Socket::INET -e \
        'print IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport'
}

# mouse_database, mouse_routes: what all servers answer from what; a suite that measures other
# routes defines them anew. MouseStay, under event, is what docs/how-to/tune.md recommends for a
# host like this one; the suite `stay` has both.
mouse_database() {
    cat <<CONF
MouseDatabase main mysql "sock=$MOUSE_TEST_MYSQL_SOCKET,user=mouse,dbname=mouse_bench" password-file=$password
MousePool main max=$pool
MouseModels $here/bench/models database=main
CONF
}
mouse_routes() {
    cat <<CONF
LoadModule compute_module $dir/mod_compute.so
MouseStay  5ms
MouseGuard bounded at-most 1000000 {steps}
MouseRoute GET /hello               json '{"message":"Hello World"}'
MouseRoute GET /users               sql users/list
MouseRoute GET /users/{id:int}      sql users/by_id
MouseRoute GET /sleep/50            sql sleep/short
MouseRoute GET /sleep/200           sql sleep/long
MouseRoute GET /compute/{steps:int} controller compute use=bounded
CONF
    ! knows_coalesce || echo 'MouseRoute GET /together/users sql users/list coalesce'
}

# Whether routes of this mod_mouse take the option `coalesce`: its messages name it.
knows_coalesce() { grep -qa 'coalesce is for' "$here/build/.libs/mod_mouse.so"; }

build_compute() {
    make -s -C "$here/build" t/compute/mod_compute.la >/dev/null
    cp "$here/build/t/compute/.libs/mod_compute.so" "$dir/"
}

# start_mouse MPM HOME PORT: lib.sh's configuration with another folder and port. In a session
# of its own, as all servers, because prefork's parent ends its whole process group.
start_mouse() {
    local mpm=$1 mouse=$dir/mod_mouse.so password=$dir/pw
    local dir=$2 port=$3
    ln -sf "$mouse" "$dir/mod_mouse.so"
    {
        base_conf "$mpm"
        mouse_database
        dir=${dir%/*} mouse_routes
    } >"$dir/httpd.conf"
    exec setsid "$httpd" -d "$dir" -f "$dir/httpd.conf" -DFOREGROUND
}

# start_peer NAME HOME PORT: a copy of its folder, as the user that httpd runs as. Of a pool that is
# as large as there are clients, each worker may have all: they are not dealt evenly.
start_peer() {
    cp -R "$here/bench/peers/$1/." "$2/"
    [ "$1" != node ] || cp -R "$node_modules" "$2/"
    [ "$(id -u)" -ne 0 ] || chown -R www-data "$2"
    export BENCH_PORT=$3 BENCH_POOL=$pool BENCH_WORKER_POOL=$((pool < clients ? pool / 2 : pool)) \
        BENCH_WORKERS=$((clients * 2)) \
        BENCH_CHILDREN=$php_children \
        BENCH_SOCKET=$MOUSE_TEST_MYSQL_SOCKET BENCH_DATABASE=mouse_bench
    as_user setsid "$2/start"
}

# start_server NAME: returns when it answers.
start_server() {
    local name=$1 home=$dir/$1
    rm -rf "$home"
    mkdir -p "$home/logs"
    port_of[$name]=$(free_port)
    if is_mouse "$name"; then
        start_mouse "$name" "$home" "${port_of[$name]}" >"$home/logs/out" 2>&1 &
    else
        start_peer "$name" "$home" "${port_of[$name]}" >"$home/logs/out" 2>&1 &
    fi
    root_of[$name]=$!
    disown
    for _ in $(seq 300); do
        curl -fs -o /dev/null "$(address "$name")/hello" && return 0
        kill -0 "${root_of[$name]}" 2>/dev/null || break
        sleep 0.1
    done
    echo "$name does not answer:" >&2
    tail -n 20 "$home"/logs/* >&2
    exit 1
}

address() { echo "http://127.0.0.1:${port_of[$1]}"; }
usage() { perl "$here/bench/usage.pl" "$@"; }
pss_of() { awk "BEGIN {printf \"%.1f\\n\", $(usage pss "${root_of[$1]}") / 1024}"; }

# stop_server NAME: all its processes by their ids, and waits for them.
stop_server() {
    local pids p
    [ -n "${root_of[$1]:-}" ] || return 0
    pids=$(usage pids "${root_of[$1]}")
    unset "root_of[$1]"
    # shellcheck disable=SC2086
    kill $pids 2>/dev/null || true
    for p in $pids; do
        for _ in $(seq 100); do
            kill -0 "$p" 2>/dev/null || continue 2
            sleep 0.1
        done
        kill -KILL "$p" 2>/dev/null || true
    done
}

stop_servers() {
    local name
    for name in "${!root_of[@]}"; do stop_server "$name"; done
}

# check_answers PATH NAME...: byte for byte as the first one's.
check_answers() {
    local path=$1 first=$2 name
    shift 2
    for name in "$@"; do
        cmp <(curl -fs "$(address "$first")$path") <(curl -fs "$(address "$name")$path") ||
            { echo "$path: $name does not answer as $first does" >&2; exit 1; }
    done
}

# settle: until MariaDB runs nothing more. When wrk ends, mod_mouse cancels what its clients no
# longer wait for; a hundred cancelled SLEEP()s keep MariaDB from new ones for some seconds.
settle() {
    local running
    for _ in $(seq 100); do
        running=$(sql -N -e "SELECT COUNT(*) FROM information_schema.processlist
            WHERE command NOT IN ('Sleep', 'Daemon') AND id <> CONNECTION_ID()")
        [ "$running" -gt 0 ] || return 0
        sleep 0.1
    done
}

# load NAME PATH: one run, with $wrk_options; prints req/s, and by request the server's CPU in
# microseconds, MariaDB's, and the server's context switches; P50, P99 and the longest in ms.
load() {
    local name=$1 path=$2 root=${root_of[$1]} before after db_before db_after
    settle
    before=$(usage cpu "$root") db_before=$(usage cpu "$mariadb_pid")
    wrk -t1 -c"$clients" -d"${seconds}s" --latency "${wrk_options[@]}" \
        "$(address "$name")$path" >"$dir/wrk"
    after=$(usage cpu "$root") db_after=$(usage cpu "$mariadb_pid")
    grep -E 'Non-2xx|Socket errors' "$dir/wrk" | sed "s|^ *|$name $path: |" >&2
    awk -v before="$before" -v after="$after" -v db_before="$db_before" -v db_after="$db_after" '
        function ms(text) {
            if (text ~ /us$/) return text / 1000
            if (text ~ /ms$/) return text + 0
            return text * 1000
        }
        $1 == "Latency" && $2 != "Distribution" {longest = ms($4)}
        $1 == "50%" {p50 = ms($2)}
        $1 == "99%" {p99 = ms($2)}
        /requests in/ {requests = $1}
        /^Requests\/sec/ {rate = $2}
        END {
            split(before, b); split(after, a); split(db_before, db); split(db_after, da)
            n = requests ? requests : 1
            printf "%s %.1f %.1f %.2f %.2f %.2f %.2f\n", rate, 1000 * (a[1] - b[1]) / n,
                1000 * (da[1] - db[1]) / n, (a[2] - b[2]) / n, p50, p99, longest
        }' "$dir/wrk"
}

# turns FUNCTION WHAT...: $runs runs of FUNCTION WHAT, each in turn, into $dir/runs/WHAT; what lies
# more than 15 % apart in its own runs is run again, up to twice.
turns() {
    local run=$1 noisy=() each
    shift
    rm -rf "$dir/runs"
    mkdir "$dir/runs"
    for each in "$@"; do seconds=1 "$run" "$each" >/dev/null; done # what compiles at run time does it now
    noisy=("$@")
    for _ in 1 2 3; do
        for each in "${noisy[@]}"; do rm -f "$dir/runs/$each"; done
        for _ in $(seq "$runs"); do
            for each in "${noisy[@]}"; do "$run" "$each" >>"$dir/runs/$each"; done
        done
        noisy=()
        for each in "$@"; do is_calm "$each" || noisy+=("$each"); done
        [ ${#noisy[@]} -gt 0 ] || return 0
    done
}

# compare PATH NAME...: one path of several servers.
compare() {
    local compared=$1
    shift
    turns load_compared "$@"
}
load_compared() { load "$1" "$compared"; }

# field WHAT N: the median of the Nth figure over the runs; spread: (most - least) / median.
field() {
    # shellcheck disable=SC2046
    median $(awk -v n="$2" '{print $n}' "$dir/runs/$1")
}
spread() {
    sort -n "$dir/runs/$1" | awk '{a[NR] = $1}
        END {m = a[int((NR + 1) / 2)]; printf "%.0f", (m > 0 ? 100 * (a[NR] - a[1]) / m : 999)}'
}
is_calm() { [ "$(spread "$1")" -le 15 ]; }

# calm_ratio A B: of req/s, or that it cannot be told.
calm_ratio() {
    if is_calm "$1" && is_calm "$2"; then
        ratio "$(field "$1" 1)" "$(field "$2" 1)"
    else
        echo noisy
    fi
}

# record SUITE CASE SERVER FIGURE VALUE: for the goals and the charts.
record() { printf '%s\t%s\t%s\t%s\t%s\n' "$@" >>"$results"; }

# table: lines of fields apart by tabs, the first the head, as Markdown that reads well here too.
table() {
    awk -F'\t' '
        {for (i = 1; i <= NF; i++) {cell[NR, i] = $i; if (length($i) > wide[i]) wide[i] = length($i)}; n = NF}
        function line(r,   i) {
            for (i = 1; i <= n; i++) printf (i == 1 ? "| %-*s |" : " %*s |"), wide[i], cell[r, i]
            print ""
        }
        END {
            line(1)
            for (i = 1; i <= n; i++) printf (i == 1 ? "|%s|" : "%s:|"), rule(wide[i] + (i == 1 ? 2 : 1))
            print ""
            for (r = 2; r <= NR; r++) line(r)
        }
        function rule(w,   s) {while (length(s) < w) s = s "-"; return s}'
}
