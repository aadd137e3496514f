# db: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/db/mouse_db.h
