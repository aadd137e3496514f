# TAP for scripts of sh, sourced behind dir=: verdict STATUS NAME counts one test, and shows $dir/out
# where it failed. The plan is theirs: echo "1..$n".
n=0

verdict() {
    n=$((n + 1))
    if [ "$1" = 0 ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        sed 's/^/# /' "$dir/out"
    fi
}
