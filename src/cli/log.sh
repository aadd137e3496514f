
# ---- log: the errors of a server, as they come ----

log_app() {
    follow='' dir=''
    for word in "$@"; do
        case $word in
        -f | --follow) follow=1 ;;
        -*) usage "unknown option $word" ;;
        *) [ -z "$dir" ] || usage "one app or file at a time"; dir=$word ;;
        esac
    done
    if [ -f "$dir" ]; then
        file=$dir
    elif [ -n "$dir" ] && [ -f "$dir/logs/error.log" ]; then
        file=$dir/logs/error.log
    else
        find_app "$dir"
        file=$run/error.log
    fi
    [ -f "$file" ] || fail 1 "there is no log yet: $file comes with \`mouse serve\`"
    if [ -n "$follow" ]; then
        exec 3<"$file"
        tail -n +1 -f "$file" | show_log
    else
        show_log <"$file"
    fi
}

# The lines of an error log, httpd's or that of serve: time, level, sentence.
show_log() {
    while IFS= read -r line; do
        time='' rest=$line
        case $line in
        \[*\]\ \[*:*\]\ *)
            time=${line#\[}
            time=${time%%\]*}
            rest=${line#*\] \[}
            level=${rest%%\]*}
            rest=${rest#*\] }
            case $rest in \[pid*) rest=${rest#*\] } ;; esac
            ;;
        *:*\ *) level=${line%% *} rest=${line#* } ;;
        *) level='' ;;
        esac
        case $level in
        *:emerg | *:alert | *:crit | *:error) level=${red}error${plain} ;;
        *:warn) level=${yellow}warning${plain} ;;
        *) continue ;;
        esac
        printf '%s%s %s\n' "$dim${time:+$time }$plain" "$level" "$rest"
    done
}
