# The OpenAPI document of a server: what it says of routes, models, columns and guards.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use JSON ();
use Test::More;
use MouseTest qw(hosts request json);

sub type {
    my ($schema) = @_;
    return ref $schema->{type} ? join '|', @{ $schema->{type} } : $schema->{type};
}

sub answer {
    my ($operation, $status) = @_;
    return $operation->{responses}{$status || 200}{content}{'application/json'}{schema};
}

for my $host (hosts()) {
    my $r = request($host, GET => '/openapi.json');
    is $r->code, 200, "$host: there is a document" or diag $r->content;
    is $r->header('Content-Type'), 'application/json', '... in JSON';
    is $r->header('X-Kind'), 'document', '... with the headers of its route';
    is request($host, GET => '/openapi.json')->content, $r->content, '... always the same';
    my $document = json($r);
    is $document->{openapi}, '3.1.0', '... of OpenAPI 3.1';
    is_deeply $document->{info}, {title => 'Tests', version => '1.2.3'}, '... with its title';
    my $paths = $document->{paths};
    ok !exists $paths->{'/openapi.json'} && !exists $paths->{'/docs'}, '... which is not about itself';
    is_deeply [sort keys %{ $paths->{'/api/products/{id}'} }], ['get'], 'a path has its methods';
    is_deeply [sort keys %{ $paths->{'/api/admin/products/{id}'} }], [qw(delete patch)], '... all of them';

    my $list = $paths->{'/api/products'}{get};
    is $list->{operationId}, 'get_api_products', 'a route has a name';
    is_deeply $list->{tags}, ['products'], '... a tag';
    is $list->{summary}, 'A page of products with the number of all that match.', '... and what its model says of it';
    my %parameter = map { $_->{name} => $_ } @{ $list->{parameters} };
    is_deeply $parameter{limit},
        {name => 'limit', in => 'query', required => JSON::false,
            schema => {type => 'integer', minimum => 1, maximum => 100, default => 20}},
        'a parameter has its rules and default';
    is_deeply $parameter{sort}{schema}, {type => 'string', enum => [qw(newest price name)], default => 'newest'},
        '... an order its choices';
    is $parameter{tags}{schema}{type}, 'array', '... a list is one';

    my $items = answer($list)->{properties}{items};
    is $items->{type}, 'array', 'an answer has its members';
    my $columns = $items->{items}{properties};
    is type($columns->{id}), $host =~ /lite/ ? 'integer|null' : 'integer', 'a column has its type (SQLite: there is a sub-select)';
    like type($columns->{name}), qr/^string/, '... as the database says';
    my $product = answer($paths->{'/api/products/{id}'}{get})->{properties}{product}{properties};
    is type($product->{id}), 'integer', 'a column that cannot be null';
    is type($product->{description}), 'string|null', '... and one that can';
    ok $paths->{'/api/products/{id}'}{get}{responses}{304}, 'etag answers 304, too';
    is $paths->{'/api/products/{id}'}{get}{responses}{404}{'$ref'}, '#/components/responses/Problem', 'no row is a problem';

    my $place = $paths->{'/api/me/orders'}{post};
    is_deeply $place->{security}, [{'header_x_session' => []}], 'a lookup by a header is a credential';
    is_deeply $document->{components}{securitySchemes}{header_x_session},
        {type => 'apiKey', in => 'header', name => 'x-session'}, '... of this kind';
    ok !grep({ $_->{in} eq 'header' } @{ $place->{parameters} || [] }), '... and no parameter';
    my $body = $place->{requestBody}{content}{'application/json'}{schema};
    is_deeply $body->{required}, ['items'], 'a body has what must be there';
    is $body->{properties}{items}{items}{properties}{qty}{maximum}, 99, '... down to fields of lists';
    is_deeply [grep { /\d/ } sort keys %{ $place->{responses} }], [201, 400, 401, 404, 409, 413, 415, 422, 503],
        'answers, and what can go wrong';
    is_deeply [sort keys %{ $paths->{'/api/admin/products/{id}'}{delete}{responses}{204} }], ['description'],
        'an answer without a body';
    is_deeply [sort keys %{ $paths->{'/t/many'}{get}{responses}{200}{content} }],
        [qw(application/json application/x-ndjson text/csv)], 'rows are answered in three formats';
    is_deeply [keys %{ $paths->{'/t/csv'}{get}{responses}{200}{content} }], ['text/csv'], '... or in the one of as=';
    is_deeply [sort keys %{ $paths->{'/t/form'}{post}{requestBody}{content} }],
        [qw(application/json application/x-www-form-urlencoded)], 'accept=form is a second form of a body';

    # What is answered is what was promised: every member is there, of one of its types.
    my $answered = json(request($host, GET => '/api/products/1'))->{product};
    is_deeply [sort keys %$answered], [sort keys %$product], 'an answer has the columns of its description';
}

my $r = request('described.test', GET => '/openapi.json');
is $r->code, 200, 'guards are described';
my $document = json($r);
is $document->{info}{title}, 'A & <B>', 'a title is any text';
is json(request('described.test', GET => '/other.json'))->{info}{title}, 'Other', '... of the route that was asked';
my $paths = $document->{paths};
my $schemes = $document->{components}{securitySchemes};
ok !exists $paths->{'/free'}{get}{security}, 'without a guard anybody may';
is_deeply $paths->{'/bearer'}{get}{security}, [{bearer => []}], 'a bearer token';
is_deeply $schemes->{bearer}, {type => 'http', scheme => 'bearer'}, '... is one';
is_deeply $paths->{'/jwt'}{get}{security}, [{JWT => []}], 'a JWT';
is_deeply $schemes->{JWT}, {type => 'http', scheme => 'bearer', bearerFormat => 'JWT'}, '... is a bearer token of this kind';
is_deeply $paths->{'/either'}{get}{security}, [{header_x_api_key => []}, {bearer => []}, {}],
    'what is optional is one way of several';
is_deeply $paths->{'/session'}{get}{security}, [{header_x_session => []}], 'a session';
my $named = $paths->{'/named'}{post};
ok $named->{responses}{429} && $named->{responses}{402}, 'guards answer what they answer';
is_deeply $named->{requestBody}{content}{'application/json'}{schema}{additionalProperties}, JSON::false,
    'strict takes nothing else';
is_deeply answer($paths->{'/fixed/{day}'}{get}),
    {type => 'object', required => ['a', 'b'], examples => [{a => [1, 2.5], b => {c => undef, d => JSON::true}}],
        properties => {a => {type => 'array', items => {anyOf => [{type => 'integer'}, {type => 'number'}]}},
            b => {type => 'object', required => ['c', 'd'], properties => {c => {type => 'null'}, d => {type => 'boolean'}}}}},
    'a fixed document is its own example';
is_deeply $paths->{'/fixed/{day}'}{get}{parameters},
    [{name => 'day', in => 'path', required => JSON::true, schema => {type => 'string', format => 'date'}}],
    'what only a template reads is a parameter, too';
is_deeply [sort map { $paths->{$_}{get}{operationId} } '/files/{name}/{id}', '/files_name_id'],
    ['get_files_name_id', 'get_files_name_id_2'], 'no two routes have one name';
is_deeply [map { $paths->{$_}{get}{operationId} } '/v1/things:all', '/v1/things:all/{id}'],
    ['get_v1_things_all', 'get_v1_things_all_id'], 'a colon of a path is no type';
is_deeply [grep { m{^/twin} } keys %$paths], ['/twin/{id}/{part}'], 'names of parameters make no other path';
is_deeply [sort keys %{ $paths->{'/twin/{id}/{part}'} }], [qw(get post)], '... but methods do';
is_deeply [map { $_->{name} } @{ $paths->{'/twin/{id}/{part}'}{post}{parameters} }], [qw(id part)], '... with its names';
is_deeply [grep { m{^/an} } keys %$paths], ['/an%20%3Codd%3E/caf%C3%A9%2F'], 'a path is one of a URL';
is_deeply [map { "$_->{in} $_->{name} " . ($_->{required} ? 1 : 0) } @{ $paths->{'/reads'}{get}{parameters} }],
    ['header x-nonce 0', 'cookie kli 0'], 'what guards read is a parameter';
is_deeply [map { "$_->{in} $_->{name} $_->{schema}{type}" } @{ $paths->{'/compute/{steps}'}{get}{parameters} }],
    ['path steps integer', 'header x-steps string'], "... a module's, too";
is answer($paths->{'/live'}{get})->{properties}{status}{const}, 'live', 'live says what it says';

for (1, 2) {
    is request('undescribed.test', GET => '/openapi.json')->code, 503, 'without its database there is no document';
}

done_testing;
