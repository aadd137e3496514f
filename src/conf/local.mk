# conf: knows httpd, so it is linked into the module alone.
mod_mouse_la_SOURCES += src/conf/mouse_conf.h
