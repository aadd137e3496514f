# guard: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/guard/mouse_guard.h
libmouse_la_SOURCES += src/guard/guard_int.h src/guard/chain.c src/guard/guard.c \
	src/guard/providers.c src/guard/guard_lookup.c src/guard/guard_deny.c
