# route: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/route/mouse_route.h src/route/route_int.h src/route/path.c \
	src/route/pattern.c src/route/trie.c src/route/table.c

check_PROGRAMS += t/unit/test_route
t_unit_test_route_SOURCES = t/unit/test_route.c t/unit/unit.c t/unit/unit.h
t_unit_test_route_CPPFLAGS = $(unit_cppflags)
t_unit_test_route_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_route
