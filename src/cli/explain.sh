
# ---- explain, openapi, call: requests, on paper and in fact ----

explain_app() {
    case ${2:-} in /*) ;; *) usage "which request? METHOD /PATH" ;; esac
    method=$(printf %s "$1" | tr '[:lower:]' '[:upper:]')
    path=${2%%\?*}
    shift 2
    [ $# -le 1 ] || usage "one app at a time"
    find_app "${1:-}"
    looking_conf
    { make_database "$app" "$app/data" && give_data "$app/data"; } >&2 || exit 1
    httpd_test "$tmp/httpd.conf" -D "MOUSE_EXPLAIN=$method $path" || {
        findings error "$tmp/said" | show_findings >&2
        exit 1
    }
    sed '/^Syntax OK$/d' "$tmp/said" | awk -v app="$app/" -v bold="$bold" -v dim="$dim" -v yellow="$yellow" -v plain="$plain" '
        # Places are told from the app on, scans of whole tables stand out.
        {
            while (i = index($0, app)) $0 = substr($0, 1, i - 1) substr($0, i + length(app))
            if (/^(route|guard|action|no route)/) print bold $0 plain
            else if (/^    plan: (SCAN|.*type=(ALL|index) )/) print yellow $0 plain
            else if (/^    plan: /) print bold $0 plain
            else if (/^  statement /) print dim $0 plain
            else print
        }'
    grep -q '^route' "$tmp/said" || exit 1
    exit 0
}

openapi_app() {
    [ $# -le 1 ] || usage "one app at a time"
    find_app "${1:-}"
    looking_conf
    { make_database "$app" "$app/data" && give_data "$app/data"; } >&2 || exit 1
    httpd_test "$tmp/httpd.conf" -D MOUSE_OPENAPI || {
        findings error "$tmp/said" | show_findings >&2
        exit 1
    }
    grep -q '^{' "$tmp/said" || {
        sed '/^Syntax OK$/d' "$tmp/said" >&2
        exit 1
    }
    sed -n '/^{/,/^}/p' "$tmp/said"
    exit 0
}

# call METHOD PATH [name=value | name:=json | Header:value]...
call_app() {
    case ${2:-} in /*) ;; *) usage "which request? METHOD /PATH" ;; esac
    method=$(printf %s "$1" | tr '[:lower:]' '[:upper:]')
    path=$2
    shift 2
    need curl
    find_app ''
    running || fail 1 "the app is not served: \`mouse serve\` in another terminal"
    wait_served
    url=$(cat "$run/url")$path
    members='' query='' count=$#
    while [ "$count" -gt 0 ]; do
        word=$1
        shift
        count=$((count - 1))
        case $word in
        *:=*) members=$members${members:+,}$(printf %s "${word%%:=*}" | json_text):${word#*:=} ;;
        [A-Za-z]*:*)
            case ${word%%:*} in
            *=*) member ;;
            *) set -- "$@" -H "$word" ;;
            esac
            ;;
        *=*) member ;;
        *) usage "what is $word? name=value, name:=json or Header:value" ;;
        esac
        [ -z "$query" ] || set -- "$@" --data-urlencode "$query"
        query=''
    done
    case $method in
    GET | DELETE | HEAD) set -- -G "$@" ;;
    *) [ -z "$members" ] || set -- "$@" -H 'Content-Type: application/json' --data-binary "{$members}" ;;
    esac
    [ "$method" != HEAD ] || set -- -I "$@"
    make_tmp
    curl -sS -X "$method" -D "$tmp/head" -o "$tmp/body" "$@" "$url" || exit 1
    status=$(awk 'NR == 1 { print $2 }' "$tmp/head")
    case $status in 2*) colour=$green ;; 4*) colour=$yellow ;; 5*) colour=$red ;; *) colour='' ;; esac
    tr -d '\r' <"$tmp/head" | awk -v colour="$colour" -v dim="$dim" -v plain="$plain" '
        NR == 1 { print colour $0 plain; next }
        tolower($1) ~ /^(date|server|connection|keep-alive|transfer-encoding):$/ { next }
        NF { print dim $0 plain }' >&2
    cat "$tmp/body"
    [ ! -s "$tmp/body" ] || say
    case $status in [45]*) exit 1 ;; esac
    exit 0
}

# A member of the body, or of the query where there is no body.
member() {
    case $method in
    GET | DELETE | HEAD) query=$word ;;
    *) members=$members${members:+,}$(printf %s "${word%%=*}" | json_text):$(printf %s "${word#*=}" | json_text) ;;
    esac
}
