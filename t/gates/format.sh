#!/bin/sh
# The sources are as clang-format leaves them. Skipped where it is not installed.
cd "$(dirname "$0")/../.." || exit 1
command -v clang-format >/dev/null || exit 77
clang-format --dry-run -Werror mod_mouse.c $(find src t bench conf -name '*.[ch]')
