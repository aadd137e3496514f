# t: gates, the configuration checks, and the suites on a real httpd.
gates = t/gates/includes.sh t/gates/pages.sh t/gates/format.sh t/gates/sizes.sh \
	t/gates/exports.sh t/gates/cppcheck.sh t/gates/tests.sh
EXTRA_DIST += $(gates) t/TEST t/run t/setup t/modules.conf t/with-mariadb t/conf t/http t/lib t/schema t/sql t/sql-faults t/sql-losses t/sql-password t/models t/fuzz

HTTPD = $(APXS_HTTPD)
MODULE = $(abs_builddir)/.libs/mod_mouse.so
AM_TESTS_ENVIRONMENT = HTTPD='$(HTTPD)' MODULE='$(MODULE)'; export HTTPD MODULE;
TEST_EXTENSIONS = .sh

# Behind the unit tests and gates (check-TESTS): Check's closing lines, the configuration
# files, then httpd under both MPMs.
check-local: check-lines check-conf check-httpd

check-lines:
	@grep -h 'Checks:' t/unit/test_*.log || true

check-conf: check-lines mod_mouse.la
	HTTPD='$(HTTPD)' MODULE='$(MODULE)' prove -e sh $(srcdir)/t/conf/check.sh

check-httpd: check-conf
	HTTPD='$(HTTPD)' $(srcdir)/t/run event '$(MODULE)'
	HTTPD='$(HTTPD)' $(srcdir)/t/run prefork '$(MODULE)'

.PHONY: check-lines check-conf check-httpd
