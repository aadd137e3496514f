# t: gates, the configuration checks, and the suites on a real httpd.
gates = t/gates/includes.sh t/gates/pages.sh t/gates/format.sh t/gates/sizes.sh \
	t/gates/exports.sh t/gates/cppcheck.sh t/gates/tests.sh t/gates/links.sh
EXTRA_DIST += $(gates) t/TEST t/run t/setup t/modules.conf t/with-mariadb t/conf t/http \
	t/lib t/schema t/models t/fuzz t/openapi t/sql t/sql-faults t/sql-losses t/sql-auth \
	t/sql-mrpc t/sql-password t/sql-hmac t/sql-idempotency t/sql-tls t/sql-accounts \
	t/sql-openapi t/sql-jwt t/sql-attack t/sql-coalesce t/sql-ready t/sql-trace

HTTPD = $(APXS_HTTPD)
MODULE = $(abs_builddir)/.libs/mod_mouse.so
AM_TESTS_ENVIRONMENT = HTTPD='$(HTTPD)' MODULE='$(MODULE)'; export HTTPD MODULE;
TEST_EXTENSIONS = .sh

# Behind the unit tests and gates (check-TESTS): Check's closing lines, the configuration
# files, then httpd under both MPMs.
check-local: check-lines check-conf check-openapi check-httpd check-cli

check-lines:
	@grep -h 'Checks:' t/unit/test_*.log || true

check-conf: check-lines mod_mouse.la
	HTTPD='$(HTTPD)' MODULE='$(MODULE)' prove -e sh $(srcdir)/t/conf/check.sh

check-openapi: check-conf
	HTTPD='$(HTTPD)' MODULE='$(MODULE)' prove -e sh $(srcdir)/t/openapi/check.sh

# The example module, built as its readers would: by apxs against the installed header.
t/compute/mod_compute.la: conf/examples/compute/mod_compute.c src/mouse.h
	@rm -rf t/compute && mkdir -p t/compute
	@$(MAKE) -s install-headerDATA DESTDIR='$(abs_builddir)/t/compute/root'
	@cp $(srcdir)/conf/examples/compute/mod_compute.c t/compute
	cd t/compute && $(APXS) -Wc,-Wall -Wc,-Wextra -Wc,-Werror -I 'root$(headerdir)' \
		-c mod_compute.c -lm >apxs.log 2>&1 || { cat apxs.log; exit 1; }

clean-local:
	rm -rf t/compute t/installed

check-httpd: check-openapi t/compute/mod_compute.la
	HTTPD='$(HTTPD)' $(srcdir)/t/run event '$(MODULE)'
	HTTPD='$(HTTPD)' $(srcdir)/t/run prefork '$(MODULE)'

.PHONY: check-lines check-conf check-openapi check-httpd
