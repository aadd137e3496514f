#!/bin/sh
# No function above 80 lines, no file above 500.
cd "$(dirname "$0")/../.." || exit 1
find src mod_mouse.c -name '*.c' | sort | xargs awk '
    FNR == 1 { start = 0 }
    FNR == 501 { print FILENAME ": more than 500 lines"; bad = 1 }
    /^\{/ { start = FNR }
    /^\}/ {
        if (start && FNR - start > 80) {
            print FILENAME ":" start ": a function of " FNR - start " lines"
            bad = 1
        }
        start = 0
    }
    END { exit bad }'
