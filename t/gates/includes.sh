#!/bin/sh
# Includes run one way: base <- json <- {route, db} <- model <- guard <- http <- conf.
# A room sees the public headers of the rooms below it, and httpd only from http and conf.
set -u
cd "$(dirname "$0")/../.." || exit 1
bad=0

allowed() {
    case $1 in
    base) echo base ;;
    json) echo base json ;;
    route) echo base json route ;;
    db) echo base json db ;;
    model) echo base json db model ;;
    guard) echo base json db model guard ;;
    http) echo base json route db model guard http ;;
    conf) echo base json route db model guard http conf ;;
    esac
}

for room in base json route db model guard http conf; do
    for file in src/$room/*.[ch]; do
        for included in $(sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file"); do
            case $included in
            */*) from=${included%%/*} name=${included##*/} ;;
            *) from=$room name=$included ;;
            esac
            case " $(allowed $room) " in
            *" $from "*) ;;
            *) echo "$file includes $included"; bad=1 ;;
            esac
            case $name in
            mouse.h | mouse_*.h | *.def) ;;
            *) [ "$from" = "$room" ] || { echo "$file includes the private $included"; bad=1; } ;;
            esac
        done
        case $room in
        http | conf) ;;
        *)
            if grep -nE '#include <(httpd|http_|ap_|util_|mod_|mpm)' "$file"; then
                echo "$file includes httpd"
                bad=1
            fi
            ;;
        esac
    done
done
exit $bad
