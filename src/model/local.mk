# model: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/model/mouse_model.h src/model/model_int.h

# the runner
libmouse_la_SOURCES += src/model/run_int.h src/model/run.c src/model/retry.c \
	src/model/transact.c src/model/step.c src/model/sqltext.c src/model/values.c \
	src/model/answer.c src/model/vars.c src/model/fault.c src/model/lookup.c \
	src/model/check.c
