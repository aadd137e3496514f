
# ---- check: what httpd and mod_mouse say of a configuration, for people ----

# httpd_test CONF [-D NAME]...: httpd -t; its words are in $tmp/said.
httpd_test() {
    conf=$1
    shift
    "$httpd" -t -f "$conf" "$@" >"$tmp/said" 2>&1
}

# findings LEVEL FILE: httpd's words as lines of level, file, line, column, sentence, with tabs.
findings() {
    awk -v level="$1" '
        function put(file, line, column, sentence) {
            printf "%s\t%s\t%s\t%s\t%s\n", level, file, line, column, sentence
            found = 1
        }
        /^Syntax OK$/ || /^AH00014:/ || /^AH00558:/ { next }
        / Syntax error on line [0-9]+ of / || /^Syntax error on line [0-9]+ of / {
            line = $0; sub(/.*on line /, "", line); sub(/ of .*/, "", line)
            file = $0; sub(/.* on line [0-9]+ of /, "", file); sub(/:$/, "", file)
            sentence = ""
            while ((getline more) > 0) sentence = sentence (sentence == "" ? "" : " ") more
            put(file, line, "", sentence)
            next
        }
        match($0, /:[0-9]+(:[0-9]+)?: /) && /^\// {
            split(substr($0, RSTART + 1, RLENGTH - 3), at, ":")
            put(substr($0, 1, RSTART - 1), at[1], at[2], substr($0, RSTART + RLENGTH))
            delete at
            next
        }
        NF { put("", "", "", $0) }' "$2"
}

# Findings from standard input as people read them: the place, the line, a caret.
show_findings() {
    awk -F '\t' -v app="$app/" -v bold="$bold" -v red="$red" -v yellow="$yellow" -v dim="$dim" -v plain="$plain" '
        # The column of a word that the sentence quotes or calls missing, in lines first...
        function seek(sentence, word) {
            word = ""
            if (match(sentence, /no such (column|table|function): [^ ]+/)) {
                word = substr(sentence, RSTART, RLENGTH)
                sub(/.*: /, "", word)
            } else if (match(sentence, /["\047][^"\047]+["\047]/))
                word = substr(sentence, RSTART + 1, RLENGTH - 2)
            if (word == "") return 0
            for (n = line; n in text && n < line + 30; n++) {
                if (col = index(text[n], word)) { line = n; width = length(word); return col }
                if (text[n] ~ /;/) return 0
            }
            return 0
        }
        {
            colour = $1 == "error" ? red : yellow
            place = $2; line = $3 + 0; column = $4 + 0; sentence = $5; width = 1
            if (index(place, app) == 1) place = substr(place, length(app) + 1)
            while (n = index(sentence, app)) sentence = substr(sentence, 1, n - 1) substr(sentence, n + length(app))
            split("", text)
            if ($2 != "") {
                n = 0
                while ((getline got < $2) > 0) { gsub(/\t/, " ", got); text[++n] = got }
                close($2)
            }
            if (column <= 1 && (found = seek(sentence))) column = found
            if (column < 1 && line in text) {
                match(text[line], /^ */)
                column = RLENGTH + 1
                width = length(text[line]) - RLENGTH
            }
            printf "%s%s%s: ", colour bold, $1, plain
            if (place == "") { print sentence; next }
            printf "%s%s:%d%s%s\n", bold, place, line, (column ? ":" column : ""), plain
            if (line in text) {
                printf "%s%6d |%s %s\n", dim, line, plain, text[line]
                mark = ""
                for (n = 1; n < column; n++) mark = mark " "
                mark = mark colour "^"
                for (n = 1; n < width; n++) mark = mark "~"
                printf "%s       |%s %s%s\n", dim, plain, mark, plain
            }
            print "  " sentence
        }'
}

# The same as a JSON array.
json_findings() {
    tab=$(printf '\t')
    printf '['
    comma=''
    sed "s/$tab/$tab|/g" | while IFS="$tab" read -r level file line column sentence; do
        printf '%s\n  {"level":"%s","file":%s,"line":%s,"column":%s,"message":%s}' "$comma" "$level" \
            "$(printf %s "${file#|}" | json_text)" "$(number "${line#|}")" "$(number "${column#|}")" \
            "$(printf %s "${sentence#|}" | json_text)"
        comma=,
    done
    printf '\n]\n'
}

number() { printf %s "${1:-null}"; }

# The app's configuration in $tmp, for commands that only look.
looking_conf() {
    make_tmp
    { httpd_base "$tmp" 1 && small_server && httpd_app "$app" "$app/data"; } >"$tmp/httpd.conf" || exit 3
}

# What there is to say of $conf, in $tmp/findings. 1: a mistake.
look() {
    if httpd_test "$1" -D MOUSE_CHECK -D MOUSE_LINT; then
        findings warning "$tmp/said" >"$tmp/findings"
        return 0
    fi
    findings error "$tmp/said" >"$tmp/findings"
    return 1
}

# Only one APP and the option --json.
app_and_json() {
    json='' dir=''
    for word in "$@"; do
        case $word in
        --json) json=1 ;;
        -*) usage "unknown option $word" ;;
        *) [ -z "$dir" ] || usage "one app at a time"; dir=$word ;;
        esac
    done
    find_app "$dir"
}

check_app() {
    app_and_json "$@"
    looking_conf
    make_database "$app" "$app/data" >&2 && give_data "$app/data" || exit 1
    look "$tmp/httpd.conf"
    result=$?
    if [ -n "$json" ]; then
        json_findings <"$tmp/findings"
    else
        show_findings <"$tmp/findings"
        count=$(awk 'END { print NR }' "$tmp/findings")
        if [ $result -ne 0 ]; then
            say "${red}$count to mend${plain}"
        elif [ "$count" -gt 0 ]; then
            say "${yellow}$count to think about${plain}, no mistake"
        else
            say "${green}all is well${plain}: $(sum_up)"
        fi
    fi
    exit $result
}

# "3 routes, 2 models"
sum_up() {
    httpd_test "$tmp/httpd.conf" -D DUMP_MOUSE_ROUTES
    awk '/^  / { n++ } END { printf "%d route%s", n, (n == 1 ? "" : "s") }' "$tmp/said"
}

routes_app() {
    app_and_json "$@"
    looking_conf
    if [ -n "$json" ]; then
        httpd_test "$tmp/httpd.conf" -D DUMP_MOUSE_ROUTES -D MOUSE_JSON
    else
        httpd_test "$tmp/httpd.conf" -D DUMP_MOUSE_ROUTES
    fi || {
        findings error "$tmp/said" | show_findings >&2
        exit 1
    }
    if [ -n "$json" ]; then
        sed '/^Syntax OK$/d' "$tmp/said"
    else
        show_routes
    fi
    exit 0
}

# httpd's table of routes, with a head; methods in colour.
show_routes() {
    awk -v bold="$bold" -v dim="$dim" -v green="$green" -v yellow="$yellow" -v plain="$plain" '
        /^Mouse routes:/ || /^Syntax OK$/ || !NF { next }
        /^[^ ]/ { if ($0 != "main server") print bold $0 plain; next }
        {
            colour = $1 == "GET" ? green : yellow
            sub(/^  [A-Z]+/, "  " colour $1 plain)
            print
        }' "$tmp/said"
}
