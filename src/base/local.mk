# base: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/base/mouse_base.h src/base/errors.def src/base/error.c \
	src/base/log.c src/base/buf.c src/base/sink.c src/base/text.c
