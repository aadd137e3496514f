# docs/reference/command.md as a manual page (mdoc's old sister, man): awk -f man.awk command.md
function text(line) {
    gsub(/\\/, "\\e", line)
    gsub(/\*\*/, "", line)
    # of a link the words are kept
    while (match(line, /\]\([^)]*\)/)) {
        before = substr(line, 1, RSTART - 1)
        sub(/.*\[/, "", before)
        line = substr(line, 1, RSTART - length(before) - 2) before substr(line, RSTART + RLENGTH)
    }
    gsub(/-/, "\\-", line)
    # `code` is bold
    while (match(line, /`[^`]+`/))
        line = substr(line, 1, RSTART - 1) "\\fB" substr(line, RSTART + 1, RLENGTH - 2) "\\fR" \
            substr(line, RSTART + RLENGTH)
    if (line ~ /^[.\047]/) line = "\\&" line
    return line
}
BEGIN {
    printf ".\\\" Made of docs/reference/command.md by src/cli/man.awk.\n"
    printf ".TH MOUSE 1 \"\" \"mod_mouse %s\" \"mod_mouse\"\n", version
    print ".SH NAME\nmouse \\- makes, serves, checks and deploys APIs of mod_mouse"
    print ".SH SYNOPSIS\n.B mouse\n.I COMMAND\n[\\fIARGUMENT\\fR...]\n.SH DESCRIPTION"
}
NR == 1 { next }
/^```/ { code = !code; print code ? ".nf\n.RS" : ".RE\n.fi"; next }
code { print text($0); next }
/^## mouse / { sub(/^## /, ""); print ".SH " toupper(text($0)); next }
/^## / { sub(/^## /, ""); print ".SH " toupper(text($0)); next }
/^- / { sub(/^- /, ""); print ".IP \\(bu 2\n" text($0); next }
/^\|[-|]*$/ { next }
/^\|/ {
    gsub(/^\| *| *\|$/, "")
    n = split($0, cell, / *\| */)
    print ".TP\n" text(cell[1])
    for (i = 2; i <= n; i++) print text(cell[i])
    next
}
!NF { print ".PP"; next }
{ sub(/^ +/, ""); print text($0) }
