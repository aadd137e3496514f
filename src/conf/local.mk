# conf: knows httpd, so it is linked into the module alone.
mod_mouse_la_SOURCES += src/conf/mouse_conf.h src/conf/conf_int.h

# Directives, and what they leave behind.
mod_mouse_la_SOURCES += src/conf/directives.c src/conf/arguments.c src/conf/settings.c \
	src/conf/secret.c src/conf/database.c src/conf/model_dirs.c src/conf/guards.c \
	src/conf/group.c src/conf/cors.c src/conf/envelope.c src/conf/route.c \
	src/conf/route_options.c src/conf/merge.c

# From declarations to sites; what a server and its children begin with.
mod_mouse_la_SOURCES += src/conf/report.c src/conf/compile.c src/conf/compile_route.c \
	src/conf/references.c src/conf/order.c src/conf/metering.c src/conf/shared.c \
	src/conf/refresh.c src/conf/child.c

# What -D asks for.
mod_mouse_la_SOURCES += src/conf/dump_routes.c src/conf/dump_json.c \
	src/conf/dump_openapi.c src/conf/check_models.c src/conf/lint.c \
	src/conf/explain.c src/conf/explain_int.h src/conf/explain_text.c \
	src/conf/explain_json.c
