# http: knows httpd, so it is linked into the module alone.
mod_mouse_la_SOURCES += src/http/mouse_http.h src/http/http_int.h

# A request, from its path to its answer.
mod_mouse_la_SOURCES += src/http/phases.c src/http/request.c src/http/body.c \
	src/http/answer.c src/http/negotiate.c src/http/headers.c src/http/envelope.c \
	src/http/problem.c src/http/error_filter.c src/http/methods.c src/http/cors.c \
	src/http/cors_allow.c src/http/stay.c src/http/timing.c src/http/trace.c \
	src/http/log.c

# What answers; C code of other modules; expressions.
mod_mouse_la_SOURCES += src/http/actions.c src/http/action_sql.c \
	src/http/action_json.c src/http/action_controller.c src/http/action_live.c \
	src/http/action_ready.c src/http/call.c src/http/guard_plugin.c \
	src/http/expression.c

# The handler mouse-call.
mod_mouse_la_SOURCES += src/http/handler_call.c src/http/given.c

# Counting, and the handlers mouse-status and mouse-metrics.
mod_mouse_la_SOURCES += src/http/mouse_meter.h src/http/meter.c src/http/histogram.c \
	src/http/snapshot.c src/http/status_int.h src/http/status.c \
	src/http/status_metrics.c src/http/status_json.c src/http/status_page.c

# Descriptions of the API.
mod_mouse_la_SOURCES += src/http/once.c src/http/openapi_int.h src/http/openapi.c \
	src/http/openapi_paths.c src/http/openapi_operation.c \
	src/http/openapi_security.c src/http/action_openapi.c src/http/action_docs.c

# The parts that need no server.
check_PROGRAMS += t/unit/test_negotiate
t_unit_test_negotiate_SOURCES = t/unit/test_negotiate.c t/unit/unit.c t/unit/unit.h \
	src/http/negotiate.c
t_unit_test_negotiate_CPPFLAGS = $(unit_cppflags)
t_unit_test_negotiate_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_negotiate

check_PROGRAMS += t/unit/test_cors_allow
t_unit_test_cors_allow_SOURCES = t/unit/test_cors_allow.c t/unit/unit.c t/unit/unit.h \
	src/http/cors_allow.c
t_unit_test_cors_allow_CPPFLAGS = $(unit_cppflags)
t_unit_test_cors_allow_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_cors_allow

check_PROGRAMS += t/unit/test_trace
t_unit_test_trace_SOURCES = t/unit/test_trace.c t/unit/unit.c t/unit/unit.h \
	src/http/trace.c
t_unit_test_trace_CPPFLAGS = $(unit_cppflags)
t_unit_test_trace_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_trace

# Pages and a script as strings; a script of sed is all it takes.
mod_mouse_la_SOURCES += src/http/page_int.h src/http/page.c
http_texts = src/http/status_html.inc src/http/docs_html.inc src/http/docs_js.inc
BUILT_SOURCES += $(http_texts)
CLEANFILES += $(http_texts)
EXTRA_DIST += src/http/status.html src/http/docs.html src/http/docs.js
text_as_string = mkdir -p src/http; \
	(echo "static const char $$name[] ="; \
		sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $<; echo ';') >$@
src/http/status_html.inc: src/http/status.html
	$(AM_V_GEN)name=shell; $(text_as_string)
src/http/docs_html.inc: src/http/docs.html
	$(AM_V_GEN)name=docs_html; $(text_as_string)
src/http/docs_js.inc: src/http/docs.js
	$(AM_V_GEN)name=docs_js; $(text_as_string)

check_PROGRAMS += t/unit/test_meter
t_unit_test_meter_SOURCES = t/unit/test_meter.c t/unit/unit.c t/unit/unit.h \
	src/http/histogram.c src/http/page.c
t_unit_test_meter_CPPFLAGS = $(unit_cppflags)
t_unit_test_meter_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_meter
