# tls [MPM ...]: the static and the point route by HTTP/1.1, by TLS and by HTTP/2 with eight
# streams a connection, loaded by h2load for as many requests as BENCH_REQUESTS (100,000) says.
. "$here/bench/servers.sh"
[ $# -gt 0 ] || set -- event worker
total=${BENCH_REQUESTS:-100000}
fill_database
install nghttp2-client openssl
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$dir/key" -out "$dir/certificate" -days 2 \
    -subj /CN=127.0.0.1 2>/dev/null
chmod 600 "$dir/key"
tls_port=$(free_port)

mouse_routes() {
    cat <<CONF
LoadModule ssl_module $modules/mod_ssl.so
LoadModule http2_module $modules/mod_http2.so
Listen 127.0.0.1:$tls_port
MouseRoute GET /hello          json '{"message":"Hello World"}'
MouseRoute GET /users/{id:int} sql users/by_id
Protocols h2 http/1.1
H2Push off
<VirtualHost 127.0.0.1:$tls_port>
    SSLEngine on
    SSLCertificateFile $dir/certificate
    SSLCertificateKeyFile $dir/key
</VirtualHost>
CONF
}

# row PROTOCOL ADDRESS [H2LOAD OPTIONS...]
row() {
    local protocol=$1 address=$2 before after
    shift 2
    before=$(usage cpu "${root_of[$mpm]}")
    h2load -t1 -c"$clients" -n"$total" "$@" "$address$path" >"$dir/h2load"
    after=$(usage cpu "${root_of[$mpm]}")
    grep -q "$total succeeded, 0 failed" "$dir/h2load" || { cat "$dir/h2load" >&2; exit 1; }
    awk -v mpm="$mpm" -v path="$path" -v protocol="$protocol" -v before="$before" -v after="$after" -v n="$total" '
        /^finished in/ {rate = $4}
        END {split(before, b); split(after, a)
            printf "%s\t%s\t%s\t%s\t%.1f\n", mpm, path, protocol, rate, 1000 * (a[1] - b[1]) / n}' "$dir/h2load"
}

printf '\n### HTTP/1.1, TLS, HTTP/2\n\n'
{
    printf 'MPM\troute\tprotocol\treq/s\tCPU us\n'
    for mpm in "$@"; do
        start_server "$mpm"
        for path in /hello /users/7; do
            row HTTP/1.1 "$(address "$mpm")" --h1
            row 'TLS, HTTP/1.1' "https://127.0.0.1:$tls_port" --h1
            row 'TLS, HTTP/2' "https://127.0.0.1:$tls_port" -m8
        done
        stop_server "$mpm"
    done
} >"$dir/rows"
table <"$dir/rows"
