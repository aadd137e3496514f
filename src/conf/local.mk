# conf: knows httpd, so it is linked into the module alone.
mod_mouse_la_SOURCES += src/conf/mouse_conf.h src/conf/conf_int.h src/conf/directives.c \
	src/conf/arguments.c src/conf/report.c src/conf/settings.c src/conf/merge.c \
	src/conf/database.c src/conf/secret.c src/conf/model_dirs.c src/conf/guards.c src/conf/group.c src/conf/cors.c \
	src/conf/route.c src/conf/route_options.c src/conf/compile.c src/conf/compile_route.c \
	src/conf/references.c src/conf/order.c src/conf/shared.c src/conf/metering.c src/conf/envelope.c src/conf/dump_routes.c src/conf/check_models.c src/conf/child.c
mod_mouse_la_SOURCES += src/conf/refresh.c
mod_mouse_la_SOURCES += src/conf/lint.c src/conf/dump_json.c src/conf/explain.c src/conf/explain_int.h src/conf/explain_text.c src/conf/explain_json.c \
	src/conf/dump_openapi.c
