# route: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/route/mouse_route.h
