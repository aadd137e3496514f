
# ---- call: a request that the app's server runs inside itself ----

# call METHOD PATH [--as GUARD.FIELD=VALUE] [name=value | name:=json | Header:value]...
call_app() {
    case ${2:-} in /*) ;; *) usage "which request? METHOD /PATH" ;; esac
    method=$(printf %s "$1" | tr '[:lower:]' '[:upper:]')
    target=$(percent "$2" '!-~')
    shift 2
    need curl
    find_app ''
    running || fail 1 "the app is not served: \`mouse serve\` in another terminal"
    [ -r "$run/call.key" ] || fail 1 "$run/call.key cannot be read: call as the user who serves the app"
    wait_served
    make_tmp
    : >"$tmp/request"
    members='' context=''
    while [ $# -gt 0 ]; do
        case $1 in
        --as) [ $# -gt 1 ] || usage "--as without GUARD.FIELD=VALUE"; shift; give_context "$1" ;;
        --as=*) give_context "${1#*=}" ;;
        *) take_word "$1" ;;
        esac
        shift
    done
    [ -z "$members" ] || {
        say 'Content-Type: application/json' >>"$tmp/request"
        set -- --data-binary "{$members}"
    }
    say "Mouse-Call: {\"key\":\"$(cat "$run/call.key")\",\"method\":$(json_string "$method"),\"target\":$(json_string "$target"),\"context\":{$context}}" >>"$tmp/request"
    # The key stays out of the list of processes. A HEAD has a length without a body.
    [ "$method" != HEAD ] || set -- -I
    curl -sS -X POST -H "@$tmp/request" -D "$tmp/head" -o "$tmp/body" "$@" \
        "$(cat "$run/url")/.mouse/call" || exit 1
    show_answer
}

has_no_body() {
    case $method in GET | DELETE | HEAD | OPTIONS) return 0 ;; esac
    return 1
}

json_string() { printf %s "$1" | json_text; }

# name=value, name:=json or Header:value
take_word() {
    case $1 in
    *:=*)
        if has_no_body; then
            take_member "${1%%:=*}=${1#*:=}"
        else
            members=$members${members:+,}$(json_string "${1%%:=*}"):${1#*:=}
        fi
        ;;
    [A-Za-z]*:*)
        case ${1%%:*} in
        *=*) take_member "$1" ;;
        *) say "$1" >>"$tmp/request" ;;
        esac
        ;;
    *=*) take_member "$1" ;;
    *) usage "what is $1? name=value, name:=json or Header:value" ;;
    esac
}

# A member of the body, or of the query where there is no body.
take_member() {
    if has_no_body; then
        case $target in *\?*) target=$target'&' ;; *) target=$target'?' ;; esac
        target=$target$(url_text "${1%%=*}")=$(url_text "${1#*=}")
    else
        members=$members${members:+,}$(json_string "${1%%=*}"):$(json_string "${1#*=}")
    fi
}

# GUARD.FIELD=text or GUARD.FIELD:=json, for the context.
give_context() {
    case $1 in
    *.*:=*) value=${1#*:=} ;;
    *.*=*) value=$(json_string "${1#*=}") ;;
    *) usage "--as takes GUARD.FIELD=VALUE or GUARD.FIELD:=JSON, not $1" ;;
    esac
    name=${1%%=*}
    context=$context${context:+,}$(json_string "${name%:}"):$value
}

# percent TEXT KEPT: percent-encoded, but for the bytes that the class KEPT names.
percent() {
    printf %s "$1" | od -An -v -tx1 | tr -s ' ' '\n' | awk -v kept="[$2]" '
        BEGIN { for (i = 33; i < 127; i++) plain[sprintf("%02x", i)] = sprintf("%c", i) }
        NF { c = plain[$1]; printf "%s", c != "" && c ~ kept ? c : "%" toupper($1) }'
}

# RFC 3986, 2.3: these alone mean nothing in a query.
url_text() { percent "$1" 'A-Za-z0-9._~-'; }

# The head on standard error, the body on standard output.
show_answer() {
    status=$(awk 'NR == 1 { print $2 }' "$tmp/head")
    case $status in 2*) colour=$green ;; 4*) colour=$yellow ;; 5*) colour=$red ;; *) colour='' ;; esac
    tr -d '\r' <"$tmp/head" | awk -v colour="$colour" -v dim="$dim" -v plain="$plain" '
        NR == 1 { print colour $0 plain; next }
        tolower($1) ~ /^(date|server|connection|keep-alive|transfer-encoding):$/ { next }
        NF { print dim $0 plain }' >&2
    if [ "$method" != HEAD ]; then
        cat "$tmp/body"
        [ ! -s "$tmp/body" ] || say
    fi
    case $status in [45]*) exit 1 ;; esac
    exit 0
}
