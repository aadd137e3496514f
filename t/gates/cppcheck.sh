#!/bin/sh
# cppcheck finds nothing. Skipped where it is not installed.
cd "$(dirname "$0")/../.." || exit 1
command -v cppcheck >/dev/null || exit 77
cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,portability --inline-suppr \
    --suppress=missingIncludeSystem -Isrc src mod_mouse.c
