# json: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/json/mouse_json.h src/json/json_int.h src/json/lex.c \
	src/json/scan.c src/json/valid.c src/json/read.c src/json/write.c src/json/number.c

check_PROGRAMS += t/unit/test_json
t_unit_test_json_SOURCES = t/unit/test_json.c t/unit/unit.c t/unit/unit.h
t_unit_test_json_CPPFLAGS = $(unit_cppflags)
t_unit_test_json_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_json

# Seeds and comparison are the fuzzer's, see t/fuzz/run.
check_PROGRAMS += t/unit/test_json_jansson
t_unit_test_json_jansson_SOURCES = t/unit/test_json_jansson.c t/unit/unit.c t/unit/unit.h \
	t/fuzz/json_compare.c t/fuzz/json_compare.h
t_unit_test_json_jansson_CPPFLAGS = $(unit_cppflags)
t_unit_test_json_jansson_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_json_jansson
