/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/*
 * What a model takes, for descriptions of the API: its parameters as OpenAPI 3.1 has them,
 * their types and rules as JSON Schema (2020-12).
 */

#include "model/schema_int.h"

static const struct {
    const char *type, *format;
} types[] = {
    [MOUSE_TYPE_INT] = {"integer", NULL},   [MOUSE_TYPE_NUMBER] = {"number", NULL},
    [MOUSE_TYPE_STRING] = {"string", NULL}, [MOUSE_TYPE_BOOL] = {"boolean", NULL},
    [MOUSE_TYPE_DATE] = {"string", "date"}, [MOUSE_TYPE_DATETIME] = {"string", "date-time"},
    [MOUSE_TYPE_UUID] = {"string", "uuid"}, [MOUSE_TYPE_JSON] = {NULL, NULL},
    [MOUSE_TYPE_BYTES] = {"string", NULL},  [MOUSE_TYPE_OBJECT] = {"object", NULL},
};

static bool is_number(const mouse_param_t *param)
{
    return param->type == MOUSE_TYPE_INT || param->type == MOUSE_TYPE_NUMBER;
}

/* A value as it is written in a model file: a number, true or false, else text. */
static json_t *literal(const mouse_param_t *param, const char *text)
{
    json_t *value = NULL;

    if (is_number(param) || param->type == MOUSE_TYPE_BOOL)
        value = json_loads(text, JSON_DECODE_ANY, NULL);
    return value ? value : json_string(text);
}

static void put_bound(json_t *schema, const mouse_param_t *param, const char *name,
                      const char *text)
{
    if (text)
        json_object_set_new(schema, name, literal(param, text));
}

static void put_length(json_t *schema, const char *name, const char *text, int64_t length)
{
    if (text)
        json_object_set_new(schema, name, json_integer(length));
}

static void put_choices(json_t *schema, const mouse_param_t *param)
{
    json_t *list;

    if (param->choice_count == 0)
        return;
    list = json_array();
    for (int i = 0; i < param->choice_count; i++)
        json_array_append_new(list, literal(param, param->choices[i]));
    if (param->nullable && !param->is_array)
        json_array_append_new(list, json_null());
    json_object_set_new(schema, "enum", list);
}

static void put_rules(json_t *schema, const mouse_param_t *param)
{
    const mouse_bounds_t *bounds = &param->bounds;

    if (is_number(param)) {
        put_bound(schema, param, "minimum", bounds->low);
        put_bound(schema, param, "maximum", bounds->high);
    }
    if (param->type == MOUSE_TYPE_STRING) {
        put_length(schema, "minLength", bounds->low, bounds->low_int);
        put_length(schema, "maxLength", bounds->high, bounds->high_int);
    }
    if (param->pattern_text && mouse_schema_is_portable(param->pattern_text))
        json_object_set_new(schema, "pattern", json_string(param->pattern_text));
    put_choices(schema, param);
}

static void put_format(json_t *schema, const mouse_param_t *param)
{
    const char *format = types[param->type].format;

    if (param->hash == MOUSE_HASH_BCRYPT || param->hash == MOUSE_HASH_YESCRYPT)
        format = "password";
    if (format)
        json_object_set_new(schema, "format", json_string(format));
    if (param->type == MOUSE_TYPE_BYTES)
        json_object_set_new(schema, "contentEncoding", json_string("base64"));
}

static json_t *type_name(const mouse_param_t *param, const char *type)
{
    return param->nullable ? json_pack("[s, s]", type, "null") : json_string(type);
}

/* A parameter as a property of an object's schema; one that is there already stays. */
static void put_member(json_t *schema, const mouse_param_t *param, const char *name);

static void put_fields(json_t *schema, const mouse_param_t *array)
{
    for (int i = 0; i < array->field_count; i++)
        put_member(schema, &array->fields[i], array->fields[i].name);
}

/* One value; of an array, one element. */
static json_t *value_schema(const mouse_param_t *param)
{
    json_t *schema = json_object();

    if (types[param->type].type)
        json_object_set_new(schema, "type",
                            param->is_array ? json_string(types[param->type].type)
                                            : type_name(param, types[param->type].type));
    put_format(schema, param);
    put_rules(schema, param);
    put_fields(schema, param);
    return schema;
}

static json_t *array_schema(const mouse_param_t *param)
{
    json_t *schema = json_object();

    json_object_set_new(schema, "type", type_name(param, "array"));
    json_object_set_new(schema, "items", value_schema(param));
    put_length(schema, "minItems", param->count.low, param->count.low_int);
    put_length(schema, "maxItems", param->count.high, param->count.high_int);
    return schema;
}

/* The choices of an ORDER BY; the first is the default. */
static json_t *order_schema(const mouse_order_t *order)
{
    json_t *list = json_array();

    for (int i = 0; i < order->count; i++)
        json_array_append_new(list, json_string(order->choices[i].name));
    return json_pack("{s:s, s:o, s:s}", "type", "string", "enum", list, "default",
                     order->choices[0].name);
}

static json_t *schema_of(const mouse_param_t *param)
{
    json_t *schema = param->is_array ? array_schema(param) : value_schema(param);

    if (param->fallback)
        json_object_set_new(schema, "default", literal(param, param->fallback));
    return schema;
}

/* Must it be sent? An array that a query lacks is empty. */
static bool is_required(const mouse_param_t *param)
{
    return param->source == MOUSE_FROM_PATH ||
           !(param->optional || param->fallback || param->order >= 0 ||
             (param->is_array && param->source == MOUSE_FROM_QUERY));
}

/* A member of an object, borrowed; `made`, whose reference it takes, when there is none. */
static json_t *open_member(json_t *object, const char *name, json_t *made)
{
    json_t *there = json_object_get(object, name);

    if (there) {
        json_decref(made);
        return there;
    }
    json_object_set_new(object, name, made);
    return made;
}

/* The member of an object schema by its name, made when it is not there. */
static json_t *open_object(json_t *schema, const char *name)
{
    json_t *properties = open_member(schema, "properties", json_object());

    return open_member(properties, name, json_pack("{s:s}", "type", "object"));
}

static bool has_text(const json_t *array, const char *text)
{
    size_t i;
    json_t *item;

    json_array_foreach(array, i, item)
    {
        if (strcmp(json_string_value(item), text) == 0)
            return true;
    }
    return false;
}

static void require(json_t *schema, const char *name)
{
    json_t *required = open_member(schema, "required", json_array());

    if (!has_text(required, name))
        json_array_append_new(required, json_string(name));
}

static void put_member(json_t *schema, const mouse_param_t *param, const char *name)
{
    json_t *properties = open_member(schema, "properties", json_object());

    if (json_object_get(properties, name))
        return;
    json_object_set_new(properties, name, schema_of(param));
    if (is_required(param))
        require(schema, name);
}

/* `from body.a.b` lies in objects of their own. */
static void put_body(json_t *body, const mouse_param_t *param)
{
    const char *name = param->name;

    for (int i = 0; i < param->source_depth; i++) {
        name = param->source_path[i];
        if (i == param->source_depth - 1)
            break;
        if (is_required(param))
            require(body, name);
        body = open_object(body, name);
    }
    put_member(body, param, name);
}

bool mouse_model_has_parameter(const json_t *parameters, const char *in, const char *name)
{
    int (*compare)(const char *, const char *) =
        strcmp(in, "header") == 0 ? strcasecmp : strcmp;
    size_t i;
    json_t *item;

    json_array_foreach(parameters, i, item)
    {
        if (strcmp(json_string_value(json_object_get(item, "in")), in) == 0 &&
            compare(json_string_value(json_object_get(item, "name")), name) == 0)
            return true;
    }
    return false;
}

static const char *place_word(mouse_source_t source)
{
    switch (source) {
    case MOUSE_FROM_PATH:
        return "path";
    case MOUSE_FROM_HEADER:
        return "header";
    case MOUSE_FROM_COOKIE:
        return "cookie";
    default:
        return "query";
    }
}

void mouse_model_add_parameter(json_t *parameters, const char *in, const char *name,
                               bool required, json_t *schema)
{
    if (mouse_model_has_parameter(parameters, in, name))
        json_decref(schema);
    else
        json_array_append_new(parameters,
                              json_pack("{s:s, s:s, s:b, s:o}", "name", name, "in", in,
                                        "required", (int)required, "schema", schema));
}

static void put_parameter(json_t *parameters, const mouse_model_t *model,
                          const mouse_param_t *param)
{
    mouse_model_add_parameter(
        parameters, place_word(param->source),
        param->source_name ? param->source_name : param->name, is_required(param),
        param->order >= 0 ? order_schema(&model->orders[param->order]) : schema_of(param));
}

static bool is_credential(const mouse_param_t *param)
{
    return param->source == MOUSE_FROM_HEADER || param->source == MOUSE_FROM_COOKIE;
}

void mouse_model_describe_inputs(const mouse_model_t *model, bool credentials,
                                 json_t *parameters, json_t *body)
{
    for (int i = 0; i < model->param_count; i++) {
        const mouse_param_t *param = &model->params[i];

        if (param->source == MOUSE_FROM_BODY)
            put_body(body, param);
        else if (!credentials || !is_credential(param))
            put_parameter(parameters, model, param);
    }
}

void mouse_model_describe_credentials(const mouse_model_t *model,
                                      void (*visit)(void *baton, const char *in,
                                                    const char *name),
                                      void *baton)
{
    for (int i = 0; i < model->param_count; i++) {
        const mouse_param_t *param = &model->params[i];

        if (is_credential(param))
            visit(baton, place_word(param->source), param->source_name);
    }
}
