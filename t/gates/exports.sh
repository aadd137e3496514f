#!/bin/sh
# The module exports one symbol. Runs in the build folder.
symbols=$(nm -D --defined-only .libs/mod_mouse.so | awk '{ print $3 }')
[ "$symbols" = mouse_module ] || { echo "exported: $symbols"; exit 1; }
