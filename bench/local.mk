# bench: what ships and what make does there.
EXTRA_DIST += bench/run bench/lib.sh bench/core.sh bench/guards.sh bench/coalesce.sh bench/mod_reference.c bench/models

EXTRA_DIST += bench/servers.sh bench/usage.pl bench/peers.sh bench/peers
EXTRA_DIST += bench/io.sh bench/seeds.sh bench/openloop.c
EXTRA_DIST += bench/memory.sh bench/writes.sh bench/sizes.sh bench/penalty.sh bench/tls.sh
EXTRA_DIST += bench/stay.sh bench/budget.sh bench/budget.tsv
EXTRA_DIST += bench/all.sh bench/goals.pl bench/chart.pl
EXTRA_DIST += bench/route.sh bench/password.sh
EXTRA_PROGRAMS += bench/route_lookup
bench_route_lookup_SOURCES = bench/route_lookup.c
bench_route_lookup_LDADD = libmouse.la $(mouse_libs)
CLEANFILES += bench/route_lookup
