
# ---- new: an app that runs at once ----

new_app() {
    dir='' db=sqlite params='' with='' start=todos
    while [ $# -gt 0 ]; do
        case $1 in
        --db) db=${2:-}; shift ;;
        --params) params=${2:-}; shift ;;
        --with) with=${2:-}; shift ;;
        --empty) start=empty ;;
        -*) usage "unknown option $1" ;;
        *) [ -z "$dir" ] || usage "one app at a time"; dir=$1 ;;
        esac
        [ $# -gt 0 ] || usage "an option without a value"
        shift
    done
    [ -n "$dir" ] || usage "the app needs a name"
    case $db in sqlite | mysql) ;; *) usage "--db is sqlite or mysql" ;; esac
    case $with in '' | accounts) ;; *) usage "--with is accounts" ;; esac
    quotable "$dir"
    name=$(basename "$dir" | tr -c 'A-Za-z0-9_\n' _)
    quotable "$params"
    case $params in *[\&\|]*) usage "--params holds & or |" ;; esac
    [ -n "$params" ] || params="host=127.0.0.1,user=$name,dbname=$name"
    [ -e "$dir" ] && fail 1 "$dir is there already; nothing is overwritten"
    mkdir -p "$(dirname "$dir")" && mkdir "$dir" || exit 3
    (new_files) || {
        rm -rf "$dir"
        fail 3 "$dir could not be made"
    }
    say "${bold}$dir${plain} is made. Next:"
    say
    [ "$db" = sqlite ] || say_mysql
    say "  cd '$dir'"
    [ $start = todos ] || say_empty
    say "  mouse serve"
}

# Who may make the database is no business of the app; where it is, app.conf says.
say_mysql() {
    dbname=$(param dbname)
    say "  mariadb -e 'CREATE DATABASE ${dbname:-$name} CHARACTER SET utf8mb4'   # once, as its administrator"
    say "  mariadb ${dbname:-$name} < '$dir/schema.sql'"
    say "  # the user of MouseDatabase in app.conf needs GRANT SELECT, INSERT, UPDATE, DELETE ON ${dbname:-$name}.*"
}

say_empty() {
    say "  # write your tables into schema.sql, then, for one of them:"
    say "  mouse add route GET /api/TABLE"
}

# fill FILE...: copies templates with the app's name and database.
fill() {
    for part in "$@"; do
        mkdir -p "$(dirname "$dir/$part")"
        sed -e "s|@NAME@|$name|g; s|@PARAMS@|$params|g" \
            -e "s|^@$db@ *||; s|^@${with:-plain}@ *||" \
            -e "s|^@$start@||" \
            -e '/^@sqlite@/d; /^@mysql@/d; /^@plain@/d; /^@accounts@/d; /^@todos@/d; /^@empty@/d' \
            "$data/new/$part" >"$dir/$part" || return 1
    done
}

new_files() {
    set -e
    fill app.conf README.md
    "new_$start"
    printf '/.mouse/\n/data/\n/local.conf\n' >"$dir/.gitignore"
    mkdir "$dir/data"
    [ "$with" != accounts ] || new_accounts
}

new_todos() {
    fill models/todos.sql public/index.html public/app.js public/style.css tests/api.t
    cp "$data/new/schema.$db.sql" "$dir/schema.sql"
}

# Folders that git would not keep have a file.
new_empty() {
    mkdir "$dir/models" "$dir/public" "$dir/tests"
    : >"$dir/models/.gitkeep"
    : >"$dir/public/.gitkeep"
    cp "$data/new/empty/api.t" "$dir/tests/"
    cp "$data/new/empty/schema.$db.sql" "$dir/schema.sql"
}

# The accounts of conf/examples, beside the to-dos.
new_accounts() {
    cat "$data/accounts/schema.$db.sql" >>"$dir/schema.sql"
    cp "$data"/accounts/models/accounts.sql "$data"/accounts/models/sessions.sql \
        "$data"/accounts/models/keys.sql "$dir/models/"
    cp "$data/accounts/accounts.conf" "$dir/accounts.conf"
    sed -e 's|app\.js|accounts.js|' -e '/mrpc-/d' "$data/accounts/public/index.html" >"$dir/public/accounts.html"
    sed 's|field(id)\.add|field(id)?.add|' "$data/accounts/public/app.js" >"$dir/public/accounts.js"
}
