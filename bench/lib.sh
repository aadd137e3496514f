# What the benchmarks share: a folder of their own, a free port, httpd under one MPM, rates,
# medians, memory, instructions. Sourced by bench/run with $here set; $dir is removed at exit.
seconds=${BENCH_SECONDS:-5} runs=${BENCH_RUNS:-3} clients=${BENCH_CLIENTS:-32}
modules=$(apxs -q LIBEXECDIR) httpd=$(apxs -q SBINDIR)/$(apxs -q TARGET)
dir=$(mktemp -d "${TMPDIR:-/tmp}/mouse-bench.XXXXXX")
pid=
stop_httpd() {
    [ -n "$pid" ] || return 0
    kill "$pid" 2>/dev/null || true
    while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
    pid=
}
trap 'stop_httpd; rm -rf "$dir"' EXIT
chmod 755 "$dir"
mkdir "$dir/logs"
cp "$here/build/.libs/mod_mouse.so" "$dir/"
port=$(perl -MIO::Socket::INET -e \
    'print IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport')
url=http://127.0.0.1:$port

# base_conf MPM: the server around what is measured; workers for all clients, as a host that is
# to be fast has them.
base_conf() {
    cat <<CONF
LoadModule mpm_$1_module $modules/mod_mpm_$1.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule mouse_module $dir/mod_mouse.so
ServerRoot $dir
ServerName 127.0.0.1
Listen 127.0.0.1:$port
PidFile $dir/pid
ErrorLog $dir/logs/error
DefaultRuntimeDir $dir
User www-data
Group www-data
KeepAlive On
MaxKeepAliveRequests 0
<IfModule !mpm_prefork_module>
    StartServers 1
    ServerLimit 1
    ThreadLimit $((clients * 2))
    ThreadsPerChild $((clients * 2))
    MaxRequestWorkers $((clients * 2))
    MinSpareThreads $((clients * 2))
    MaxSpareThreads $((clients * 2))
</IfModule>
<IfModule mpm_prefork_module>
    StartServers $((clients + 8))
    ServerLimit $((clients + 8))
    MaxRequestWorkers $((clients + 8))
    MinSpareServers 1
    MaxSpareServers $((clients + 8))
</IfModule>
CONF
}

# start_httpd PATH [ARGUMENTS BEFORE HTTPD...]: serves $dir/httpd.conf until PATH answers. In a
# session of its own, because prefork's parent ends its whole process group, this script, too.
start_httpd() {
    local probe=$1
    shift
    [ $# -gt 0 ] || set -- setsid
    "$@" "$httpd" -d "$dir" -f "$dir/httpd.conf" ${single:+-X} -DFOREGROUND &
    pid=$!
    for _ in $(seq 200); do
        curl -s -o /dev/null "$url$probe" && return
        sleep 0.1
    done
    echo "httpd does not answer:" >&2
    cat "$dir/logs/error" >&2
    exit 1
}

# rate PATH [WRK OPTIONS...]: requests per second.
rate() {
    local path=$1
    shift
    wrk -t1 -c"$clients" -d"${seconds}s" "$@" "$url$path" | awk '/Requests\/sec/ {print $2}'
}

median() { printf '%s\n' "$@" | sort -n | awk '{a[NR] = $1} END {print a[int((NR + 1) / 2)]}'; }
ratio() { awk "BEGIN {printf \"%.3f\", $1 / $2}"; }

# The memory of httpd's processes in MiB, shared pages by their part.
pss() {
    local sum=0 p
    for p in $pid $(pgrep -P "$pid"); do
        sum=$((sum + $(awk '/^Pss:/ {print $2}' "/proc/$p/smaps_rollup")))
    done
    echo $((sum / 1024))
}

# As the user that httpd runs as: valgrind's pipes and files are then its own.
as_user() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=www-data --regid="$(id -g www-data)" --clear-groups "$@"
    else
        "$@"
    fi
}

# under_callgrind PATH: starts one process that counts instructions.
under_callgrind() {
    mkdir -p "$dir/counts"
    chmod 777 "$dir" "$dir/logs" "$dir/counts"
    single=1
    start_httpd "$1" as_user valgrind --quiet --tool=callgrind --vgdb-prefix="$dir/counts/vgdb" \
        --callgrind-out-file="$dir/counts/out"
    single=
    pid=$(cat "$dir/pid")
}

control() {
    as_user callgrind_control --vgdb-prefix="$dir/counts/vgdb" "$1" "$pid" >/dev/null 2>&1
}

# instructions COMMAND...: those of 200 requests that COMMAND COUNT makes, by request.
instructions() {
    "$@" 20
    control -z
    rm -f "$dir"/counts/out.*
    "$@" 200
    control -d
    for _ in $(seq 100); do
        grep -qs '^totals:' "$dir"/counts/out.* && break
        sleep 0.1
    done
    awk '/^totals:/ {total = $2} END {printf "%d", total / 200}' "$dir"/counts/out.*
}
