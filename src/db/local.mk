# db: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/db/mouse_db.h

# the pool and the MariaDB driver
libmouse_la_SOURCES += src/db/db_int.h src/db/pool_int.h src/db/drivers.c src/db/pool.c \
	src/db/line.c src/db/ping.c src/db/board.c src/db/watch.c src/db/opener.c \
	src/db/conn.c src/db/stmt.c src/db/thread.c src/db/mysql_int.h src/db/mysql.c \
	src/db/mysql_params.c src/db/mysql_wait.c src/db/mysql_tls.c \
	src/db/mysql_cancel.c src/db/mysql_stmt.c src/db/mysql_value.c \
	src/db/mysql_fault.c

check_PROGRAMS += t/unit/test_pool
t_unit_test_pool_SOURCES = t/unit/test_pool.c t/unit/unit.c t/unit/unit.h
t_unit_test_pool_CPPFLAGS = $(unit_cppflags)
t_unit_test_pool_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_pool

check_PROGRAMS += t/unit/test_mysql
t_unit_test_mysql_SOURCES = t/unit/test_mysql.c t/unit/unit.c t/unit/unit.h
t_unit_test_mysql_CPPFLAGS = $(unit_cppflags)
t_unit_test_mysql_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_mysql

# rows as bytes
libmouse_la_SOURCES += src/db/plan_int.h src/db/value.c src/db/plan.c src/db/plan_cell.c \
	src/db/plan_json.c src/db/plan_csv.c src/db/plan_schema.c

check_PROGRAMS += t/unit/test_plan
t_unit_test_plan_SOURCES = t/unit/test_plan.c t/unit/unit.c t/unit/unit.h
t_unit_test_plan_CPPFLAGS = $(unit_cppflags)
t_unit_test_plan_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_plan

# the SQLite driver
libmouse_la_SOURCES += src/db/sqlite_int.h src/db/sqlite.c src/db/sqlite_wait.c \
	src/db/sqlite_value.c src/db/sqlite_null.c src/db/sqlite_fault.c

check_PROGRAMS += t/unit/test_sqlite
t_unit_test_sqlite_SOURCES = t/unit/test_sqlite.c t/unit/unit.c t/unit/unit.h
t_unit_test_sqlite_CPPFLAGS = $(unit_cppflags)
t_unit_test_sqlite_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_sqlite
