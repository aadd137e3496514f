#!/bin/sh
# Every unit test is built and run: each t/unit/test_*.c stands in a local.mk.
cd "$(dirname "$0")/../.." || exit 1
bad=0
for file in t/unit/test_*.c; do
    name=$(basename "$file" .c)
    grep -qsE "^unit_tests .*t/unit/$name( |\$)" src/*/local.mk t/local.mk || {
        echo "$file is never run"; bad=1; }
done
exit $bad
