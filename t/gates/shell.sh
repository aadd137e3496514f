#!/bin/sh
# shellcheck finds nothing in the command. Runs in the build folder; skipped without it.
command -v shellcheck >/dev/null || exit 77
shellcheck src/cli/mouse && shellcheck -s bash src/cli/completion/mouse
