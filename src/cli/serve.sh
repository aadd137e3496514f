
# ---- serve: httpd in the foreground, watched ----

serve_app() {
    dir='' port=''
    while [ $# -gt 0 ]; do
        case $1 in
        --port) port=${2:-}; [ $# -gt 1 ] || usage "--port without a number"; shift ;;
        --port=*) port=${1#*=} ;;
        -*) usage "unknown option $1" ;;
        *) [ -z "$dir" ] || usage "one app at a time"; dir=$1 ;;
        esac
        shift
    done
    case $port in *[!0-9]*) usage "--port is a number" ;; esac
    find_app "$dir"
    running && fail 1 "$app is served already: $(cat "$run/url") (pid $server)"
    make_run
    make_tmp
    trap 'end_server; exit 0' INT TERM HUP
    trap 'end_server; rm -rf "$tmp"' EXIT
    make_database "$app" "$app/data" && give_data "$app/data" || exit 1
    may_enter
    of_server=$(print_server)
    of_schema=$(cksum 2>/dev/null <"$app/schema.sql")
    note_database
    write_serve_conf "${port:-1}"
    check_serve || exit 1
    start_server
    say "${bold}$(basename "$app")${plain} is served at ${bold}$url/${plain} (Ctrl-C ends it)"
    httpd_test "$run/httpd.conf" -D DUMP_MOUSE_ROUTES && show_routes
    broken=''
    follow_logs
    watch_app
}

# Root's children are another user, who may have no way into the folder.
may_enter() {
    [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null 2>&1 || return 0
    server_user "$app"
    setpriv --reuid="$owner" --regid="$(id -g "$owner")" --clear-groups test -r "$app/app.conf" ||
        warn "the server's children, user $owner, cannot read $app: move it, or set MOUSE_USER"
}

# Sets $server to the pid of the app's server when one runs.
running() {
    [ -f "$run/httpd.pid" ] || return 1
    server=$(cat "$run/httpd.pid")
    case $server in '' | *[!0-9]*) return 1 ;; esac
    kill -0 "$server" 2>/dev/null && tr '\0' ' ' <"/proc/$server/cmdline" 2>/dev/null | grep -qF "$run/httpd.conf"
}

# The private run folder; root's children, another user, may pass through it.
make_run() {
    mkdir -p "$run/web" "$app/data" || fail 3 "cannot write in $app"
    if [ "$(id -u)" -eq 0 ]; then chmod 711 "$run"; else chmod 700 "$run"; fi
    rm -f "$run/httpd.pid" "$run/url"
    : >"$run/error.log"
    : >"$run/access.log"
    [ -s "$run/call.key" ] || make_key "$run/call.key"
    generation=$$-0
    tell_pages ''
}

# For `mouse call`, whose requests may have any context.
make_key() {
    (umask 077 && od -An -v -tx1 -N 32 /dev/urandom | tr -d ' \n' >"$1") || exit 3
}

# What open pages ask for: a generation, and the mistake there is, if any.
tell_pages() {
    sed "s/@GENERATION@/$generation/" "$data/reload.js" >"$run/web/reload.js.new"
    mv "$run/web/reload.js.new" "$run/web/reload.js"
    printf '{"generation":"%s","problem":%s}\n' "$generation" \
        "$(printf %s "$1" | json_text)" >"$run/web/version.new"
    mv "$run/web/version.new" "$run/web/version.json"
}

next_generation() {
    generation=$$-$((${generation#*-} + 1))
    tell_pages ''
}

write_serve_conf() {
    {
        httpd_base "$run" "$1" && small_server && load_module filter && load_module substitute && cat <<END
Timeout 20
GracefulShutdownTimeout 5
ErrorLogFormat "%-m:%l %M"
MouseNotes on
LogFormat "%>s %D %{mouse-guard-us}n %{mouse-sql-us}n %{mouse-json-us}n %r" mouse
LogFormat "%>s %D %{mouse-guard-us}n %{mouse-sql-us}n %{mouse-json-us}n %m %>U%q" called
SetEnvIf Request_URI "^/\.mouse/" mouse_dev
SetEnvIf Request_URI "^/\.mouse/call$" mouse_called
CustomLog "$run/access.log" mouse env=!mouse_dev
CustomLog "$run/access.log" called env=mouse_called
MouseCallKey "$run/call.key"
<Location "/.mouse/call">
    SetHandler mouse-call
</Location>
Alias "/.mouse/" "$run/web/"
<Directory "$run/web">
    Require all granted
</Directory>
<Location "/.mouse/">
    Header always set Cache-Control no-cache
</Location>
AddOutputFilterByType SUBSTITUTE text/html
Substitute "s|</body>|<script src=/.mouse/reload.js></script></body>|in"
<Directory "$app/public">
    Header always set Cache-Control no-cache
</Directory>
END
        httpd_app "$app" "$app/data"
    } >"$run/httpd.conf" || exit 3
}

# Is all well? If not, the mistakes are on the terminal and in open pages.
check_serve() {
    if httpd_test "$run/httpd.conf" -D MOUSE_CHECK; then
        return 0
    fi
    findings error "$tmp/said" >"$tmp/findings"
    show_findings <"$tmp/findings"
    return 1
}

# Is something listening there? Only a hint: httpd's own bind decides.
taken() {
    hex=$(printf ':%04X' "$1")
    cat /proc/net/tcp /proc/net/tcp6 2>/dev/null |
        awk -v port="$hex" '$4 == "0A" && substr($2, length($2) - 4) == port { found = 1 } END { exit !found }'
}

start_server() {
    candidate=${port:-8080}
    while :; do
        if [ -n "$port" ] || ! taken "$candidate"; then
            write_serve_conf "$candidate"
            try_server && break
            grep -q 'AH00072\|could not bind' "$run/out.log" || {
                cat "$run/out.log" "$run/error.log" >&2
                fail 1 "httpd did not start"
            }
        fi
        [ -z "$port" ] || fail 1 "port $port is taken"
        candidate=$((candidate + 1))
        [ $candidate -lt 8180 ] || fail 1 "no free port from 8080 to 8179: give --port"
    done
    url=http://127.0.0.1:$candidate
    say "$url" >"$run/url"
}

# How often httpd has said that it is up.
starts() { grep -c 'resuming normal operations' "$run/error.log"; }

# Starts httpd and waits until it is up.
try_server() {
    "$httpd" -D FOREGROUND -f "$run/httpd.conf" >"$run/out.log" 2>&1 &
    server=$!
    tries=150
    while [ $((tries -= 1)) -gt 0 ] && kill -0 "$server" 2>/dev/null; do
        [ "$(starts)" -eq 0 ] || return 0
        sleep 0.2
    done
    kill "$server" 2>/dev/null
    wait "$server" 2>/dev/null
    server=''
    return 1
}

# Ends what this command started, each by its pid.
end_server() {
    trap '' INT TERM HUP
    for pid in ${waiter:-} ${server:-} ${tailer:-} ${printer:-}; do
        kill "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null
    done
    server='' tailer='' printer='' waiter=''
    rm -f "$run/url"
    rm -rf "$tmp"
}

# A line per request and per error, as they come.
follow_logs() {
    mkfifo "$tmp/lines" || exit 3
    tail -q -n +1 -f "$run/access.log" "$run/error.log" >"$tmp/lines" 2>/dev/null &
    tailer=$!
    show_lines <"$tmp/lines" &
    printer=$!
}

show_lines() {
    while read -r first us guards sql json method target; do
        case $first in
        [1-5][0-9][0-9]) show_request ;;
        *) show_logged "$first" "$us $guards $sql $json $method $target" ;;
        esac
    done
}

show_request() {
    target=${target% HTTP/*}
    case $first in
    [123]*) colour=$green ;;
    4*) colour=$yellow ;;
    *) colour=$red ;;
    esac
    time="$(milliseconds "$us") ms"
    case $sql in
    *[!0-9]* | '') ;;
    *) time="$time (guards $(milliseconds "$guards"), sql $(milliseconds "$sql"), json $(milliseconds "$json"))" ;;
    esac
    printf '%-7s %-36s %s%s%s  %s%s%s\n' "$method" "$target" "$colour" "$first" "$plain" "$dim" "$time" "$plain"
}

# 1234 is 1.234
milliseconds() {
    case $1 in
    *[!0-9]* | '') printf 0 ;;
    *) printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)) ;;
    esac
}

# show_logged MODULE:LEVEL WORDS: what the error log says, unless it is only news.
show_logged() {
    case $1 in
    *:emerg | *:alert | *:crit | *:error) printf '%serror%s %s\n' "$red" "$plain" "$2" ;;
    *:warn) printf '%swarning%s %s\n' "$yellow" "$plain" "$2" ;;
    esac
}

# The names, sizes and times of what the server reads, and of what pages load.
print_server() {
    (cd "$app" && find . \( -path './.?*' -o -path ./data -o -path ./public -o -path ./tests \) -prune -o \
        -type f ! -name '.*' ! -name '*~' ! -name '*.md' -exec ls -lin --time-style=full-iso {} + 2>/dev/null) | cksum
}

print_pages() {
    (cd "$app" && find public -type f ! -name '.*' ! -name '*~' \
        -exec ls -lin --time-style=full-iso {} + 2>/dev/null) | cksum
}

# Waits until the server has taken notice of what is in the files now.
wait_served() {
    tries=60
    while [ $((tries -= 1)) -gt 0 ] && [ "$(print_server)" != "$(cat "$run/served" 2>/dev/null)" ]; do
        sleep 0.25
    done
}

# Returns at a change or after two seconds; what has changed is asked of the files.
wait_change() {
    if command -v inotifywait >/dev/null 2>&1; then
        inotifywait -qq -r -t 2 -e close_write,move,create,delete "$app" \
            "@$run" "@$app/data" "@$app/.git" 2>/dev/null &
    else
        sleep 1 &
    fi
    waiter=$!
    wait "$waiter"
    [ $? -le 2 ] || sleep 1
}

watch_app() {
    say "$of_server" >"$run/served"
    of_pages=$(print_pages)
    while :; do
        wait_change
        kill -0 "$server" 2>/dev/null || lost_server
        now=$(print_server)
        if [ "$now" != "$of_server" ]; then
            # An editor may write several files, or one in steps.
            until sleep 0.1; of_server=$now; now=$(print_server); [ "$now" = "$of_server" ]; do :; done
            reload_server
            say "$of_server" >"$run/served"
        fi
        now=$(print_pages)
        if [ "$now" != "$of_pages" ]; then
            of_pages=$now
            [ -n "$broken" ] || next_generation
        fi
    done
}

lost_server() {
    warn "httpd has ended by itself:"
    tail -n 5 "$run/error.log" >&2
    exit 1
}

# Whether a changed schema.sql fills the database, be it here or by another command.
note_database() {
    if is_empty_database "$(sqlite_file "$app" "$app/data")"; then empty=true; else empty=false; fi
}

reload_server() {
    now=$(cksum 2>/dev/null <"$app/schema.sql")
    if [ "$now" != "$of_schema" ]; then
        of_schema=$now
        $empty ||
            say "${yellow}schema.sql${plain} makes new databases; the one that is there stays as it is: $(renew_hint)"
    fi
    if ! { make_database "$app" "$app/data" && give_data "$app/data" && check_serve; }; then
        broken=1
        tell_pages "$(plain_findings)"
        say "${yellow}the version before keeps serving${plain}"
        return
    fi
    broken=''
    note_database
    before=$(starts)
    kill -USR1 "$server"
    tries=150
    while [ $((tries -= 1)) -gt 0 ] && [ "$(starts)" -le "$before" ]; do
        kill -0 "$server" 2>/dev/null || lost_server
        sleep 0.1
    done
    next_generation
    say "${green}reloaded${plain}"
}

# What a changed schema leaves to do.
renew_hint() {
    file=$(sqlite_file "$app" "$app/data")
    if [ -n "$file" ]; then
        say "change it with sqlite3 '$file', or end the server and remove the file for a new one"
    else
        say "change it, too"
    fi
}

plain_findings() {
    show_findings <"$tmp/findings" | sed "s/$(printf '\033')\[[0-9]*m//g"
}
