# guard: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/guard/mouse_guard.h
