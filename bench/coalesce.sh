# coalesce [MPM ...]: the same routes with and without `coalesce`, in turns, on one key: every
# client asks for the same. With 32 clients, and with one, which shares nothing. CPU is that of
# httpd and MariaDB together, in microseconds by request.
[ $# -gt 0 ] || set -- event worker

sql() { mariadb --no-defaults -uroot -S "$MOUSE_TEST_MYSQL_SOCKET" "$@"; }
sql -e 'DROP DATABASE IF EXISTS mouse_bench; CREATE DATABASE mouse_bench CHARACTER SET utf8mb4'
sql mouse_bench <"$here/conf/examples/crow/schema.mysql.sql"
(umask 077; echo cheese >"$dir/pw")
mkdir "$dir/lite"
cat >"$dir/lite/users.sql" <<'SQL'
-- name: by_id :one
SELECT userId, name, email FROM Users WHERE userId = :id;
-- name: list :many
SELECT userId, name, email FROM Users ORDER BY userId LIMIT 100;
SQL
perl -MDBI -e 'my $db = DBI->connect("dbi:SQLite:dbname=$ARGV[0]", "", "", {RaiseError => 1});
    $db->do("PRAGMA journal_mode = WAL");
    $db->do("CREATE TABLE Users (userId INTEGER PRIMARY KEY, name TEXT, email TEXT)");
    $db->do("INSERT INTO Users VALUES (?, ?, ?)", undef, $_, "First$_ Last$_", "user$_\@example.com")
        for 1 .. 100' "$dir/db.sqlite"
chown -R www-data "$dir/db.sqlite"* 2>/dev/null || true
chmod 777 "$dir"

# host DATABASE MODELS: its virtual host.
host() {
    cat <<CONF
<VirtualHost *>
    ServerName $1
    MouseModels $2 database=$1
    MouseRoute GET /$1/users          sql users/list
    MouseRoute GET /$1/users/{id:int} sql users/by_id
    MouseRoute GET /$1/shared/users          sql users/list  coalesce
    MouseRoute GET /$1/shared/users/{id:int} sql users/by_id coalesce
</VirtualHost>
CONF
}

configure() {
    base_conf "$1"
    cat <<CONF
MouseDatabase maria mysql "sock=$MOUSE_TEST_MYSQL_SOCKET,user=mouse,dbname=mouse_bench" password-file=$dir/pw
MouseDatabase lite sqlite3 "$dir/db.sqlite"
MousePool maria max=$clients
MousePool lite max=$clients
$(host maria "$here/bench/models")
$(host lite "$dir/lite")
CONF
}

mariadb_pid=$(cat "$(sql -N -e 'SELECT @@pid_file')")

# The CPU time so far of httpd's processes and MariaDB, in clock ticks.
ticks() {
    local p sum=0
    for p in $mariadb_pid $pid $(pgrep -P "$pid"); do
        sum=$((sum + $(sed 's/.*) //' "/proc/$p/stat" | cut -d' ' -f12,13 | tr ' ' +)))
    done
    echo "$sum"
}

# measure PATH HOST: "RATE MICROSECONDS".
measure() {
    local before count
    before=$(ticks)
    wrk -t1 -c"$clients" -d"${seconds}s" -H "Host: $2" "$url$1" >"$dir/wrk"
    count=$(awk '/requests in/ {print $1}' "$dir/wrk")
    echo "$(awk '/Requests\/sec/ {print $2}' "$dir/wrk")" \
        "$(((($(ticks) - before) * (1000000 / $(getconf CLK_TCK))) / count))"
}

# compare MPM DATABASE PATH: one line of the table.
compare() {
    local plain=() shared=() plain_cpu=() shared_cpu=() p s rate cpu
    cmp <(curl -fs -H "Host: $2" "$url/$2/$3") <(curl -fs -H "Host: $2" "$url/$2/shared/$3") ||
        { echo "$2 $3: answers differ"; exit 1; }
    for _ in $(seq "$runs"); do
        read -r rate cpu <<<"$(measure "/$2/$3" "$2")"
        plain+=("$rate") plain_cpu+=("$cpu")
        read -r rate cpu <<<"$(measure "/$2/shared/$3" "$2")"
        shared+=("$rate") shared_cpu+=("$cpu")
    done
    p=$(median "${plain[@]}") s=$(median "${shared[@]}")
    printf '%-8s %-8s %7s %-8s %12s %12s %7s %9s %9s\n' "$1" "$2" "$clients" "$3" "$p" "$s" \
        "$(ratio "$s" "$p")" "$(median "${plain_cpu[@]}")" "$(median "${shared_cpu[@]}")"
}

printf '%-8s %-8s %7s %-8s %12s %12s %7s %9s %9s\n' MPM database clients route plain/s \
    coalesce/s ratio 'CPU plain' coalesce
all=$clients
for mpm in "$@"; do
    configure "$mpm" >"$dir/httpd.conf"
    start_httpd /
    for clients in "$all" 1; do
        for path in users users/7; do
            compare "$mpm" maria "$path"
            compare "$mpm" lite "$path"
        done
    done
    clients=$all
    stop_httpd
done
