# json: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/json/mouse_json.h
