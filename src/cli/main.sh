
# ---- the first word ----

colours
command=${1:-help}
[ $# -eq 0 ] || shift
case ${1:-} in
-h | --help) [ "$command" = help ] || { set -- "$command"; command=help; } ;;
esac
case $command in
new) new_app "$@" ;;
serve) serve_app "$@" ;;
routes) routes_app "$@" ;;
check) check_app "$@" ;;
log) log_app "$@" ;;
test) test_app "$@" ;;
add) add_to_app "$@" ;;
deploy) deploy_app "$@" ;;
rollback) rollback_app "$@" ;;
explain) explain_app "$@" ;;
openapi) openapi_app "$@" ;;
call) call_app "$@" ;;
help | --help | -h) help_about "$@" ;;
version | --version) say "mouse $version" ;;
*)
    warn "there is no \`mouse $command\`: see \`mouse help\`"
    exit 2
    ;;
esac
