#!/bin/sh
# Instructions per route look-up, by callgrind: the difference of two runs that differ in
# look-ups alone, so that building the table does not count.
#
#   bench/route.sh [BUILD-DIRECTORY]      default: build
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$top/build}" && pwd)
command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 1; }
make -s -C "$build" bench/route_lookup
few=1000 many=3000

count() {
    LC_ALL=C "$build/libtool" --mode=execute valgrind --tool=callgrind \
        --callgrind-out-file=/dev/null "$build/bench/route_lookup" "$1" "$2" "$3" 2>&1 |
        sed -n 's/.*Collected : *\([0-9]*\).*/\1/p'
}

printf '%-8s %8s %s\n' table routes instructions/look-up
for row in static:10 static:1000 static:10000 dynamic:10 dynamic:100 dynamic:1000; do
    kind=${row%:*} routes=${row#*:}
    less=$(count "$kind" "$routes" $few)
    more=$(count "$kind" "$routes" $many)
    printf '%-8s %8d %d\n' "$kind" "$routes" $(((more - less) / (many - few)))
done
