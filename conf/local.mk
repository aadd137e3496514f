# conf: what make install puts beside httpd's own configuration, and the examples.
modsavailable_DATA = conf/mouse.load conf/mouse.conf
idempotencydir = $(pkgdatadir)/idempotency
dist_idempotency_DATA = conf/idempotency/sqlite.sql conf/idempotency/mysql.sql
dist_pkgdata_DATA = conf/mouse-log.conf
EXTRA_DIST += conf/mouse.conf.in conf/mouse.load.in conf/examples
CLEANFILES += conf/mouse.load conf/mouse.conf
header_DATA = src/mouse.h
EXTRA_DIST += src/mouse.h

conf/mouse.load: $(srcdir)/conf/mouse.load.in Makefile
	@mkdir -p conf
	$(AM_V_GEN)sed 's|@moduledir[@]|$(moduledir)|' $(srcdir)/conf/mouse.load.in >$@

conf/mouse.conf: $(srcdir)/conf/mouse.conf.in Makefile
	@mkdir -p conf
	$(AM_V_GEN)sed 's|@pkgdatadir[@]|$(pkgdatadir)|' $(srcdir)/conf/mouse.conf.in >$@
