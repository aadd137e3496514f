
# ---- help: sections of docs/reference/command.md, without its marks ----

help_about() {
    page=$data/command.md
    [ -f "$page" ] || fail 3 "$page is missing: make install, or set MOUSE_DATA"
    topic=${1:-}
    if [ -n "$topic" ]; then
        grep -q "^## mouse $topic\$" "$page" || {
            warn "there is no \`mouse $topic\`: see \`mouse help\`"
            exit 2
        }
        awk -v head="## mouse $topic" '$0 == head { on = 1; next } /^## / { on = 0 } on' "$page" | show_page
        exit 0
    fi
    awk '/^## / { exit } NR > 1' "$page" | show_page
    awk -v bold="$bold" -v plain="$plain" '
        /^## mouse / { name = $3; next }
        /^## / { name = "" }
        name != "" && /^[A-Z]/ {
            sub(/\. .*/, "."); gsub(/`/, "")
            printf "  %s%-10s%s%s\n", bold, name, plain, $0
            name = ""
        }' "$page"
    say
    say "\`mouse help CMD\` says more of one."
}

show_page() {
    awk -v bold="$bold" -v plain="$plain" '
        NR == 1 && !NF { next }
        /^```/ { code = !code; next }
        code { print "  " bold $0 plain; next }
        {
            # Of a link the words are kept.
            while (match($0, /\]\([^)]*\)/)) {
                before = substr($0, 1, RSTART - 1)
                sub(/.*\[/, "", before)
                $0 = substr($0, 1, RSTART - length(before) - 2) before substr($0, RSTART + RLENGTH)
            }
            gsub(/`/, ""); gsub(/\*\*/, ""); print
        }'
}
