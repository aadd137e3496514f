
# ---- test: tests/*.t on a server of their own ----

test_app() {
    dir=''
    files=''
    while [ $# -gt 0 ]; do
        case $1 in
        -*) usage "unknown option $1" ;;
        *.t) files="$files t/$(basename "$1")" ;;
        *) [ -z "$dir" ] || usage "one app at a time"; dir=$1 ;;
        esac
        shift
    done
    find_app "$dir"
    perl -MApache::Test -e1 2>/dev/null || fail 3 "Apache::Test is missing (Debian: libapache2-mod-perl2)"
    make_tmp
    chmod 755 "$tmp"
    mkdir -p "$tmp/t/conf" "$tmp/data"
    (cd "$app" && tar cf - --exclude=./data --exclude=./.mouse --exclude=./.git .) | (mkdir "$tmp/app" && cd "$tmp/app" && tar xf -) || exit 3
    cp "$app"/tests/*.t "$tmp/t/" 2>/dev/null || fail 1 "$app/tests has no .t file"
    make_database "$tmp/app" "$tmp/data" >/dev/null || exit 1
    { httpd_base "$tmp" 1 && httpd_app "$tmp/app" "$tmp/data"; } | test_conf
    cat >"$tmp/t/TEST" <<'END'
use strict;
use warnings FATAL => 'all';
use FindBin qw($Bin);
use Apache::TestRun ();
chdir "$Bin/.." or die "chdir: $!";
Apache::TestRun->new->run(@ARGV);
END
    port=$(perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport')
    # shellcheck disable=SC2086
    set -- perl "$tmp/t/TEST" -httpd "$httpd" -httpd_conf "$tmp/t/conf/base.conf" \
        -servername 127.0.0.1 -port "$port" $files
    if [ "$(id -u)" -eq 0 ]; then
        need setpriv
        server_user "$app"
        chown -R "$owner" "$tmp"
        set -- setpriv --reuid="$owner" --regid="$(id -g "$owner")" --clear-groups "$@"
    fi
    cd "$tmp" || exit 3
    HOME=$tmp APACHE_TEST_ULIMIT_SET=1 "$@" >"$tmp/out" 2>&1
    result=$?
    # What is left is of the tests.
    sed -e '/^\[warning\]/d; /^waiting /d; /^using Apache/d; /^server .* started$/d' \
        -e '/ -D APACHE2 /d; /Setting LogLevel/d; /^$/d; s|^t/|tests/|' "$tmp/out"
    [ $result -eq 0 ] || findings_of_test
    exit $((result != 0))
}

# From a whole configuration the modules, and what the app says; the rest is Apache::Test's.
test_conf() {
    sed -n -e '/^<IfModule/,/^<\/IfModule/p; /^LoadModule/p' >"$tmp/t/conf/base.conf.new"
    mv "$tmp/t/conf/base.conf.new" "$tmp/t/conf/base.conf"
    { say 'LogLevel warn' && httpd_app "$tmp/app" "$tmp/data"; } >"$tmp/t/conf/extra.conf.in"
}

findings_of_test() {
    [ -f "$tmp/t/logs/error_log" ] || return 0
    grep -E ':(emerg|alert|crit|error)\]' "$tmp/t/logs/error_log" | tail -n 10 >&2
}
