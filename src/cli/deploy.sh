
# ---- deploy, rollback: checked releases, a link that is switched by renaming ----

keep=5

# Sets $where, the folder of releases, $app and $pidfile.
deploy_options() {
    where='' dir='' pidfile='' to=''
    while [ $# -gt 0 ]; do
        case $1 in
        --pid) pidfile=${2:-}; [ $# -gt 1 ] || usage "--pid without a file"; shift ;;
        --to) to=${2:-}; [ $# -gt 1 ] || usage "--to without a release"; shift ;;
        -*) usage "unknown option $1" ;;
        *) if [ -z "$where" ]; then where=$1; elif [ -z "$dir" ]; then dir=$1; else usage "too many words"; fi ;;
        esac
        shift
    done
    [ -n "$where" ] || usage "where to? a folder for the releases"
    quotable "$where"
}

# One deployment at a time; what is unfinished is gone at the end.
lock() {
    mkdir "$where/.deploying" 2>/dev/null ||
        fail 1 "another deployment is at work; if it is not, remove $where/.deploying"
    trap 'rm -rf "$tmp" "$where/.deploying"' EXIT
}

deploy_app() {
    deploy_options "$@"
    find_app "$dir"
    make_tmp
    mkdir -p "$where/releases" "$where/data" "$where/logs" || exit 3
    where=$(cd "$where" && pwd -P)
    case $where/ in "$app"/*) fail 2 "$where is inside of the app" ;; esac
    lock
    release=$(date -u +%Y%m%d-%H%M%S)
    while [ -e "$where/releases/$release" ]; do release=$release.1; done
    mkdir "$where/.deploying/$release" &&
        (cd "$app" && tar cf - --exclude='./.?*' --exclude=./data --exclude=./local.conf .) |
        (cd "$where/.deploying/$release" && tar xf -) || exit 3
    source=$app
    app=$where/.deploying/$release
    new_database=$(sqlite_file "$app" "$where/data")
    [ ! -e "$new_database" ] || new_database=''
    { make_database "$app" "$where/data" && server_conf && check_release "$app"; } || {
        [ -z "$new_database" ] || rm -f "$new_database" "$new_database-wal" "$new_database-shm"
        fail 1 "nothing was deployed"
    }
    [ "$(id -u)" -ne 0 ] || chown -R "${MOUSE_USER:-www-data}" "$where/data"
    mv "$app" "$where/releases/$release" || exit 3
    before=$(current)
    switch "$release"
    say "$(basename "$source"): release ${bold}$release${plain} is in $where"
    restart_there "$before"
    forget_old
}

# The configuration of a server for the releases: written once, then the operator's.
server_conf() {
    [ -f "$where/httpd.conf" ] && return 0
    {
        cat <<END
# The server of these releases: $httpd -f "$where/httpd.conf" -k start
# Written once by \`mouse deploy\`; change it as you like. Where an httpd runs already, this in a
# virtual host of its does instead:
#
#     DocumentRoot "$where/current/public"
#     Define APP  "$where/current"
#     Define DATA "$where/data"
#     Include "$where/current/app.conf"
#
END
        httpd_base "$where" 8080 "${MOUSE_USER:-www-data}" |
            sed "s|^ErrorLog .*|ErrorLog \"$where/logs/error.log\"|"
        cat <<END
CustomLog "$where/logs/access.log" combined
LogFormat "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"" combined

# deploy checks the next release by defining APP itself.
<IfDefine !APP>
    Define APP "$where/current"
</IfDefine>
Define DATA "$where/data"
DocumentRoot "\${APP}/public"
DirectoryIndex index.html
<Directory "/">
    Require all denied
</Directory>
<Directory "$where/releases/*/public">
    Require all granted
</Directory>
<Directory "$where/current/public">
    Require all granted
</Directory>
Include "\${APP}/app.conf"
END
    } >"$where/httpd.conf.new" && mv "$where/httpd.conf.new" "$where/httpd.conf"
}

# check_release DIR: the server's configuration with that release.
check_release() {
    "$httpd" -t -D MOUSE_CHECK -C "Define APP \"$1\"" -f "$where/httpd.conf" >"$tmp/said" 2>&1 && return 0
    findings error "$tmp/said" | show_findings
    return 1
}

current() { basename "$(readlink "$where/current" 2>/dev/null)" 2>/dev/null; }

# switch RELEASE: no moment without a link.
switch() {
    rm -f "$where/.deploying/link"
    ln -s "releases/$1" "$where/.deploying/link" && mv -T "$where/.deploying/link" "$where/current" || exit 3
}

# restart_there BEFORE: gracefully, when a server runs there. One that dies of it gets the release
# before back.
restart_there() {
    [ -n "$pidfile" ] || pidfile=$where/httpd.pid
    pid=$(cat "$pidfile" 2>/dev/null)
    case $pid in '' | *[!0-9]*) pid='' ;; esac
    if [ -z "$pid" ] || ! kill -0 "$pid" 2>/dev/null; then
        say "no server runs there: $httpd -f '$where/httpd.conf' -k start, or --pid FILE names it"
        say "its address is in the file: $(sed -n '/^Listen /p' "$where/httpd.conf" | head -n 1)"
        return
    fi
    kill -USR1 "$pid" || fail 1 "the server (pid $pid) could not be restarted"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        sleep 0.1
        kill -0 "$pid" 2>/dev/null && continue
        [ -z "$1" ] || switch "$1"
        fail 1 "the server ended: see its error log. The link is at ${1:-$release} again; start the server"
    done
    say "${green}the server was restarted gracefully${plain}"
}

releases() { find "$where/releases" -mindepth 1 -maxdepth 1 -name '[0-9]*' | sed 's|.*/||' | sort; }

forget_old() {
    serving=$(current)
    releases | awk -v keep=$keep -v serving="$serving" '
        { name[NR] = $0 } END { for (i = 1; i <= NR - keep; i++) if (name[i] != serving) print name[i] }' |
        while IFS= read -r old; do rm -rf "$where/releases/${old:?}"; done
}

rollback_app() {
    deploy_options "$@"
    [ -z "$dir" ] || usage "a rollback takes a folder and no app"
    [ -d "$where/releases" ] || fail 2 "$where has no releases"
    where=$(cd "$where" && pwd -P)
    app=$where
    make_tmp
    lock
    before=$(current)
    release=${to:-$(releases | awk -v serving="$before" '$0 < serving { found = $0 } END { print found }')}
    [ -n "$release" ] || fail 1 "there is no release before $before"
    case $release in */*) usage "--to is the name of a release" ;; esac
    [ -d "$where/releases/$release" ] || fail 1 "there is no release $release in $where; there are $(releases | paste -sd ' ')"
    check_release "$where/releases/$release" || fail 1 "nothing was changed"
    switch "$release"
    say "$where is at release ${bold}$release${plain} again (it was at $before)"
    restart_there "$before"
}
