# cli: the `mouse` command, one script out of its parts; what it copies and shows; its manual.
cli_parts = src/cli/common.sh src/cli/new.sh src/cli/check.sh src/cli/serve.sh src/cli/log.sh \
	src/cli/test.sh src/cli/add.sh src/cli/deploy.sh src/cli/explain.sh \
	src/cli/call.sh src/cli/help.sh src/cli/main.sh

bin_SCRIPTS = src/cli/mouse
man1_MANS = docs/man/mouse.1
completiondir = $(datadir)/bash-completion/completions
completion_DATA = src/cli/completion/mouse
EXTRA_DIST += src/cli/head.sh.in $(cli_parts) src/cli/man.awk src/cli/mouse.bash
CLEANFILES += src/cli/mouse src/cli/completion/mouse docs/man/mouse.1

clidir = $(pkgdatadir)/cli
dist_cli_DATA = src/cli/reload.js docs/reference/command.md
clinewdir = $(clidir)/new
dist_clinew_DATA = src/cli/new/app.conf src/cli/new/README.md src/cli/new/schema.sqlite.sql \
	src/cli/new/schema.mysql.sql
clinewemptydir = $(clinewdir)/empty
dist_clinewempty_DATA = src/cli/new/empty/api.t src/cli/new/empty/schema.sqlite.sql \
	src/cli/new/empty/schema.mysql.sql
clinewmodelsdir = $(clinewdir)/models
dist_clinewmodels_DATA = src/cli/new/models/todos.sql
clinewpublicdir = $(clinewdir)/public
dist_clinewpublic_DATA = src/cli/new/public/index.html src/cli/new/public/app.js \
	src/cli/new/public/style.css
clinewtestsdir = $(clinewdir)/tests
dist_clinewtests_DATA = src/cli/new/tests/api.t

# `mouse new --with accounts` copies the example.
accounts = conf/examples/accounts
cliaccountsdir = $(clidir)/accounts
dist_cliaccounts_DATA = $(accounts)/accounts.conf $(accounts)/schema.sqlite.sql \
	$(accounts)/schema.mysql.sql
cliaccountsmodelsdir = $(cliaccountsdir)/models
dist_cliaccountsmodels_DATA = $(accounts)/models/accounts.sql $(accounts)/models/keys.sql \
	$(accounts)/models/sessions.sql
cliaccountspublicdir = $(cliaccountsdir)/public
dist_cliaccountspublic_DATA = $(accounts)/public/index.html $(accounts)/public/app.js

src/cli/mouse: $(srcdir)/src/cli/head.sh.in $(cli_parts) Makefile
	@mkdir -p src/cli
	$(AM_V_GEN)(sed -e 's|@pkgdatadir[@]|$(pkgdatadir)|; s|@moduledir[@]|$(moduledir)|' \
		-e 's|@HTTPD[@]|$(APXS_HTTPD)|; s|@APXS_LIBEXECDIR[@]|$(APXS_LIBEXECDIR)|' \
		-e 's|@PACKAGE_VERSION[@]|$(PACKAGE_VERSION)|' $(srcdir)/src/cli/head.sh.in && \
		for part in $(cli_parts); do cat $(srcdir)/$$part || exit 1; done) >$@.new
	@chmod +x $@.new && mv $@.new $@

src/cli/completion/mouse: $(srcdir)/src/cli/mouse.bash
	@mkdir -p src/cli/completion
	$(AM_V_GEN)cp $(srcdir)/src/cli/mouse.bash $@

docs/man/mouse.1: $(srcdir)/docs/reference/command.md $(srcdir)/src/cli/man.awk Makefile
	@mkdir -p docs/man
	$(AM_V_GEN)awk -v version=$(PACKAGE_VERSION) -f $(srcdir)/src/cli/man.awk \
		$(srcdir)/docs/reference/command.md >$@.new && mv $@.new $@

# The command as installed, for its tests: below t/installed.
t/installed: src/cli/mouse docs/man/mouse.1 src/cli/completion/mouse mod_mouse.la
	@rm -rf t/installed
	@$(MAKE) -s install DESTDIR='$(abs_builddir)/t/installed' >/dev/null

check-cli: t/installed
	HTTPD='$(HTTPD)' $(srcdir)/t/cli/run '$(abs_builddir)/t/installed' \
		'$(bindir)' '$(clidir)' '$(MODULE)'

.PHONY: check-cli t/installed
EXTRA_DIST += t/cli
gates += t/gates/shell.sh
