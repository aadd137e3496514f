# http: knows httpd, so it is linked into the module alone.
mod_mouse_la_SOURCES += src/http/mouse_http.h src/http/http_int.h src/http/phases.c \
	src/http/request.c src/http/body.c src/http/answer.c src/http/problem.c \
	src/http/error_filter.c src/http/methods.c src/http/negotiate.c src/http/headers.c \
	src/http/actions.c src/http/action_sql.c src/http/action_json.c \
	src/http/action_controller.c src/http/log.c

# What other modules are built against: types only.
include_HEADERS = src/mouse.h
