# model: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/model/mouse_model.h
