# guard: sources here, unit tests in t/unit.
libmouse_la_SOURCES += src/guard/mouse_guard.h
libmouse_la_SOURCES += src/guard/guard_int.h src/guard/chain.c src/guard/guard.c \
	src/guard/provide.c src/guard/verdict.c src/guard/files.c src/guard/providers.c \
	src/guard/guard_lookup.c src/guard/guard_deny.c src/guard/guard_bearer.c \
	src/guard/guard_api_key.c src/guard/guard_same_origin.c src/guard/guard_format.c \
	src/guard/guard_expr.c src/guard/guard_mrpc.c src/guard/mrpc.c

check_PROGRAMS += t/unit/test_chain
guard_rig = t/unit/guard_rig.c t/unit/guard_rig.h t/unit/rig.c t/unit/rig.h t/unit/unit.c \
	t/unit/unit.h
t_unit_test_chain_SOURCES = t/unit/test_chain.c $(guard_rig)
t_unit_test_chain_CPPFLAGS = $(unit_cppflags)
t_unit_test_chain_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_chain

check_PROGRAMS += t/unit/test_files
t_unit_test_files_SOURCES = t/unit/test_files.c t/unit/unit.c t/unit/unit.h
t_unit_test_files_CPPFLAGS = $(unit_cppflags)
t_unit_test_files_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_files

check_PROGRAMS += t/unit/test_guard_bearer
t_unit_test_guard_bearer_SOURCES = t/unit/test_guard_bearer.c $(guard_rig)
t_unit_test_guard_bearer_CPPFLAGS = $(unit_cppflags)
t_unit_test_guard_bearer_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_guard_bearer

check_PROGRAMS += t/unit/test_guard_api_key
t_unit_test_guard_api_key_SOURCES = t/unit/test_guard_api_key.c $(guard_rig)
t_unit_test_guard_api_key_CPPFLAGS = $(unit_cppflags)
t_unit_test_guard_api_key_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_guard_api_key

check_PROGRAMS += t/unit/test_guard_same_origin
t_unit_test_guard_same_origin_SOURCES = t/unit/test_guard_same_origin.c $(guard_rig)
t_unit_test_guard_same_origin_CPPFLAGS = $(unit_cppflags)
t_unit_test_guard_same_origin_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_guard_same_origin

check_PROGRAMS += t/unit/test_guard_expr
t_unit_test_guard_expr_SOURCES = t/unit/test_guard_expr.c $(guard_rig)
t_unit_test_guard_expr_CPPFLAGS = $(unit_cppflags)
t_unit_test_guard_expr_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_guard_expr

check_PROGRAMS += t/unit/test_guard_format
t_unit_test_guard_format_SOURCES = t/unit/test_guard_format.c $(guard_rig)
t_unit_test_guard_format_CPPFLAGS = $(unit_cppflags)
t_unit_test_guard_format_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_guard_format

libmouse_la_SOURCES += src/guard/guard_password.c
check_PROGRAMS += t/unit/test_guard_password
t_unit_test_guard_password_SOURCES = t/unit/test_guard_password.c $(guard_rig)
t_unit_test_guard_password_CPPFLAGS = $(unit_cppflags)
t_unit_test_guard_password_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_guard_password

libmouse_la_SOURCES += src/guard/sign.c src/guard/sign_header.c src/guard/guard_signature.c
check_PROGRAMS += t/unit/test_guard_signature
t_unit_test_guard_signature_SOURCES = t/unit/test_guard_signature.c $(guard_rig)
t_unit_test_guard_signature_CPPFLAGS = $(unit_cppflags)
t_unit_test_guard_signature_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_guard_signature

libmouse_la_SOURCES += src/guard/guard_rate_limit.c src/guard/limit_int.h \
	src/guard/limit.c src/guard/rate.c
check_PROGRAMS += t/unit/test_guard_rate_limit
t_unit_test_guard_rate_limit_SOURCES = t/unit/test_guard_rate_limit.c $(guard_rig)
t_unit_test_guard_rate_limit_CPPFLAGS = $(unit_cppflags)
t_unit_test_guard_rate_limit_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_guard_rate_limit

check_PROGRAMS += t/unit/test_limit
t_unit_test_limit_SOURCES = t/unit/test_limit.c t/unit/unit.c t/unit/unit.h
t_unit_test_limit_CPPFLAGS = $(unit_cppflags)
t_unit_test_limit_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_limit

check_PROGRAMS += t/unit/test_guard_mrpc
t_unit_test_guard_mrpc_SOURCES = t/unit/test_guard_mrpc.c $(guard_rig)
t_unit_test_guard_mrpc_CPPFLAGS = $(unit_cppflags)
t_unit_test_guard_mrpc_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_guard_mrpc

libmouse_la_SOURCES += src/guard/guard_jwt.c src/guard/jwt_int.h src/guard/jwt_keys.c \
	src/guard/jwt_read.c src/guard/jwt_store.c src/guard/jwt_token.c
check_PROGRAMS += t/unit/test_guard_jwt
t_unit_test_guard_jwt_SOURCES = t/unit/test_guard_jwt.c $(guard_rig)
t_unit_test_guard_jwt_CPPFLAGS = $(unit_cppflags)
t_unit_test_guard_jwt_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_guard_jwt

libmouse_la_SOURCES += src/guard/nonces.c src/guard/guard_replay.c
check_PROGRAMS += t/unit/test_nonces t/unit/test_guard_replay
t_unit_test_nonces_SOURCES = t/unit/test_nonces.c t/unit/unit.c t/unit/unit.h
t_unit_test_nonces_CPPFLAGS = $(unit_cppflags)
t_unit_test_nonces_LDADD = $(unit_ldadd)
t_unit_test_guard_replay_SOURCES = t/unit/test_guard_replay.c $(guard_rig)
t_unit_test_guard_replay_CPPFLAGS = $(unit_cppflags)
t_unit_test_guard_replay_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_nonces t/unit/test_guard_replay

libmouse_la_SOURCES += src/guard/fields_int.h src/guard/fields.c src/guard/fields_write.c \
	src/guard/message_int.h src/guard/component.c src/guard/message.c src/guard/digest.c \
	src/guard/hmac_int.h src/guard/hmac_keys.c src/guard/guard_hmac.c

# Seeds and what must hold are the fuzzer's, see t/fuzz/run.
check_PROGRAMS += t/unit/test_fields
t_unit_test_fields_SOURCES = t/unit/test_fields.c t/unit/unit.c t/unit/unit.h \
	t/fuzz/fields_check.c t/fuzz/fields_check.h
t_unit_test_fields_CPPFLAGS = $(unit_cppflags)
t_unit_test_fields_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_fields
check_PROGRAMS += t/unit/test_guard_hmac
t_unit_test_guard_hmac_SOURCES = t/unit/test_guard_hmac.c $(guard_rig)
t_unit_test_guard_hmac_CPPFLAGS = $(unit_cppflags)
t_unit_test_guard_hmac_LDADD = $(unit_ldadd)
unit_tests += t/unit/test_guard_hmac
