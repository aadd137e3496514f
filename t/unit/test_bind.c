/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/* bind: requests against hand-made parameters; inputs, context and templates. */

#include "unit.h"

#include "model/model_int.h"

#include <apr_strings.h>

typedef struct fake_t {
    const char *type, *body, *cookie, *trace;
    int body_reads;
} fake_t;

static const char *fake_header(void *baton, const char *name)
{
    fake_t *fake = baton;

    if (strcmp(name, "Content-Type") == 0)
        return fake->type;
    if (strcmp(name, "Cookie") == 0)
        return fake->cookie;
    return strcmp(name, "x-trace") == 0 ? fake->trace : NULL;
}

static apr_status_t fake_body(void *baton, apr_off_t limit, mouse_slice_t *body,
                              mouse_error_t **err)
{
    fake_t *fake = baton;

    fake->body_reads++;
    *body = mouse_slice_of(fake->body ? fake->body : "");
    if ((apr_off_t)body->len > limit)
        return mouse_error_set(err, unit_pool, MOUSE_E_BODY_TOO_LARGE, NULL);
    return APR_SUCCESS;
}

static const mouse_host_t host = {.header = fake_header, .body = fake_body};

static const mouse_param_t fields[] = {
    {.name = "qty",
     .type = MOUSE_TYPE_INT,
     .bounds = {"1", "99", 1, 99, true},
     .source = MOUSE_FROM_BODY,
     .order = -1},
    {.name = "note",
     .type = MOUSE_TYPE_STRING,
     .optional = true,
     .source = MOUSE_FROM_BODY,
     .order = -1},
};

static const char *deep[] = {"a", "b"};

/* The parameters the cases choose from, by their first letters. */
static const mouse_param_t known[] = {
    {.name = "q", .type = MOUSE_TYPE_INT, .source = MOUSE_FROM_QUERY, .order = -1},
    {.name = "s",
     .type = MOUSE_TYPE_STRING,
     .optional = true,
     .source = MOUSE_FROM_QUERY,
     .order = -1},
    {.name = "d",
     .type = MOUSE_TYPE_INT,
     .fallback = "7",
     .source = MOUSE_FROM_QUERY,
     .order = -1},
    {.name = "ids",
     .type = MOUSE_TYPE_INT,
     .is_array = true,
     .count = {"0", "3", 0, 3, true},
     .source = MOUSE_FROM_QUERY,
     .order = -1},
    {.name = "b", .type = MOUSE_TYPE_INT, .source = MOUSE_FROM_BODY, .order = -1},
    {.name = "n",
     .type = MOUSE_TYPE_STRING,
     .optional = true,
     .nullable = true,
     .source = MOUSE_FROM_BODY,
     .order = -1},
    {.name = "tags",
     .type = MOUSE_TYPE_STRING,
     .is_array = true,
     .source = MOUSE_FROM_BODY,
     .order = -1},
    {.name = "items",
     .type = MOUSE_TYPE_OBJECT,
     .is_array = true,
     .count = {"1", "100", 1, 100, true},
     .source = MOUSE_FROM_BODY,
     .field_count = 2,
     .fields = (mouse_param_t *)fields,
     .order = -1},
    {.name = "x",
     .type = MOUSE_TYPE_INT,
     .source = MOUSE_FROM_BODY,
     .source_depth = 2,
     .source_path = deep,
     .order = -1},
    {.name = "kli", .type = MOUSE_TYPE_INT, .source = MOUSE_FROM_COOKIE, .order = -1},
    {.name = "trace",
     .type = MOUSE_TYPE_STRING,
     .source = MOUSE_FROM_HEADER,
     .source_name = "x_trace",
     .order = -1},
    {.name = "path", .type = MOUSE_TYPE_INT, .source = MOUSE_FROM_PATH, .order = -1},
};

#define JSON "application/json"

/* wanted: the values in the parameters' order, or "status parameter rule; .." */
static const struct {
    const char *params, *method, *query, *type, *body, *wanted;
    bool strict, form;
} cases[] = {
    {"q", "GET", "q=5", NULL, NULL, "5", false, false},
    {"q", "GET", "", NULL, NULL, "422 q required", false, false},
    {"q", "GET", "q=", NULL, NULL, "422 q type", false, false},
    {"q", "GET", "q=1&q=2", NULL, NULL, "422 q repeated", false, false},
    {"q", "GET", "q=%zz", NULL, NULL, "400", false, false},
    {"q", "GET", "q=1&y=%4", NULL, NULL, "400", false, false},
    {"s", "GET", "s=a+b%2Bc", NULL, NULL, "a b+c", false, false},
    {"s", "GET", "s=", NULL, NULL, "", false, false},
    {"s", "GET", "", NULL, NULL, "NULL", false, false},
    {"s", "GET", "s=%ff", NULL, NULL, "422 s type", false, false},
    {"d", "GET", "", NULL, NULL, "7", false, false},
    {"d", "GET", "d=8", NULL, NULL, "8", false, false},
    {"d", "GET", "d=x", NULL, NULL, "422 d type", false, false},
    {"ids", "GET", "ids=1&ids[]=2&ids%5B%5D=3", NULL, NULL, "[1,2,3]", false, false},
    {"ids", "GET", "", NULL, NULL, "[]", false, false},
    {"ids", "GET", "ids=1,2", NULL, NULL, "422 ids[0] type", false, false},
    {"ids", "GET", "ids=1&ids=2&ids=3&ids=4", NULL, NULL, "422 ids count", false, false},
    {"q", "GET", "q=1&z=2", NULL, NULL, "1", false, false},
    {"q", "GET", "q=1&z=2", NULL, NULL, "422 z unknown", true, false},
    {"path", "GET", "path=9", NULL, NULL, "42", false, false},
    {"path", "GET", "path=9", NULL, NULL, "422 path unknown", true, false},
    {"b", "POST", "b=9", JSON, "{\"b\":5}", "5", false, false},
    {"b", "POST", "b=9", JSON, "{}", "422 b required", false, false},
    {"b", "POST", "", JSON, "{\"b\":null}", "422 b null", false, false},
    {"b", "POST", "", JSON, "{\"b\":\"5\"}", "422 b type", false, false},
    {"b", "POST", "", JSON, "[1]", "422", false, false},
    {"b", "POST", "", JSON, "{\"b\":1,\"b\":2}", "400", false, false},
    {"b", "POST", "", JSON, "{", "400", false, false},
    {"b", "POST", "", "text/plain", "{\"b\":5}", "415", false, false},
    {"b", "POST", "", NULL, "{\"b\":5}", "415", false, false},
    {"b", "POST", "", "Application/Problem+JSON; charset=\"UTF-8\"", "{\"b\":5}", "5",
     false, false},
    {"b", "POST", "", JSON "; charset=latin1", "{\"b\":5}", "415", false, false},
    {"b", "POST", "", "application/x-www-form-urlencoded", "b=5", "415", false, false},
    {"b", "POST", "", "application/x-www-form-urlencoded", "b=5", "5", false, true},
    {"b", "POST", "", JSON,
     "{\"b\":5,\"pad\":\"01234567890123456789012345678901234567890\"}", "413", false,
     false},
    {"n", "POST", "", NULL, NULL, "NULL", false, false},
    {"n", "POST", "", JSON, "{\"n\":null}", "NULL", false, false},
    {"n", "POST", "", JSON, "", "400", false, false},
    {"n", "POST", "", JSON, "{\"u\":1}", "422 u unknown", true, false},
    {"n", "POST", "", JSON, "{\"n\\u0000\":1}", "422 n? unknown", true, false},
    {"n", "POST", "", JSON, "{\"n\\u0000\":1}", "NULL", false, false},
    {"q", "GET", "q=1&q%00=2", NULL, NULL, "422 q? unknown", true, false},
    {"items", "POST", "", JSON, "{\"items\":[{\"qty\":1,\"qty\\u0000\":2}]}",
     "422 items[0].qty? unknown", true, false},
    {"tags", "POST", "", JSON, "{\"tags\":[\"a\",\"b\"]}", "[a,b]", false, false},
    {"tags", "POST", "", JSON, "[\"a\"]", "[a]", false, false},
    {"tags", "POST", "", JSON, "{\"tags\":[]}", "[]", false, false},
    {"tags", "POST", "", JSON, "{}", "422 tags required", false, false},
    {"tags", "POST", "", JSON, "{\"tags\":\"a\"}", "422 tags type", false, false},
    {"tags", "POST", "", JSON, "{\"tags\":[\"a\",null]}", "422 tags[1] null", false, false},
    {"items", "POST", "", JSON, "{\"items\":[{\"qty\":1},{\"qty\":2,\"note\":\"x\"}]}",
     "[1,NULL,2,x]", false, false},
    {"items", "POST", "", JSON, "{\"items\":[{\"qty\":1},{\"qty\":0},{}]}",
     "422 items[1].qty range; items[2].qty required", false, false},
    {"items", "POST", "", JSON, "{\"items\":[5]}", "422 items[0] type", false, false},
    {"items", "POST", "", JSON, "{\"items\":[]}", "422 items count", false, false},
    {"items", "POST", "", JSON, "{\"items\":[{\"qty\":1,\"z\":2}]}",
     "422 items[0].z unknown", true, false},
    {"items", "POST", "", JSON, "[{\"qty\":1},{\"qty\":1,\"z\":2}]",
     "422 items[1].z unknown", true, false},
    {"items", "POST", "", JSON, "[{\"qty\":1,\"z\":2}]", "[1,NULL]", false, false},
    {"tags", "POST", "", JSON, "[\"a\"]", "[a]", true, false},
    {"path", "POST", "", JSON, "{\"z\":1}", "42", false, false},
    {"path", "POST", "", JSON, "{\"z\":1}", "422 z unknown", true, false},
    {"path", "POST", "", JSON, "[1]", "42", false, false},
    {"path", "POST", "", JSON, "[1]", "422", true, false},
    {"path", "PUT", "", JSON, "5", "422", true, false},
    {"path", "PATCH", "", JSON, "null", "422", true, false},
    {"path", "POST", "", JSON, "{}", "42", true, false},
    {"path", "POST", "", NULL, NULL, "42", true, false},
    {"path", "DELETE", "", JSON, "[1]", "42", true, false},
    {"", "POST", "", JSON, "[]", "422", true, false},
    {"x", "POST", "", JSON, "{\"a\":{\"b\":3}}", "3", false, false},
    {"x", "POST", "", JSON, "{\"a\":7}", "422 x required", false, false},
    {"x", "POST", "", JSON, "{\"a\":{\"b\":3,\"c\":1}}", "422 c unknown", true, false},
    {"q b", "POST", "q=x", JSON, "{}", "422 q type; b required", false, false},
    {"kli trace", "GET", "", NULL, NULL, "12 abc", false, false},
};

static const mouse_input_options_t plain_options = {.max_body = 50};

static mouse_request_t make_request(fake_t *fake, mouse_input_options_t *options)
{
    static const mouse_path_value_t path = {"path", {"42", 2}};

    *options = plain_options;
    return (mouse_request_t){.pool = unit_pool,
                             .host = &host,
                             .baton = fake,
                             .input = options,
                             .method = "GET",
                             .path = "/x",
                             .path_values = &path,
                             .path_count = 1,
                             .now = apr_time_from_sec(1000)};
}

static mouse_model_t make_model(const char *names)
{
    mouse_model_t model = {.dialect = MOUSE_DIALECT_MYSQL, .bound = true};
    char *last, *name = apr_strtok(apr_pstrdup(unit_pool, names), " ", &last);
    size_t i;

    model.params = apr_pcalloc(unit_pool, sizeof(known));
    for (; name; name = apr_strtok(NULL, " ", &last)) {
        for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
            if (strcmp(known[i].name, name) == 0)
                model.params[model.param_count++] = known[i];
        }
    }
    return model;
}

static const char *print(const mouse_value_t *value)
{
    if (value->kind == MOUSE_VALUE_NULL)
        return "NULL";
    return mouse_slice_copy(unit_pool, mouse_value_text(unit_pool, value));
}

static const char *print_list(const mouse_param_t *param, const mouse_list_t *list)
{
    int i, count = list->count * (param->field_count ? param->field_count : 1);
    const char *text = "[";

    for (i = 0; i < count; i++)
        text = apr_pstrcat(unit_pool, text, i ? "," : "", print(&list->values[i]), NULL);
    return apr_pstrcat(unit_pool, text, "]", NULL);
}

static const char *print_error(const mouse_error_t *err)
{
    const char *text = apr_itoa(unit_pool, err->status);
    int i;

    for (i = 0; err->violations && i < err->violations->nelts; i++) {
        const mouse_violation_t *v = &APR_ARRAY_IDX(err->violations, i, mouse_violation_t);

        text =
            apr_pstrcat(unit_pool, text, i ? "; " : " ", v->parameter, " ", v->rule, NULL);
    }
    return text;
}

static const char *print_binding(const mouse_model_t *model, const mouse_binding_t *binding)
{
    const char *text = "";
    int i;

    for (i = 0; i < model->param_count; i++)
        text = apr_pstrcat(unit_pool, text, i ? " " : "",
                           model->params[i].is_array
                               ? print_list(&model->params[i], &binding->lists[i])
                               : print(&binding->params[i]),
                           NULL);
    return text;
}

START_TEST(requests_become_values)
{
    fake_t fake = {cases[_i].type, cases[_i].body, "a=1; kli=\"12\"; kli=9", "abc", 0};
    mouse_input_options_t options;
    mouse_request_t req = make_request(&fake, &options);
    mouse_model_t model = make_model(cases[_i].params);
    mouse_binding_t *binding = NULL;
    mouse_error_t *err = NULL;

    options.strict = cases[_i].strict;
    options.accept_form = cases[_i].form;
    req.method = cases[_i].method;
    req.query = mouse_slice_of(cases[_i].query);
    if (mouse_bind_request(&req, &model, false, &binding, &err) == APR_SUCCESS)
        ck_assert_str_eq(print_binding(&model, binding), cases[_i].wanted);
    else
        ck_assert_str_eq(print_error(err), cases[_i].wanted);
    ck_assert_int_le(fake.body_reads, req.method[0] == 'P');
}
END_TEST

START_TEST(a_lookup_misses_on_what_the_client_carries)
{
    fake_t fake = {.cookie = _i ? "kli=x" : NULL};
    mouse_input_options_t options;
    mouse_request_t req = make_request(&fake, &options);
    mouse_model_t model = make_model("kli");
    mouse_binding_t *binding;
    mouse_error_t *err = NULL;

    ck_assert(mouse_bind_request(&req, &model, true, &binding, &err) == APR_NOTFOUND);
    ck_assert_ptr_null(err);
    model = make_model("q");
    ck_assert(mouse_bind_request(&req, &model, true, &binding, &err) == APR_EGENERAL);
    ck_assert_int_eq(err->status, 422);
}
END_TEST

START_TEST(lets_and_hashes_and_given)
{
    fake_t fake = {0};
    mouse_input_options_t options;
    mouse_request_t req = make_request(&fake, &options);
    mouse_model_t model = make_model("q s");
    mouse_let_t lets[] = {{.name = "t", .kind = MOUSE_LET_PARAM, .index = 1},
                          {.name = "u", .kind = MOUSE_LET_LET, .hash = MOUSE_HASH_SHA256},
                          {.name = "v", .kind = MOUSE_LET_NOW_MS}};
    mouse_binding_t *binding;
    mouse_error_t *err = NULL;

    model.lets = lets;
    model.let_count = 3;
    model.params[0].hash = MOUSE_HASH_SHA256;
    req.query = MOUSE_SLICE("q=5&s=abc");
    ck_assert(mouse_bind_request(&req, &model, false, &binding, &err) == APR_SUCCESS);
    ck_assert_uint_eq(binding->params[0].text.len, 64);
    ck_assert_str_eq(print(&binding->lets[0]), "abc");
    ck_assert_int_eq(strncmp(print(&binding->lets[1]), "ba7816bf", 8), 0);
    ck_assert_str_eq(print(&binding->lets[2]), "1000000");
    ck_assert(binding->given[0] && binding->given[1]);
}
END_TEST

START_TEST(violations_are_bounded)
{
    fake_t fake = {.type = JSON};
    mouse_input_options_t options;
    mouse_request_t req = make_request(&fake, &options);
    mouse_model_t model = make_model("tags");
    mouse_binding_t *binding;
    mouse_error_t *err = NULL;
    char body[1001];

    memset(body, '1', 1000);
    for (int i = 0; i < 1000; i += 2)
        body[i] = i ? ',' : '[';
    body[999] = ']';
    body[998] = '1';
    body[997] = '1';
    body[1000] = '\0';
    fake.body = body;
    options.max_body = 2000;
    req.method = "POST";
    ck_assert(mouse_bind_request(&req, &model, false, &binding, &err) == APR_EGENERAL);
    ck_assert_ptr_nonnull(err->violations);
    ck_assert_int_eq(err->violations->nelts, 100);
}
END_TEST

START_TEST(guards_give_context)
{
    fake_t fake = {.trace = "t1", .cookie = "kli=z"};
    mouse_input_options_t options;
    mouse_request_t req = make_request(&fake, &options);
    const char *names[] = {"id"};
    mouse_value_t values[] = {{.kind = MOUSE_VALUE_INT, .i = 3}}, value;
    mouse_error_t *err = NULL;

    req.context = apr_array_make(unit_pool, 2, sizeof(mouse_context_t));
    *(mouse_context_t *)apr_array_push(req.context) =
        (mouse_context_t){.guard = "user", .count = 1, .names = names, .values = values};
    *(mouse_context_t *)apr_array_push(req.context) =
        (mouse_context_t){.guard = "maybe", .missed = true};
    ck_assert(mouse_request_value(&req, "user", "id", &value, &err) == APR_SUCCESS);
    ck_assert_str_eq(print(&value), "3");
    ck_assert(mouse_request_value(&req, "maybe", "id", &value, &err) == APR_SUCCESS);
    ck_assert_str_eq(print(&value), "NULL");
    ck_assert(mouse_request_value(&req, "header", "x_trace", &value, &err) == APR_SUCCESS);
    ck_assert_str_eq(print(&value), "t1");
    ck_assert(mouse_request_value(&req, "cookie", "no", &value, &err) == APR_SUCCESS);
    ck_assert_str_eq(print(&value), "NULL");
    ck_assert(mouse_request_value(&req, "user", "nope", &value, &err) != APR_SUCCESS);
    ck_assert_int_eq(err->status, 500);
}
END_TEST

/* The RFC's own variables (section 3.2), and what a header must survive. */
static apr_status_t find(void *baton, const char *name, mouse_value_t *value,
                         mouse_error_t **err)
{
    static const char *const vars[][2] = {
        {"var", "value"},     {"hello", "Hello World!"},
        {"path", "/foo/bar"}, {"x", "1024"},
        {"y", "768"},         {"empty", ""},
        {"crlf", "a\r\nb"},   {"half", "50%"},
    };
    size_t i;

    (void)baton;
    (void)err;
    value->kind = MOUSE_VALUE_NULL;
    if (strcmp(name, "undef") == 0)
        return APR_SUCCESS;
    for (i = 0; i < sizeof(vars) / sizeof(vars[0]); i++) {
        if (strcmp(vars[i][0], name) == 0) {
            value->kind = MOUSE_VALUE_STRING;
            value->text = mouse_slice_of(vars[i][1]);
            return APR_SUCCESS;
        }
    }
    return APR_NOTFOUND;
}

static const struct {
    const char *text, *wanted; /* NULL: no header; "!": an error; "?": refused at start */
} templates[] = {
    {"{var}", "value"},
    {"{hello}", "Hello%20World%21"},
    {"{half}", "50%25"},
    {"O{empty}X", "OX"},
    {"{+hello}", "Hello%20World!"},
    {"{+half}", "50%25"},
    {"{+path}/here", "/foo/bar/here"},
    {"here?ref={+path}", "here?ref=/foo/bar"},
    {"X{#var}", "X#value"},
    {"X{#hello}", "X#Hello%20World!"},
    {"map?{x,y}", "map?1024,768"},
    {"{x,hello,y}", "1024,Hello%20World%21,768"},
    {"{+x,hello,y}", "1024,Hello%20World!,768"},
    {"{#path,x}/here", "#/foo/bar,1024/here"},
    {"X{.var}", "X.value"},
    {"X{.x,y}", "X.1024.768"},
    {"{/var,x}/here", "/value/1024/here"},
    {"{;x,y,empty}", ";x=1024;y=768;empty"},
    {"{?x,y,empty}", "?x=1024&y=768&empty="},
    {"{?x,undef}", "?x=1024"},
    {"?fixed=yes{&x}", "?fixed=yes&x=1024"},
    {"{&x,y,empty}", "&x=1024&y=768&empty="},
    {"{undef}", NULL},
    {"a={undef}; Path=/", NULL},
    {"{crlf}", "!"},
    {"{nobody}", "!"},
    {"{", "?"},
    {"}", "?"},
    {"{}", "?"},
    {"{a b}", "?"},
    {"{x,}", "?"},
};

START_TEST(templates_are_rfc_6570)
{
    const mouse_template_t *tpl;
    mouse_error_t *err = NULL;
    const char *out = NULL;
    const char *wanted = templates[_i].wanted;
    apr_status_t rv = mouse_template_parse(unit_pool, templates[_i].text, &tpl, &err);

    ck_assert_int_eq(rv != APR_SUCCESS, wanted && strcmp(wanted, "?") == 0);
    if (rv != APR_SUCCESS)
        return;
    rv = mouse_template_expand(unit_pool, tpl, find, NULL, &out, &err);
    ck_assert_int_eq(rv != APR_SUCCESS, wanted && strcmp(wanted, "!") == 0);
    if (rv != APR_SUCCESS)
        return;
    ck_assert_pstr_eq(out, wanted);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("bind");
    TCase *tcase = unit_case(suite, "bind");

    tcase_add_loop_test(tcase, requests_become_values, 0, sizeof(cases) / sizeof(cases[0]));
    tcase_add_loop_test(tcase, a_lookup_misses_on_what_the_client_carries, 0, 2);
    tcase_add_test(tcase, lets_and_hashes_and_given);
    tcase_add_test(tcase, violations_are_bounded);
    tcase_add_test(tcase, guards_give_context);
    tcase_add_loop_test(tcase, templates_are_rfc_6570, 0,
                        sizeof(templates) / sizeof(templates[0]));
    return suite;
}
