
# ---- test: tests/*.t on a server and a database of their own ----

test_app() {
    dir='' files='' params=''
    while [ $# -gt 0 ]; do
        case $1 in
        --params) params=${2:-}; [ -n "$params" ] || usage "--params without parameters"; shift ;;
        -*) usage "unknown option $1" ;;
        *.t) files="$files t/$(basename "$1")" ;;
        *) [ -z "$dir" ] || usage "one app at a time"; dir=$1 ;;
        esac
        shift
    done
    find_app "$dir"
    for file in $files; do
        [ -f "$app/tests/${file#t/}" ] || fail 2 "there is no $app/tests/${file#t/}"
    done
    perl -MApache::Test -e1 2>/dev/null || fail 3 "Apache::Test is missing (Debian: libapache2-mod-perl2)"
    make_tmp
    chmod 755 "$tmp"
    mkdir -p "$tmp/t/conf" "$tmp/data"
    (cd "$app" && tar cf - --exclude=./data --exclude=./.mouse --exclude=./.git .) | (mkdir "$tmp/app" && cd "$tmp/app" && tar xf -) || exit 3
    cp "$app"/tests/*.t "$tmp/t/" 2>/dev/null || fail 1 "$app/tests has no .t file"
    own_database
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
        -e '/ -D APACHE2 /d; /Setting LogLevel/d; /examine t\/logs/d; /^$/d; s|^t/|tests/|' "$tmp/out" | from_app
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
    grep -E ':(emerg|alert|crit|error)\]' "$tmp/t/logs/error_log" | tail -n 10 | from_app >&2
}

# Files of the copy are told as those of the app.
from_app() { sed "s|$tmp/app/||g"; }

# The databases of the copy must be the tests' own: SQLite files are, below DATA or APP; a MariaDB
# is the one that --params names, made anew of schema.sql.
own_database() {
    find "$tmp/app" -name '*.conf' -type f -exec awk "$read_databases" {} + >"$tmp/databases"
    tab=$(printf '\t')
    other=$(awk -F '\t' '$2 != "mysql" && $3 !~ /^\$\{(DATA|APP)\}\// { print $3; exit }' "$tmp/databases")
    [ -z "$other" ] || fail 1 "the tests would write into $other: an SQLite file of an app is below \${DATA}"
    case $(grep -c "${tab}mysql${tab}" "$tmp/databases") in
    0) [ -z "$params" ] || fail 2 "--params is for apps on MariaDB"; return ;;
    1) ;;
    *) fail 1 "tests can have one MariaDB database, and this app has several" ;;
    esac
    [ -n "$params" ] || fail 1 "the tests would write into the database of app.conf: name one of theirs" \
        "with --params \"PARAMETERS,dbname=NAME_test\""
    quotable "$params"
    dbname=$(param dbname)
    case $dbname in
    *[!A-Za-z0-9_]*) usage "dbname= has letters, digits and _" ;;
    ?*_test) ;;
    *) usage "--params needs a dbname= that ends in _test: it is made anew for each run" ;;
    esac
    take_password
    fill_database
    find "$tmp/app" -name '*.conf' -type f >"$tmp/files"
    while IFS= read -r file; do
        PARAMS=$params PASSWORD=$password awk "$write_database" "$file" >"$tmp/new" && cat "$tmp/new" >"$file" || exit 3
    done <"$tmp/files"
}

# The server of the tests is not root's: it gets a copy of the password.
take_password() {
    password=$(cut -f 4 "$tmp/databases" | grep . | head -n 1)
    [ -n "$password" ] && [ -r "$password" ] || return 0
    (umask 077; head -n 1 "$password" >"$tmp/password") || exit 3
    password=$tmp/password
}

fill_database() {
    need mariadb
    (umask 077; {
        say '[client]'
        for name in host port user; do
            [ -z "$(param $name)" ] || say "$name=$(param $name)"
        done
        [ -z "$(param sock)" ] || say "socket=$(param sock)"
        [ ! -f "$tmp/password" ] || say "password='$(sed "s/[\\\\']/\\\\&/g" "$tmp/password")'"
    } >"$tmp/client.cnf") || exit 3
    mariadb --defaults-file="$tmp/client.cnf" \
        -e "DROP DATABASE IF EXISTS $dbname; CREATE DATABASE $dbname CHARACTER SET utf8mb4" ||
        fail 1 "the database $dbname was not made; its user needs GRANT ALL ON $dbname.*"
    mariadb --defaults-file="$tmp/client.cnf" "$dbname" <"$tmp/app/schema.sql" ||
        fail 1 "schema.sql: the database was not made"
    rm -f "$tmp/client.cnf"
}

# A directive may be continued in the next line.
# shellcheck disable=SC2016
read_databases='
    FNR == 1 { whole = "" }
    { $0 = whole $0; whole = "" }
    /\\$/ { whole = substr($0, 1, length($0) - 1); next }
    tolower($1) == "mousedatabase" {
        name = $2
        driver = $3
        gsub(/"/, "", driver)
        sub(/^[ \t]*[^ \t]+[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+/, "")
        file = match($0, /password-file=[^" \t]+/) ? substr($0, RSTART + 14, RLENGTH - 14) : ""
        if (/^"/) { sub(/^"/, ""); sub(/".*/, "") } else sub(/[ \t].*/, "")
        print name "\t" driver "\t" $0 "\t" file
    }'
# shellcheck disable=SC2016
write_database='
    { $0 = whole $0; whole = "" }
    /\\$/ { whole = substr($0, 1, length($0) - 1); held = held "\n"; next }
    tolower($1) == "mousedatabase" && $3 ~ /^"?mysql"?$/ {
        match($0, /^[ \t]*[^ \t]+[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+/)
        head = substr($0, 1, RLENGTH)
        rest = substr($0, RLENGTH + 1)
        if (rest ~ /^"/) sub(/^"[^"]*"/, "", rest)
        else sub(/^[^ \t]+/, "", rest)
        if (match(rest, /password-file=[^" \t]+/))
            rest = substr(rest, 1, RSTART + 13) ENVIRON["PASSWORD"] substr(rest, RSTART + RLENGTH)
        $0 = head "\"" ENVIRON["PARAMS"] "\"" rest
    }
    { printf "%s\n%s", $0, held; held = "" }'
