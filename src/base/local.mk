# base: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/base/mouse_base.h src/base/errors.def src/base/error.c \
	src/base/log.c src/base/buf.c src/base/sink.c src/base/text.c src/base/units.c \
	src/base/file.c src/base/origin.c

check_PROGRAMS += t/unit/test_units
t_unit_test_units_SOURCES = t/unit/test_units.c t/unit/unit.c t/unit/unit.h
t_unit_test_units_CPPFLAGS = $(unit_cppflags)
t_unit_test_units_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_units

check_PROGRAMS += t/unit/test_base
t_unit_test_base_SOURCES = t/unit/test_base.c t/unit/unit.c t/unit/unit.h
t_unit_test_base_CPPFLAGS = $(unit_cppflags)
t_unit_test_base_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_base

check_PROGRAMS += t/unit/test_origin
t_unit_test_origin_SOURCES = t/unit/test_origin.c t/unit/unit.c t/unit/unit.h
t_unit_test_origin_CPPFLAGS = $(unit_cppflags)
t_unit_test_origin_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_origin
