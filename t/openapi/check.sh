#!/bin/sh
# Licensed under the Apache License, Version 2.0; see LICENSE.
#
# The OpenAPI documents of the shop and of the accounts, as TAP: valid by an independent
# validator, and good for a TypeScript client that type-checks. MOUSE_NPM is a folder of npm
# packages, those of package.json beside this file; without it all is skipped.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
: "${HTTPD:=/usr/sbin/apache2}" "${MODULE:?the path of mod_mouse.so}"
[ -d "${MOUSE_NPM:-}/openapi-typescript" ] || { echo "1..0 # SKIP no npm packages"; exit 0; }
modules=${HTTPD_MODULES:-/usr/lib/apache2/modules}
examples=$here/../../conf/examples
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
. "$here/../lib/tap.sh"

# document NAME DATABASE: $dir/NAME.json, of an example.
document() {
    name=$1 database=$2
    cat >"$dir/httpd.conf" <<END
ServerRoot "$dir"
ServerName localhost
PidFile "$dir/pid"
ErrorLog "$dir/error.log"
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule mouse_module $MODULE
Listen 127.0.0.1:1
MouseDatabase main $database
MouseModels $examples/$name/models database=main
Include $examples/$name/$name.conf
MouseRoute GET /openapi.json openapi "The $name" 1.0
END
    "$HTTPD" -t -f "$dir/httpd.conf" -D MOUSE_OPENAPI 2>"$dir/out" | sed '/^Syntax OK$/d' >"$dir/$name.json"
    [ -s "$dir/$name.json" ]
    verdict $? "$kind: the $name have a document"
    node "$here/validate.mjs" "$dir/$name.json" >"$dir/out" 2>&1
    verdict $? "$kind: ... which is valid"
}

client() {
    node "$MOUSE_NPM/openapi-typescript/bin/cli.js" "$dir/shop.json" -o "$dir/shop.d.ts" >"$dir/out" 2>&1
    verdict $? "$kind: openapi-typescript makes types of the shop"
    cp "$here/client.ts" "$dir"
    node "$MOUSE_NPM/typescript/bin/tsc" --noEmit --strict --target es2022 --lib es2022,dom \
        --module esnext --moduleResolution bundler "$dir/client.ts" >"$dir/out" 2>&1
    verdict $? "$kind: ... by which a client type-checks"
}

kind=SQLite
for name in shop accounts; do
    sqlite3 "$dir/$name.sqlite" <"$examples/$name/schema.sqlite.sql" >/dev/null
    document $name "sqlite3 $dir/$name.sqlite"
done
client
if [ -n "${MOUSE_TEST_MYSQL_SOCKET:-}" ]; then
    kind=MariaDB
    mariadb --no-defaults -uroot -S "$MOUSE_TEST_MYSQL_SOCKET" -e 'DROP DATABASE IF EXISTS mouse_openapi;
        CREATE DATABASE mouse_openapi CHARACTER SET utf8mb4'
    mariadb --no-defaults -uroot -S "$MOUSE_TEST_MYSQL_SOCKET" mouse_openapi <"$examples/shop/schema.mysql.sql" >/dev/null
    document shop "mysql sock=$MOUSE_TEST_MYSQL_SOCKET,user=root,dbname=mouse_openapi"
    client
fi
echo "1..$n"
