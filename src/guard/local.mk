# guard: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/guard/mouse_guard.h
libmouse_la_SOURCES += src/guard/guard_int.h src/guard/chain.c src/guard/guard.c src/guard/provide.c src/guard/files.c \
	src/guard/providers.c src/guard/guard_lookup.c src/guard/guard_deny.c

check_PROGRAMS += t/unit/test_chain
guard_rig = t/unit/guard_rig.c t/unit/guard_rig.h t/unit/rig.c t/unit/rig.h t/unit/unit.c \
	t/unit/unit.h
t_unit_test_chain_SOURCES = t/unit/test_chain.c $(guard_rig)
t_unit_test_chain_CPPFLAGS = $(unit_cppflags)
t_unit_test_chain_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_chain

check_PROGRAMS += t/unit/test_files
t_unit_test_files_SOURCES = t/unit/test_files.c t/unit/unit.c t/unit/unit.h
t_unit_test_files_CPPFLAGS = $(unit_cppflags)
t_unit_test_files_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_files
