#!/bin/sh
# Licensed under the Apache License, Version 2.0; see LICENSE.
#
# Runs $HTTPD -t with the module $MODULE on each file of good/ and bad/, as TAP.
# A good file may begin with `# warns: PLACE REGEX`: it passes, and that one warning
# is printed.
# A bad file begins with `# expect: PLACE REGEX`: PLACE is the line of the mistake, or
# FILE:LINE in another file; REGEX is a part of the sentence. A second line `# alone` says
# that nothing else may be reported.
# The files of checked/ pass as they are and fail with -D MOUSE_CHECK, on the shop's SQLite
# database in ${data}; one without `# expect:` passes that, too, where `# warns:` is as above.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
: "${HTTPD:=/usr/sbin/apache2}" "${MODULE:?the path of mod_mouse.so}"
modules=${HTTPD_MODULES:-/usr/lib/apache2/modules}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
. "$here/../lib/tap.sh"

# the server's output on a file, with more arguments; its status is the function's
run() {
    conf=$1; shift
    cat > "$dir/httpd.conf" <<END
ServerRoot "$here"
ServerName localhost
PidFile "$dir/pid"
ErrorLog "$dir/error.log"
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule mouse_module $MODULE
Listen 127.0.0.1:1
Define data $dir
Include $conf
END
    "$HTTPD" -t -f "$dir/httpd.conf" "$@" > "$dir/out" 2>&1
}

# httpd puts the place of a directive's own mistake on a line before the sentence
says() {
    tr '\n' ' ' < "$dir/out" |
        grep -Eq "(line $1 of [^ ]*/$name: |/$name:$1: |/$1(:[0-9]+)?: ).*$2"
}

for conf in "$here"/good/*.conf; do
    name=${conf##*/}
    run "$conf"
    verdict $? "good/$name passes"
    warns=$(sed -n '1s/^# warns: //p' "$conf")
    if [ -n "$warns" ]; then
        [ "$(grep -c "/$name:" "$dir/out")" = 1 ] &&
            grep -Eq "/$name:${warns%% *}: .*${warns#* }" "$dir/out"
        verdict $? "good/$name warns at $warns"
    fi
    if [ -f "${conf%.conf}.routes" ]; then
        run "$conf" -D DUMP_MOUSE_ROUTES
        sed "/^Syntax OK$/d; s#$here/##" "$dir/out" > "$dir/routes"
        diff "${conf%.conf}.routes" "$dir/routes" > "$dir/out"
        verdict $? "good/$name's routes"
    fi
done

for conf in "$here"/bad/*.conf; do
    name=${conf##*/}
    expect=$(sed -n '1s/^# expect: //p' "$conf")
    place=${expect%% *} sentence=${expect#* }
    if run "$conf"; then
        verdict 1 "bad/$name is refused"
        continue
    fi
    says "$place" "$sentence"
    verdict $? "bad/$name is refused at $place: $sentence"
    if [ "$(sed -n 2p "$conf")" = "# alone" ]; then
        [ "$(grep -Ec '^[^ ]+:[0-9]+(:[0-9]+)?: ' "$dir/out")" = 1 ]
        verdict $? "bad/$name has one mistake"
    fi
done

sqlite3 "$dir/shop.db" < "$here/../../conf/examples/shop/schema.sqlite.sql" > "$dir/out" 2>&1
verdict $? "the shop's database is made"
cat "$here/../../conf/examples/shop/schema.sqlite.sql" \
    "$here/../../conf/idempotency/sqlite.sql" | sqlite3 "$dir/keys.db" > "$dir/out" 2>&1
verdict $? "... and one with a table of keys"
for conf in "$here"/checked/*.conf; do
    name=${conf##*/}
    expect=$(sed -n '1s/^# expect: //p' "$conf")
    place=${expect%% *} sentence=${expect#* }
    run "$conf"
    verdict $? "checked/$name passes without MOUSE_CHECK"
    run "$conf" -D MOUSE_CHECK
    passed=$?
    if [ -z "$expect" ]; then
        verdict $passed "checked/$name passes"
        warns=$(sed -n '1s/^# warns: //p' "$conf")
        if [ -n "$warns" ]; then
            [ "$(grep -c '^/' "$dir/out")" = 1 ] &&
                grep -Eq "/${warns%% *}: .*${warns#* }" "$dir/out"
            verdict $? "checked/$name warns at $warns"
        fi
    else
        [ $passed != 0 ] && says "$place" "$sentence"
        verdict $? "checked/$name is refused at $place: $sentence"
    fi
done

# The OpenAPI document: nothing else is printed, and what keeps it from being made fails.
run "$here/checked/10-templates.conf" -D MOUSE_OPENAPI && [ "$(head -c 1 "$dir/out")" = "{" ]
verdict $? "MOUSE_OPENAPI prints a document"
name=60-database.conf
run "$here/checked/$name" -D MOUSE_OPENAPI
[ $? != 0 ] && says 2 'cannot open the database none' && ! grep -q 'Syntax OK' "$dir/out"
verdict $? "... without its database httpd -t fails at the MouseDatabase"
"$HTTPD" -t -f "$dir/httpd.conf" -D MOUSE_OPENAPI 2> "$dir/err" > "$dir/out"
[ ! -s "$dir/out" ] && grep -q 'cannot open the database none' "$dir/err"
verdict $? "... and says so on standard error alone"
sed 's/^MouseRoute.*//' "$here/checked/60-database.conf" > "$dir/routeless.conf"
! run "$dir/routeless.conf" -D MOUSE_OPENAPI && grep -q '^[^/]*no server has routes' "$dir/out"
verdict $? "... nor is there one without routes"

# The first API of the tutorials, out of its page: a file's block follows the line that names
# it, the configuration is the block of Apache's.
page=$here/../../docs/tutorials/first-api.md
mkdir -p "$dir/notes/models" "$dir/notes/data"
awk -v dir="$dir/notes" '
    /^`\/srv\/notes\/.*`:$/ { file = $0; gsub(/`|:$|\/srv\/notes/, "", file) }
    /^```apache$/ { file = "/notes.conf" }
    /^```$/ { file = "" }
    /^```/ { inside = !inside; next }
    inside && file { gsub(/\/srv\/notes/, dir); print > (dir file) }
' "$page"
sqlite3 "$dir/notes/data/notes.sqlite" < "$dir/notes/schema.sql" > "$dir/out" 2>&1
verdict $? "the tutorial's database is made"
run "$dir/notes/notes.conf" -D MOUSE_CHECK
verdict $? "the tutorial's configuration passes MOUSE_CHECK"

# The accounts: their page quotes what their files say, and all of it is right for SQLite.
accounts=$here/../../conf/examples/accounts
perl -0777 -e '
    my ($page, @files) = map { open my $fh, "<", $_ or die "$_: $!"; <$fh> } @ARGV;
    my @blocks = $page =~ /^```(?:sql|apache)\n(.*?)^```$/msg;
    @blocks = grep { !/^MouseDatabase / } @blocks; # the one for the reader to write
    my @wrong = grep { my $block = $_; !grep { index($_, $block) >= 0 } @files } @blocks;
    print "no file says:\n$_" for @wrong;
    exit(@wrong || !@blocks)' \
    "$here/../../docs/tutorials/accounts.md" "$accounts"/*.conf "$accounts"/models/*.sql > "$dir/out" 2>&1
verdict $? "the page of the accounts quotes their files"
sqlite3 "$dir/accounts.db" < "$accounts/schema.sqlite.sql" > "$dir/out" 2>&1
verdict $? "the database of the accounts is made"
echo "a secret that every browser knows" > "$dir/mrpc.secret"
chmod 600 "$dir/mrpc.secret"
cat > "$dir/accounts.conf" <<END
Define ACCOUNTS_SECRET "$dir/mrpc.secret"
MouseDatabase main sqlite3 "$dir/accounts.db"
MouseModels   "$accounts/models" database=main
Include       "$accounts/accounts.conf"
Include       "$accounts/mrpc.conf"
END
run "$dir/accounts.conf" -D MOUSE_CHECK && [ "$(cat "$dir/out")" = "Syntax OK" ]
verdict $? "the accounts pass MOUSE_CHECK without a warning"

# 15 children with 20 connections are all that t/with-mariadb's server allows; each has one more
# for cancelling.
limited() {
    cat > "$dir/limited.conf" <<END
ServerLimit       15
ThreadsPerChild   25
MaxRequestWorkers 375
MouseDatabase main mysql "sock=$MOUSE_TEST_MYSQL_SOCKET,user=root,dbname=mouse_test" $1
MousePool     main max=20
MouseModels   "$dir/limited" database=main
MouseRoute    GET /one sql numbers/one
END
    run "$dir/limited.conf" -D MOUSE_CHECK
}
if [ -n "${MOUSE_TEST_MYSQL_SOCKET:-}" ]; then
    mkdir "$dir/limited"
    printf '%s\n' '-- name: one :one' 'SELECT 1 AS n;' > "$dir/limited/numbers.sql"
    limited && grep -q '15 children with 21 connections each, one of them for cancelling, are more than the 300' \
        "$dir/out"
    verdict $? "MOUSE_CHECK warns of more connections than the server allows"
    limited cancel=off && [ "$(cat "$dir/out")" = "Syntax OK" ]
    verdict $? "... and counts none for cancelling where nothing is cancelled"
fi

# README's one screen, with the shop's models.
echo cheese > "$dir/shop.pw"
chmod 600 "$dir/shop.pw"
sed -n '/^## One screen/,/^## /{/^```apache/,/^```$/p}' "$here/../../README.md" |
    sed "/^\`\`\`/d; /^LoadModule/d; s#/etc/mouse/shop.pw#$dir/shop.pw#; s#/srv/shop/models#$here/../../conf/examples/shop/models#" \
        > "$dir/readme.conf"
grep -q MouseRoute "$dir/readme.conf" && run "$dir/readme.conf"
verdict $? "README's one screen passes"

echo "1..$n"
