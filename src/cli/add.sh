
# ---- add: a route, a model, a guard; kept only when all is still well ----

add_to_app() {
    what=${1:-}
    [ $# -eq 0 ] || shift
    dir='' kind='' sql=''
    count=$#
    while [ "$count" -gt 0 ]; do
        case $1 in
        --app) dir=${2:-}; [ "$count" -gt 1 ] || usage "--app without a folder"; shift; count=$((count - 1)) ;;
        --kind) kind=${2:-}; [ "$count" -gt 1 ] || usage "--kind without a word"; shift; count=$((count - 1)) ;;
        --sql) sql=${2:-}; [ "$count" -gt 1 ] || usage "--sql without SQL"; shift; count=$((count - 1)) ;;
        --*) usage "unknown option $1" ;;
        *) set -- "$@" "$1" ;;
        esac
        shift
        count=$((count - 1))
    done
    find_app "$dir"
    make_tmp
    open_copy
    case $what in
    route) add_route "$@" ;;
    model) add_model "$@" && note_unused ;;
    guard) add_guard "$@" ;;
    *) usage "add what? route, model or guard" ;;
    esac
    close_copy
}

# What the server reads of the app, in a copy: a running `mouse serve` sees whole changes only.
open_copy() {
    { make_database "$app" "$app/data" && give_data "$app/data"; } >&2 || exit 1
    mkdir -p "$tmp/app/public"
    (cd "$app" && tar cf - --exclude='./.?*' --exclude=./data --exclude=./public --exclude=./tests .) |
        (cd "$tmp/app" && tar xf -) || exit 3
    origin=$app
    app=$tmp/app
    { httpd_base "$tmp" 1 && httpd_app "$app" "$origin/data"; } >"$tmp/httpd.conf" || exit 3
    httpd_test "$tmp/httpd.conf" -D MOUSE_CHECK || {
        findings error "$tmp/said" | show_findings >&2
        fail 1 "mend this first"
    }
    changed='' notes=''
}

# Checks the copy; what is changed goes to the app, by renaming.
close_copy() {
    httpd_test "$tmp/httpd.conf" -D MOUSE_CHECK || {
        findings error "$tmp/said" | show_findings >&2
        fail 1 "nothing was changed"
    }
    for file in $changed; do
        mkdir -p "$origin/$(dirname "$file")"
        [ ! -f "$origin/$file" ] || cp -p "$origin/$file" "$origin/$file.new~"
        cat "$app/$file" >"$origin/$file.new~" && mv "$origin/$file.new~" "$origin/$file" || exit 3
    done
    printf '%s' "$notes"
}

note() {
    notes="$notes$*
"
}

# The word as a directive takes it.
quoted() {
    case $1 in
    *\"*) usage "a word with quotes: $1" ;;
    *[[:space:]]* | '') printf '"%s"' "$1" ;;
    *) printf %s "$1" ;;
    esac
}

# ---- guards ----

add_guard() {
    [ $# -ge 2 ] || usage "a guard has a name and a provider"
    line="MouseGuard    $(quoted "$1")"
    name=$1
    shift
    for word in "$@"; do line="$line $(quoted "$word")"; done
    old=$(awk -v name="$name" 'tolower($1) == "mouseguard" && $2 == name' "$app/app.conf")
    if [ -n "$old" ]; then
        [ "$(printf %s "$old" | tr -s ' \t' '  ')" = "$(printf %s "$line" | tr -s ' ')" ] ||
            fail 1 "there is another guard $name: $old"
        note "the guard $name is there already"
        return
    fi
    LINE=$line awk '
        { line[NR] = $0 }
        tolower($1) == "mouseguard" { last = NR }
        !first && (tolower($1) == "<mousegroup" || tolower($1) == "mouseroute" || tolower($1) == "mouseuse") { first = NR }
        END {
            while (last && line[last] ~ /\\$/) last++
            if (!last && first) last = first - 1
            if (!last && !first) last = NR
            if (last == 0) print ENVIRON["LINE"]
            for (i = 1; i <= NR; i++) {
                print line[i]
                if (i == last) print ENVIRON["LINE"]
            }
        }' "$app/app.conf" >"$tmp/new" && cat "$tmp/new" >"$app/app.conf"
    changed="$changed app.conf"
    note "app.conf: $(printf %s "$line" | tr -s ' ')"
    note "it stands before nothing yet: MouseUse $name in a group, or use=$name on a route"
}

# ---- models ----

model_exists() {
    awk -v name="$2" '/^--[ \t]*name:/ { sub(/^--[ \t]*name:[ \t]*/, ""); if ($1 == name) found = 1 }
        END { exit !found }' "$app/models/$1.sql" 2>/dev/null
}

add_model() {
    [ $# -eq 1 ] || usage "a model is FILE/NAME"
    case $1 in
    */*[!A-Za-z0-9_/-]* | /* | */ | *..* | *[!A-Za-z0-9_/-]*) usage "a model is FILE/NAME, of letters, digits, _ and -" ;;
    */*) ;;
    *) usage "a model is FILE/NAME" ;;
    esac
    file=${1%/*} name=${1##*/}
    if model_exists "$file" "$name"; then
        keep_sql "$1"
        note "the model $1 is there already"
        return
    fi
    mkdir -p "$app/models/$(dirname "$file")"
    if [ -n "$sql" ]; then
        [ -n "$kind" ] || usage "--sql needs --kind: one, many, exec, affected or object"
        text=$(printf -- '-- name: %s :%s\n%s\n' "$name" "${kind#:}" "${sql%;};")
    else
        text=$(model_of_table "$(basename "$file")" "$name") || exit 1
    fi
    [ ! -s "$app/models/$file.sql" ] || printf '\n' >>"$app/models/$file.sql"
    printf '%s\n' "$text" >>"$app/models/$file.sql"
    changed="$changed models/$file.sql"
    note "models/$file.sql: $name"
}

# Only a route or a guard tells which values a model may use.
note_unused() {
    [ -z "$changed" ] || note "nothing uses it yet: \`mouse add route METHOD PATH $file/$name\`, or a guard"
}

# SQL that was given is not lost without a word.
keep_sql() {
    [ -z "$sql" ] || fail 1 "the model $1 is there already: change it in models/${1%/*}.sql"
}

# The columns of a table of the app's first database, in $tmp/columns: name, type, 1 when it must be
# given, 1 when it has a default. dialect is sqlite3 or mysql.
table_columns() {
    dialect=$(awk 'tolower($1) == "mousedatabase" { print $3; exit }' "$app/app.conf")
    case $dialect in
    sqlite3) sqlite_columns "$1" ;;
    mysql) mysql_columns "$1" ;;
    *) fail 1 "app.conf has no MouseDatabase: give --kind and --sql" ;;
    esac
    [ -s "$tmp/columns" ] || {
        grep -qiw "table.*$1" "$app/schema.sql" 2>/dev/null &&
            fail 1 "schema.sql has a table $1, the database that is there has none: $(renew_hint)"
        fail 1 "the database has no table $1: give --kind and --sql"
    }
    grep -q "^id$(printf '\t')" "$tmp/columns" || fail 1 "the table $1 has no column id: give --kind and --sql"
}

sqlite_columns() {
    need sqlite3
    sqlite3 -separator "$(printf '\t')" "$(sqlite_file "$origin" "$origin/data")" \
        "SELECT name, type, \"notnull\", dflt_value IS NOT NULL FROM pragma_table_info('$1')" >"$tmp/columns"
}

# By the client of the database, which is asked as app.conf says. MariaDB writes the default NULL out.
mysql_columns() {
    need mariadb
    client_options >"$tmp/client.cnf" || exit 1
    mariadb --defaults-file="$tmp/client.cnf" -N -B -e "
        SELECT column_name, column_type, is_nullable = 'NO',
               (column_default IS NOT NULL AND column_default <> 'NULL') OR extra LIKE '%auto_increment%'
          FROM information_schema.columns
         WHERE table_schema = DATABASE() AND table_name = '$1'
         ORDER BY ordinal_position" >"$tmp/columns" || fail 1 "the database cannot be asked for its columns"
}

# MouseDatabase's parameters as an option file; readable by its user alone, as all of $tmp.
client_options() {
    awk '
        function option(name, value) {
            gsub(/[\\"]/, "\\\\&", value)
            printf "%s=\"%s\"\n", name, value
        }
        BEGIN {
            name["host"] = "host"; name["port"] = "port"; name["user"] = "user"
            name["pass"] = "password"; name["dbname"] = "database"; name["sock"] = "socket"
        }
        tolower($1) == "mousedatabase" {
            rest = $0
            sub(/^[ \t]*[^ \t]+[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+/, "", rest)
            params = rest
            if (rest ~ /^"/) { sub(/^"/, "", params); sub(/".*/, "", params) } else sub(/[ \t].*/, "", params)
            print "[client]"
            n = split(params, part, /[ \t;|,]+/)
            for (i = 1; i <= n; i++) {
                key = part[i]; sub(/=.*/, "", key)
                value = part[i]; sub(/^[^=]*=/, "", value)
                if (key in name) option(name[key], value)
            }
            if (match(rest, /password-file="?[^" \t]+/)) {
                file = substr(rest, RSTART, RLENGTH)
                sub(/^password-file="?/, "", file)
                if ((getline line < file) > 0) option("password", line)
            }
            exit
        }' "$app/app.conf"
}

# model_of_table TABLE NAME: the five everybody writes.
model_of_table() {
    case $2 in
    list | by_id | create | change | remove) ;;
    *) fail 1 "list, by_id, create, change and remove are made of tables; for $2 give --kind and --sql" ;;
    esac
    table_columns "$1"
    awk -F '\t' -v table="$1" -v model="$2" -v dialect="$dialect" '
        function type_of(declared, low, size) {
            low = tolower(declared)
            if (low ~ /^enum\(/) return enum_of(declared)
            if (low ~ /bool|^tinyint\(1\)/) return "bool"
            if (low ~ /int|^year/) return "int"
            if (low ~ /datetime|timestamp/) return "datetime"
            if (low ~ /date/) return "date"
            if (low ~ /real|floa|doub|dec|num/) return "number"
            if (low ~ /blob|binary/) return "bytes"
            if (low ~ /json/) return "json"
            if (match(low, /\([0-9]+\)/)) return "string(.." substr(low, RSTART + 1, RLENGTH - 2) ")"
            return "string(..1000)"
        }
        # The words of ENUM (..) where they can stand as they are; else only their type is said.
        function enum_of(declared) {
            sub(/^[^(]*\(/, "", declared)
            sub(/\)[^)]*$/, "", declared)
            gsub(/\047/, "", declared)
            return declared ~ /^[A-Za-z0-9_.,-]+$/ ? "string in(" declared ")" : "string(..1000)"
        }
        function say_bools() {
            for (i = 1; i <= n; i++) if (type[i] == "bool") print "-- column: " name[i] " bool"
        }
        {
            name[++n] = $1
            type[n] = type_of($2)
            columns = columns (n > 1 ? ", " : "") $1
            given[n] = $1 != "id" && !$4
            must[n] = $3 + 0
            changes[n] = $1 != "id" && $1 !~ /_at$/
        }
        END {
            one = "SELECT " columns " FROM " table " WHERE id = "
            if (model == "list") {
                print "-- name: list :many\n-- param: limit int(1..100) = 50\n-- param: offset int(0..) = 0"
                say_bools()
                print "SELECT " columns "\n  FROM " table "\n ORDER BY id LIMIT :limit OFFSET :offset;"
            } else if (model == "by_id") {
                print "-- name: by_id :one"
                say_bools()
                print one ":id;"
            } else if (model == "create") {
                print "-- name: create :one"
                for (i = 1; i <= n; i++) if (given[i]) {
                    print "-- param: " name[i] " " type[i] (must[i] ? "" : " optional nullable")
                    names = names (names == "" ? "" : ", ") name[i]
                    values = values (values == "" ? "" : ", ") ":" name[i]
                }
                say_bools()
                print "-- as: new"
                print "INSERT INTO " table (names == "" ? (dialect == "mysql" ? " () VALUES ();" : " DEFAULT VALUES;") : " (" names ") VALUES (" values ");")
                print one ":new.insert_id;"
            } else if (model == "change") {
                print "-- name: change :one\n-- Changes what was sent and leaves the rest."
                for (i = 1; i <= n; i++) if (changes[i]) {
                    print "-- param: " name[i] " " type[i] " optional" (must[i] ? "" : " nullable")
                    sets = sets (sets == "" ? "   SET " : ",\n       ") name[i] " = CASE WHEN :given." name[i] " THEN :" \
                        name[i] " ELSE " name[i] " END"
                }
                say_bools()
                print "-- expect: 1\nUPDATE " table "\n" sets "\n WHERE id = :id;"
                print one ":id;"
            } else {
                print "-- name: remove :exec\n-- expect: 1\nDELETE FROM " table " WHERE id = :id;"
            }
        }' "$tmp/columns"
}

# ---- routes ----

add_route() {
    [ $# -ge 2 ] || usage "a route has a method and a path"
    method=$(printf %s "$1" | tr '[:lower:]' '[:upper:]')
    path=$2
    shift 2
    case $method in
    GET | POST | PUT | PATCH | DELETE) ;;
    *) usage "a route's method is GET, POST, PUT, PATCH or DELETE" ;;
    esac
    case $path in /*) ;; *) usage "a path begins with /" ;; esac
    [ "${1:-}" != sql ] || shift
    case ${1:-=} in
    docs | openapi | json | controller | live | ready)
        usage "routes of models are added; this one is a line of app.conf: MouseRoute $method $path $*" ;;
    *=*) model=$(model_of_path) ;;
    *) model=$1; shift ;;
    esac
    options=''
    for word in "$@"; do options="$options $(quoted "$word")"; done
    case $method$options in POST*status=*) ;; POST*) options=" status=201$options" ;; esac
    httpd_test "$tmp/httpd.conf" -D DUMP_MOUSE_ROUTES
    old=$(awk -v method="$method" -v path="$path" '$1 == method && $2 == path { print $4 " " $5; exit }' "$tmp/said")
    if [ -n "$old" ]; then
        [ "$old" = "sql $model" ] || fail 1 "$method $path is a route already: $old"
        note "$method $path is there already"
        return
    fi
    if model_exists "${model%/*}" "${model##*/}"; then keep_sql "$model"; else add_model "$model"; fi
    insert_route
    changed="$changed app.conf"
}

# todos/by_id for GET /api/todos/{id:int}
model_of_path() {
    printf '%s %s\n' "$method" "$path" | awk '{
        n = split($2, part, "/")
        for (i = n; i > 0 && (part[i] == "" || part[i] ~ /^\{/); i--) ;
        if (i == 0) exit 1
        one = i < n
        name = $1 == "GET" ? (one ? "by_id" : "list") : $1 == "POST" ? "create" : $1 == "DELETE" ? "remove" : "change"
        print part[i] "/" name
    }'
}

# Into the group with the longest prefix, behind its last route; else to the end.
insert_route() {
    METHOD=$method ROUTE=$path REST="sql $model$options" awk '
        function unquoted(word) { gsub(/["<>]/, "", word); return word }
        {
            line[NR] = $0
            first = tolower($1)
            if (more) { if (routes) last[open[depth]] = NR }
            else if (first == "<mousegroup") {
                prefix[depth + 1] = prefix[depth] unquoted($2)
                depth++
                open[depth] = NR
                whole[NR] = prefix[depth]
                match($0, /^[ \t]*/)
                indent[NR] = substr($0, 1, RLENGTH) "    "
            } else if (first == "</mousegroup>") {
                close_of[open[depth]] = NR
                depth--
            }
            if (!more) routes = first == "mouseroute"
            if (routes && depth > 0) {
                last[open[depth]] = NR
                if (!more) { match($0, /^[ \t]*/); indent[open[depth]] = substr($0, 1, RLENGTH) }
            }
            more = /\\$/
        }
        END {
            path = ENVIRON["ROUTE"]
            best = 0
            for (at in whole) {
                it = whole[at]
                if (it == "" || (path != it && index(path, it "/") != 1)) continue
                if (!best || length(it) > length(whole[best]) || (length(it) == length(whole[best]) && at + 0 < best)) best = at + 0
            }
            where = NR
            margin = ""
            if (best) {
                where = best in last ? last[best] : close_of[best] - 1
                margin = indent[best]
                path = substr(path, length(whole[best]) + 1)
                if (path == "") path = "\"\""
            }
            new = sprintf("%sMouseRoute %-4s %s %s", margin, ENVIRON["METHOD"], path, ENVIRON["REST"])
            for (i = 1; i <= NR; i++) {
                print line[i]
                if (i == where) print new
            }
            sub(/^[ \t]*/, "", new)
            print new >"/dev/stderr"
        }' "$app/app.conf" >"$tmp/new" 2>"$tmp/line" || exit 3
    cat "$tmp/new" >"$app/app.conf"
    note "app.conf: $(cat "$tmp/line")"
}
