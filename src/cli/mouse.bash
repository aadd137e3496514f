# bash completion for mouse
_mouse() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]:-} previous=${COMP_WORDS[COMP_CWORD-1]}
    local commands="add call check deploy explain help log new openapi rollback routes serve test version"
    local words=
    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$commands
    else
        case $previous in
        --db) words="sqlite mysql" ;;
        --with) words=accounts ;;
        *)
            case $command in
            help) words=$commands ;;
            new) words="--db --empty --params --with" ;;
            serve) words=--port ;;
            routes | check) words=--json ;;
            log) words="-f" ;;
            test) words=--params ;;
            add)
                words="--app --kind --sql GET POST PUT PATCH DELETE"
                [ "$COMP_CWORD" -ne 2 ] || words="route model guard"
                ;;
            deploy) words=--pid ;;
            explain) words=--json; [ "$COMP_CWORD" -ne 2 ] || words="GET POST PUT PATCH DELETE" ;;
            call) words=--as; [ "$COMP_CWORD" -ne 2 ] || words="GET POST PUT PATCH DELETE" ;;
            rollback) words="--to --pid" ;;
            esac
            ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    case $COMP_CWORD$previous in
    1* | *--db | *--with) ;;
    *) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$word") ;;
    esac
}
complete -o filenames -F _mouse mouse
