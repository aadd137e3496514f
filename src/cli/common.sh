
# ---- common: words to people, folders, the configuration that httpd gets ----

bold='' red='' yellow='' green='' dim='' plain=''

# Colour is for terminals, and for who wants it (https://no-color.org).
colours() {
    [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ] || return 0
    esc=$(printf '\033')
    bold="${esc}[1m" red="${esc}[31m" yellow="${esc}[33m" green="${esc}[32m" dim="${esc}[2m" plain="${esc}[0m"
}

say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "mouse: $*" >&2; }

# fail STATUS SENTENCE
fail() {
    status=$1
    shift
    warn "$*"
    exit "$status"
}

usage() {
    warn "$1; see \`mouse help $command\`"
    exit 2
}

need() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null 2>&1 ||
            fail 3 "$tool is missing: install the package that has it (Debian: $tool)"
    done
}

# The folder of an app: the one given, or the nearest one above that has an app.conf.
find_app() {
    app=${1:-}
    if [ -z "$app" ]; then
        app=$PWD
        while [ ! -f "$app/app.conf" ] && [ "$app" != / ]; do
            app=$(dirname "$app")
        done
        [ -f "$app/app.conf" ] || fail 2 "no app.conf here or above: name the app, or \`mouse new APP\`"
    fi
    [ -d "$app" ] || fail 2 "there is no folder $app"
    app=$(cd "$app" && pwd -P)
    [ -f "$app/app.conf" ] || fail 2 "$app has no app.conf"
    quotable "$app"
    run=$app/.mouse
}

# May the path stand between quotes in a configuration?
quotable() {
    case $1 in
    *[\"\\]* | *\$\{* | *'
'*) fail 2 "httpd cannot be given a path with quotes, backslashes or \${: $1" ;;
    esac
}

# Holds the temporary files of this command; gone when it ends.
make_tmp() {
    tmp=$(mktemp -d "${TMPDIR:-/tmp}/mouse.XXXXXX") || exit 3
    trap 'rm -rf "$tmp"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
}

# A module that httpd may have built in.
load_module() {
    printf '<IfModule !%s_module>\n    LoadModule %s_module "%s/mod_%s.so"\n</IfModule>\n' \
        "$1" "$1" "$modules" "$1"
}

# Who the children of a server that root starts are: the owner of the app, else www-data.
server_user() {
    owner=$(stat -c %U "$1")
    [ "$owner" != root ] || owner=${MOUSE_USER:-www-data}
    id "$owner" >/dev/null 2>&1 || fail 3 "no user $owner for the server's children: set MOUSE_USER"
}

# httpd_base RUN PORT [USER]: what every configuration made here begins with.
httpd_base() {
    [ -x "$httpd" ] || fail 3 "$httpd is missing: set HTTPD"
    [ -f "$module" ] || fail 3 "$module is missing: make install, or set MOUSE_MODULE"
    cat <<END
ServerRoot "$1"
ServerName 127.0.0.1
Listen 127.0.0.1:$2
PidFile "$1/httpd.pid"
DefaultRuntimeDir "$1"
ErrorLog "$1/error.log"
LogLevel notice
END
    [ -f "$modules/mod_mpm_event.so" ] && cat <<END
<IfModule !mpm_event_module>
    <IfModule !mpm_prefork_module>
        LoadModule mpm_event_module "$modules/mod_mpm_event.so"
    </IfModule>
</IfModule>
END
    for name in unixd log_config authz_core authz_host dir mime alias env setenvif headers; do
        load_module "$name"
    done
    printf 'LoadModule mouse_module "%s"\n' "$module"
    cat <<'END'
TypesConfig /dev/null
AddType text/html .html
AddType text/css .css
AddType text/javascript .js .mjs
AddType application/json .json .webmanifest
AddType image/svg+xml .svg
AddType image/png .png
AddType image/jpeg .jpg .jpeg
AddType image/webp .webp
AddType image/x-icon .ico
AddType font/woff2 .woff2
AddDefaultCharset utf-8
END
    if [ "$(id -u)" -eq 0 ]; then
        if [ -n "${3:-}" ]; then owner=$3; else server_user "$app"; fi
        printf 'User %s\nGroup %s\n' "$owner" "$(id -gn "$owner")"
    fi
}

# Few children for one developer.
small_server() {
    cat <<'END'
StartServers 1
<IfModule mpm_event_module>
    ThreadsPerChild 16
    ServerLimit 4
    MaxRequestWorkers 64
    MinSpareThreads 8
    MaxSpareThreads 64
</IfModule>
END
}

# httpd_app DIR DATA: the app in DIR and its page.
httpd_app() {
    cat <<END
Define APP "$1"
Define DATA "$2"
DocumentRoot "$1/public"
DirectoryIndex index.html
<Directory "/">
    Require all denied
</Directory>
<Directory "$1/public">
    Require all granted
</Directory>
IncludeOptional "$1/local.conf"
Include "$1/app.conf"
END
}

# Where the app's first SQLite database lives, or nothing.
sqlite_file() {
    awk -v app="$1" -v data="$2" '
        tolower($1) == "mousedatabase" && $3 == "sqlite3" {
            sub(/^[ \t]*[^ \t]+[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+/, "")
            if (/^"/) { sub(/^"/, ""); sub(/".*/, "") } else sub(/[ \t].*/, "")
            while (i = index($0, "${APP}")) $0 = substr($0, 1, i - 1) app substr($0, i + 6)
            while (i = index($0, "${DATA}")) $0 = substr($0, 1, i - 1) data substr($0, i + 7)
            print
            exit
        }' "$1/app.conf"
}

# param NAME: its value among $params, the parameters of a MouseDatabase of MariaDB.
param() { printf '%s\n' "$params" | tr ',; \t' '\n' | sed -n "s/^$1=//p" | head -n 1; }

# Is it an SQLite file in which there is nothing yet? What cannot be read is no such file.
is_empty_database() {
    [ -f "$1" ] && [ "$(sqlite3 "$1" 'SELECT COUNT(*) FROM sqlite_master' 2>/dev/null)" = 0 ]
}

# make_database DIR DATA: a new SQLite file out of schema.sql; one that holds something stays.
make_database() {
    file=$(sqlite_file "$1" "$2")
    [ -n "$file" ] && [ -f "$1/schema.sql" ] || return 0
    [ ! -e "$file" ] || is_empty_database "$file" || return 0
    need sqlite3
    mkdir -p "$(dirname "$file")"
    rm -f "$file.new"
    sqlite3 -bail "$file.new" <"$1/schema.sql" >/dev/null || {
        rm -f "$file.new"
        warn "schema.sql: the database was not made"
        return 1
    }
    if [ ! -e "$file" ]; then
        mv "$file.new" "$file"
    else
        # A server may have it open: it is filled where it is.
        filled=$(is_empty_database "$file.new" || echo yes)
        rm -f "$file.new"
        [ -n "$filled" ] || return 0
        sqlite3 -bail "$file" <"$1/schema.sql" >/dev/null || return 1
    fi
    say "made $file from schema.sql"
}

# give_data DATA: SQLite writes beside its file, as the server's user.
give_data() {
    [ "$(id -u)" -eq 0 ] || return 0
    server_user "$app"
    chown -R "$owner" "$1"
}

# Text as a JSON string, from standard input.
json_text() {
    awk 'BEGIN { for (i = 1; i < 32; i++) code[sprintf("%c", i)] = sprintf("\\u%04x", i) }
        {
            if (NR > 1) out = out "\\n"
            n = length($0)
            for (i = 1; i <= n; i++) {
                c = substr($0, i, 1)
                if (c == "\"" || c == "\\") c = "\\" c
                else if (c in code) c = code[c]
                out = out c
            }
        }
        END { printf "\"%s\"", out }'
}
