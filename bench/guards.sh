# guards [MPM ...]: what guards cost on a static route - none, each alone, five in a chain, and
# denials. Instructions are those of the whole server for one request, by callgrind.
[ $# -gt 0 ] || set -- event worker prefork

secret=0123456789abcdef0123456789abcdef
echo "acme $secret" >"$dir/api-keys"
echo "$secret" >"$dir/secret"
chmod 644 "$dir/api-keys" "$dir/secret"
mkdir "$dir/models"
cat >"$dir/models/sessions.sql" <<'SQL'
-- name: by_token :one
SELECT user_id AS id FROM sessions WHERE token = :token.value;
SQL
perl -MDBI -e 'my $db = DBI->connect("dbi:SQLite:dbname=$ARGV[0]", "", "", {RaiseError => 1});
    $db->do("PRAGMA journal_mode = WAL");
    $db->do("CREATE TABLE sessions (token TEXT PRIMARY KEY, user_id INTEGER)");
    $db->do("INSERT INTO sessions VALUES (?, 7)", undef, $ARGV[1])' "$dir/db.sqlite" $secret
chown -R www-data "$dir/db.sqlite"* 2>/dev/null || true
chmod 777 "$dir"

# JSON of 64 bytes, and its signature as GitHub makes it.
body='{"event":"push","repository":"mouse","commits":[1,2,3,4,5,6,7]}'
signature=sha256=$(printf %s "$body" | openssl dgst -sha256 -hmac $secret -r | cut -d' ' -f1)
digest="sha-256=:$(printf %s "$body" | openssl dgst -sha256 -binary | base64):"
input="(\"@method\" \"@target-uri\" \"content-digest\");created=$(date +%s);keyid=\"acme\""
hmac=$(printf '"@method": POST\n"@target-uri": %s\n"content-digest": %s\n"@signature-params": %s' \
    "$url/hmac" "$digest" "$input" | openssl dgst -sha256 -hmac $secret -binary | base64)
jwt=$(perl -MMIME::Base64=encode_base64url -MDigest::SHA=hmac_sha256 -e '
    my $text = encode_base64url(q({"alg":"HS256","typ":"JWT"})) . "."
        . encode_base64url(sprintf q({"sub":"7","iss":"bench","aud":"bench","exp":%d}), time + 86400);
    print $text, ".", encode_base64url(hmac_sha256($text, $ARGV[0]))' $secret)

configure() {
    base_conf "$1"
    cat <<CONF
MouseDatabase main sqlite3 "$dir/db.sqlite"
MousePool     main max=$clients
MouseModels   $dir/models database=main
MouseGuard limit  rate-limit 20000/1s key={request.ip}
MouseGuard token  bearer
MouseGuard key    api-key keys-file=$dir/api-keys
MouseGuard own    same-origin
MouseGuard type   format types=application/json
MouseGuard method expr "%{REQUEST_METHOD} == 'GET'"
MouseGuard user   lookup sessions/by_token else=401
MouseGuard claims jwt key-file=$dir/secret alg=HS256 iss=bench aud=bench
MouseGuard hook   signature header=X-Hub-Signature-256 parse=sha256={sig} message={body} key-file=$dir/secret
MouseGuard signed hmac keys-file=$dir/api-keys window=1d
MouseGuard no     deny 403
MouseRoute GET  /none       json '{"message":"Hello World"}'
MouseRoute POST /none       json '{"message":"Hello World"}'
MouseRoute GET  /rate-limit json '{"message":"Hello World"}' use=limit
MouseRoute GET  /bearer     json '{"message":"Hello World"}' use=token
MouseRoute GET  /api-key    json '{"message":"Hello World"}' use=key
MouseRoute POST /same-origin json '{"message":"Hello World"}' use=own
MouseRoute POST /format     json '{"message":"Hello World"}' use=type
MouseRoute GET  /expr       json '{"message":"Hello World"}' use=method
MouseRoute GET  /lookup     json '{"message":"Hello World"}' use=token,user
MouseRoute GET  /jwt        json '{"message":"Hello World"}' use=claims
MouseRoute POST /signature  json '{"message":"Hello World"}' use=hook
MouseRoute POST /hmac       json '{"message":"Hello World"}' use=signed
MouseRoute GET  /five       json '{"message":"Hello World"}' use=limit,token,own,type,method
MouseRoute GET  /denied     json '{"message":"Hello World"}' use=limit,token,own,type,no
MouseRoute GET  /first      json '{"message":"Hello World"}' use=no
CONF
}

# The routes: name, method, and what is sent.
rows='none GET
rate-limit GET
bearer GET
api-key GET
expr GET
lookup GET
jwt GET
five GET
denied GET
first GET
none POST
same-origin POST
format POST
signature POST
hmac POST'

# The token's header goes with every GET, so that all send the same bytes.
headers_of() {
    case $1 in
    jwt) printf '%s\n' "Authorization: Bearer $jwt" ;;
    hmac) printf '%s\n' "Content-Digest: $digest" "Signature-Input: sig1=$input" "Signature: sig1=:$hmac:" ;;
    *) printf '%s\n' "Authorization: Bearer $secret" ;;
    esac
    printf '%s\n' "X-Api-Key: $secret" "X-Hub-Signature-256: $signature" "Sec-Fetch-Site: same-origin"
}

make_script() {
    {
        echo "wrk.method = \"$2\""
        [ "$2" = GET ] || printf "wrk.body = '%s'\nwrk.headers['Content-Type'] = 'application/json'\n" "$body"
        headers_of "$1" | sed "s/^\([^:]*\): \(.*\)/wrk.headers['\1'] = '\2'/"
    } >"$dir/$1.$2.lua"
}

# send NAME METHOD COUNT: by ab on one connection, which also works slowly.
send() {
    local args=()
    while read -r header; do args+=(-H "$header"); done < <(headers_of "$1")
    [ "$2" = GET ] || args+=(-p "$dir/body" -T application/json)
    ab -q -k -n "$3" -c 1 "${args[@]}" "$url/$1" >/dev/null 2>&1
}
printf %s "$body" >"$dir/body"

check_status() {
    local want=200 got args=()
    case $1 in denied | first) want=403 ;; esac
    while read -r header; do args+=(-H "$header"); done < <(headers_of "$1")
    [ "$2" = GET ] || args+=(--data-binary "@$dir/body" -H 'Content-Type: application/json')
    got=$(curl -s -o /dev/null -w '%{http_code}' "${args[@]}" "$url/$1")
    [ "$got" = $want ] || { echo "$2 /$1 answers $got" >&2; exit 1; }
}

configure prefork >"$dir/httpd.conf"
under_callgrind /none
declare -A cost
while read -r name method; do
    make_script "$name" "$method"
    check_status "$name" "$method"
    cost[$name.$method]=$(instructions send "$name" "$method")
done <<<"$rows"
stop_httpd

printf '%-8s %-12s %-6s %10s %9s %13s %9s\n' MPM guards method 'req/s' 'of none' instructions 'and more'
for mpm in "$@"; do
    configure "$mpm" >"$dir/httpd.conf"
    start_httpd /none
    declare -A rates=()
    for _ in $(seq "$runs"); do
        while read -r name method; do
            rates[$name.$method]+=" $(rate "/$name" -s "$dir/$name.$method.lua")"
        done <<<"$rows"
    done
    while read -r name method; do
        # shellcheck disable=SC2086
        mine=$(median ${rates[$name.$method]}) none=$(median ${rates[none.$method]})
        printf '%-8s %-12s %-6s %10s %9s %13s %9s\n' "$mpm" "$name" "$method" "$mine" \
            "$(ratio "$mine" "$none")" "${cost[$name.$method]}" \
            "$((${cost[$name.$method]} - ${cost[none.$method]}))"
    done <<<"$rows"
    stop_httpd
done
