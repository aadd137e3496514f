#!/bin/sh
# Every unit test is built and run: each t/unit/test_*.c stands in a local.mk. So does each folder
# of t/, or `make dist` would leave it out.
cd "$(dirname "$0")/../.." || exit 1
bad=0
for file in t/unit/test_*.c; do
    name=$(basename "$file" .c)
    grep -qsE "^unit_tests .*t/unit/$name( |\$)" src/*/local.mk t/local.mk || {
        echo "$file is never run"; bad=1; }
done
for folder in t/*/; do
    grep -qsE "${folder%/}( |/|\$)" src/*/local.mk t/local.mk || {
        echo "${folder%/} is not distributed"; bad=1; }
done
exit $bad
