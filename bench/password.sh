#!/bin/sh
# Time of a log-in with an unknown user beside one with a wrong password, in turns: the
# medians must not tell one from the other. A server of its own, on SQLite.
#
#   bench/password.sh [BUILD-DIRECTORY] [TIMES]      default: build 51
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$top/build}" && pwd) times=${2:-51}
modules=$(apxs -q LIBEXECDIR) httpd=$(apxs -q SBINDIR)/$(apxs -q TARGET)
dir=$(mktemp -d "${TMPDIR:-/tmp}/mouse-bench.XXXXXX")
cleanup() {
    [ ! -f "$dir/pid" ] || kill "$(cat "$dir/pid")" 2>/dev/null || true
    rm -rf "$dir"
}
trap cleanup EXIT
mkdir "$dir/models"
cp "$build/.libs/mod_mouse.so" "$dir/"
port=$(perl -MIO::Socket::INET -e \
    'print IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport')

cat >"$dir/models/accounts.sql" <<EOF
-- name: by_name :one
-- param: name string(1..40)
SELECT hash FROM accounts WHERE name = :name;
EOF
perl -MDBI - "$dir/db" <<'EOF'
my $dbh = DBI->connect("dbi:SQLite:dbname=$ARGV[0]", '', '', {RaiseError => 1});
$dbh->do('CREATE TABLE accounts (name TEXT PRIMARY KEY, hash TEXT NOT NULL)');
$dbh->do('INSERT INTO accounts VALUES (?, ?)', undef, @$_)
    for [yescrypt => crypt('secret', '$y$j9T$TgVJIQ3oh.1TrM4lcAUS0.')],
        [bcrypt => crypt('secret', '$2b$10$aLB1sIoxsjNlzz/pEQCT1e')];
EOF
chmod -R a+rwX "$dir"
cat >"$dir/httpd.conf" <<EOF
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule mouse_module $dir/mod_mouse.so
ServerRoot $dir
ServerName 127.0.0.1
Listen 127.0.0.1:$port
PidFile $dir/pid
ErrorLog $dir/error
DefaultRuntimeDir $dir
User www-data
Group www-data
MouseDatabase main sqlite3 "$dir/db"
MouseModels models database=main
MouseGuard account  lookup accounts/by_name optional
MouseGuard yescrypt password hash={account.hash} value={password}
MouseGuard bcrypt   password hash={account.hash} value={password} cost=bcrypt:10
MouseRoute POST /yescrypt json '{}' use=account,yescrypt
MouseRoute POST /bcrypt   json '{}' use=account,bcrypt
EOF
"$httpd" -f "$dir/httpd.conf"

perl -MHTTP::Tiny -MTime::HiRes=time - "$port" "$times" <<'EOF'
my ($port, $times) = @ARGV;
my $http = HTTP::Tiny->new;
my $ask = sub {
    my ($method, $name, $password) = @_;
    my $begin = time;
    my $r = $http->post("http://127.0.0.1:$port/$method", {
        headers => {'Content-Type' => 'application/json'},
        content => qq({"name":"$name","password":"$password"})});
    return ($r->{status}, 1000 * (time - $begin));
};
for (1 .. 50) { last if ($ask->(bcrypt => 'none', 'x'))[0] == 401; select undef, undef, undef, 0.1 }
printf "%-9s %12s %12s %12s %s\n", 'ms', 'right', 'wrong', 'unknown', 'wrong/unknown';
for my $method (qw(yescrypt bcrypt)) {
    my @cases = ([right => $method, 'secret', 200], [wrong => $method, 'Secret', 401],
        [unknown => 'nobody', 'secret', 401]);
    my %took;
    for (1 .. $times) {
        for my $case (@cases) {
            my ($what, $name, $password, $want) = @$case;
            my ($status, $ms) = $ask->($method, $name, $password);
            die "$what: $status\n" unless $status == $want;
            push @{ $took{$what} }, $ms;
        }
    }
    my %median = map { $_ => (sort { $a <=> $b } @{ $took{$_} })[$times / 2] } keys %took;
    printf "%-9s %12.2f %12.2f %12.2f %.3f\n", $method, @median{qw(right wrong unknown)},
        $median{wrong} / $median{unknown};
}
EOF
