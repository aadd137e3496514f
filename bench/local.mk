# bench: what ships and what make does there.
EXTRA_DIST += bench/run bench/mod_reference.c bench/models
