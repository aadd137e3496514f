
# ---- explain, openapi: requests on paper ----

explain_app() {
    case ${2:-} in /*) ;; *) usage "which request? METHOD /PATH" ;; esac
    request="$(printf %s "$1" | tr '[:lower:]' '[:upper:]') ${2%%\?*}"
    shift 2
    app_and_json "$@"
    looking_conf
    { make_database "$app" "$app/data" && give_data "$app/data"; } >&2 || exit 1
    httpd_test "$tmp/httpd.conf" -D "MOUSE_EXPLAIN=$request" ${json:+-D MOUSE_JSON} || {
        findings error "$tmp/said" | show_findings >&2
        exit 1
    }
    if [ -n "$json" ]; then
        sed -n '/^{/,/^}/p' "$tmp/said"
        ! grep -q '^  "route":null' "$tmp/said" || exit 1
    else
        show_explained
        grep -q '^route' "$tmp/said" || exit 1
    fi
    exit 0
}

# Places are told from the app on, scans of whole tables stand out.
show_explained() {
    sed '/^Syntax OK$/d' "$tmp/said" | awk -v app="$app/" -v bold="$bold" -v dim="$dim" -v yellow="$yellow" -v plain="$plain" '
        {
            while (i = index($0, app)) $0 = substr($0, 1, i - 1) substr($0, i + length(app))
            if (/^(route|guard|action|no route)/) print bold $0 plain
            else if (/^    plan: (SCAN|.*type=(ALL|index) )/) print yellow $0 plain
            else if (/^    plan: /) print bold $0 plain
            else if (/^  statement /) print dim $0 plain
            else print
        }'
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
    sed -n '/^{/,/^}/p' "$tmp/said"
    exit 0
}
