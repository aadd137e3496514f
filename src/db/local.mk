# db: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/db/mouse_db.h

# the pool and the MariaDB driver
libmouse_la_SOURCES += src/db/db_int.h src/db/pool_int.h src/db/drivers.c src/db/pool.c \
	src/db/opener.c src/db/conn.c src/db/stmt.c
