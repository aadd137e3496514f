# model: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/model/mouse_model.h src/model/model_int.h

# What is said of a model: to people, in OpenAPI, as findings, as the database's plans.
libmouse_la_SOURCES += src/model/describe.c src/model/schema_int.h \
	src/model/schema_input.c src/model/schema_answer.c src/model/schema_columns.c \
	src/model/schema_pattern.c src/model/lint.c src/model/explain.c

# The runner.
libmouse_la_SOURCES += src/model/run_int.h src/model/run.c src/model/timing.c \
	src/model/retry.c src/model/transact.c src/model/step.c src/model/sqltext.c \
	src/model/values.c src/model/answer.c src/model/vars.c src/model/fault.c \
	src/model/lookup.c src/model/check.c src/model/idempotency.c \
	src/model/idempotency_key.c src/model/flights_int.h src/model/flights.c \
	src/model/coalesce.c src/model/coalesce_key.c

# Model files to models.
libmouse_la_SOURCES += src/model/parse_int.h src/model/scanner.c \
	src/model/cursor.c src/model/words.c src/model/annotation.c src/model/bounds.c \
	src/model/param.c src/model/constraint.c src/model/let.c src/model/statement.c \
	src/model/refuse.c src/model/resolve.c src/model/finish.c src/model/parser.c \
	src/model/models.c src/model/load.c src/model/bind_route.c

# A request's values, and templates.
libmouse_la_SOURCES += src/model/bind_int.h src/model/bind.c src/model/find.c \
	src/model/lists.c src/model/strict.c src/model/input.c src/model/types.c \
	src/model/decimal_int.h src/model/decimal.c src/model/calendar_int.h \
	src/model/calendar.c src/model/hash.c src/model/random.c src/model/regex.c \
	src/model/context.c src/model/template.c src/model/argument.c \
	src/model/declared.c

check_PROGRAMS += t/unit/test_model_parse
t_unit_test_model_parse_SOURCES = t/unit/test_model_parse.c t/fuzz/fuzz_sql.c t/unit/unit.c \
	t/unit/unit.h
t_unit_test_model_parse_CPPFLAGS = $(unit_cppflags)
t_unit_test_model_parse_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_model_parse

# make CC=clang t/fuzz/fuzz_sql, then: t/fuzz/fuzz_sql CORPUS t/fuzz/sql t/models/good
EXTRA_PROGRAMS += t/fuzz/fuzz_sql
t_fuzz_fuzz_sql_SOURCES = t/fuzz/fuzz_sql.c
t_fuzz_fuzz_sql_LDFLAGS = -fsanitize=fuzzer
t_fuzz_fuzz_sql_LDADD = libmouse.la $(mouse_libs)

check_PROGRAMS += t/unit/test_types t/unit/test_bind
t_unit_test_types_SOURCES = t/unit/test_types.c t/unit/unit.c t/unit/unit.h
t_unit_test_types_CPPFLAGS = $(unit_cppflags)
t_unit_test_types_LDADD = $(unit_ldadd)
t_unit_test_bind_SOURCES = t/unit/test_bind.c t/unit/unit.c t/unit/unit.h
t_unit_test_bind_CPPFLAGS = $(unit_cppflags)
t_unit_test_bind_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_types t/unit/test_bind

# tests of the runner
check_PROGRAMS += t/unit/test_run t/unit/test_retry
t_unit_test_run_SOURCES = t/unit/test_run.c t/unit/rig.c t/unit/rig.h t/unit/unit.c \
	t/unit/unit.h
t_unit_test_run_CPPFLAGS = $(unit_cppflags)
t_unit_test_run_LDADD = $(unit_ldadd)
t_unit_test_retry_SOURCES = t/unit/test_retry.c t/unit/unit.c t/unit/unit.h
t_unit_test_retry_CPPFLAGS = $(unit_cppflags)
t_unit_test_retry_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_run t/unit/test_retry

check_PROGRAMS += t/unit/test_idempotency
t_unit_test_idempotency_SOURCES = t/unit/test_idempotency.c t/unit/rig.c t/unit/rig.h \
	t/unit/unit.c t/unit/unit.h
t_unit_test_idempotency_CPPFLAGS = $(unit_cppflags)
t_unit_test_idempotency_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_idempotency

check_PROGRAMS += t/unit/test_coalesce
t_unit_test_coalesce_SOURCES = t/unit/test_coalesce.c t/unit/unit.c t/unit/unit.h
t_unit_test_coalesce_CPPFLAGS = $(unit_cppflags)
t_unit_test_coalesce_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_coalesce

check_PROGRAMS += t/unit/test_schema
t_unit_test_schema_SOURCES = t/unit/test_schema.c t/unit/rig.c t/unit/rig.h t/unit/unit.c \
	t/unit/unit.h
t_unit_test_schema_CPPFLAGS = $(unit_cppflags)
t_unit_test_schema_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_schema
