#!/bin/sh
# Every error code, directive, guard and action has its page, and every page its thing.
set -u
cd "$(dirname "$0")/../.." || exit 1
bad=0

# compare KIND FOLDER NAME...: the names against FOLDER's pages.
compare() {
    kind=$1 folder=$2
    shift 2
    for name in "$@"; do
        [ -f "docs/reference/$folder/$name.md" ] || {
            echo "$kind $name has no page docs/reference/$folder/$name.md"; bad=1; }
    done
    for page in "docs/reference/$folder"/*.md; do
        name=$(basename "$page" .md)
        case " $* " in
        *" $name "*) ;;
        *) echo "$page is about no $kind"; bad=1 ;;
        esac
    done
}

# shellcheck disable=SC2046
compare "error code" errors \
    $(sed -n 's/^MOUSE_ERROR([A-Z_]*, "\([a-z0-9-]*\)".*/\1/p' src/base/errors.def)
# shellcheck disable=SC2046
compare directive directives \
    $(grep -ohE '"<?Mouse[A-Za-z]+"' src/conf/directives.c | tr -d '"<' | sort -u)
# shellcheck disable=SC2046
compare guard guards $(sed -n 's/.*\.name = "\([a-z-]*\)".*/\1/p' src/guard/guard_*.c)
# shellcheck disable=SC2046
compare action actions $(sed -n 's/.*\.name = "\([a-z-]*\)".*/\1/p' src/http/action_*.c)
exit $bad
