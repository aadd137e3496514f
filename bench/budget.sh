# budget: instructions by request, counted by callgrind, beside those of bench/budget.tsv, the last
# ones landed. They hold on a busy machine, too; what costs more than 2 % more than it did is
# "over". `bench/run budget keep` writes bench/budget.tsv anew.
. "$here/bench/servers.sh"
kept=$here/bench/budget.tsv
fill_database
build_compute
password=$dir/pw
{
    base_conf prefork
    mouse_database
    mouse_routes
} >"$dir/httpd.conf"
chmod 755 "$dir"
[ "$(id -u)" -ne 0 ] || chown -R www-data "$dir"

# ask COUNT: on one connection.
ask() { ab -q -k -c 1 -n "$1" "$url$path" >/dev/null 2>&1; }

under_callgrind /hello
for path in /hello /users/7 /users /together/users; do
    printf '%s\t%s\n' $path "$(instructions ask)"
done >"$dir/budget"
stop_httpd

[ "${1:-}" != keep ] || cp "$dir/budget" "$kept"
printf '\n### Instructions by request\n\n'
awk -F'\t' -v kept="$kept" '
    BEGIN {while ((getline line < kept) > 0) {split(line, part, "\t"); before[part[1]] = part[2]}
           print "route\tinstructions\tlast landed\t"}
    {verdict = !($1 in before) ? "new" : $2 > 1.02 * before[$1] ? "over" : "kept"
     printf "%s\t%s\t%s\t%s\n", $1, $2, ($1 in before) ? before[$1] : "-", verdict}' \
    "$dir/budget" >"$dir/rows"
table <"$dir/rows"
