# The API over HTTP, on a real httpd with a database made of schema.sql: `mouse test` runs this.
use strict;
use warnings FATAL => 'all';

use Apache::Test ();
use Apache::TestRequest qw(GET POST);
use JSON qw(decode_json encode_json);
use Test::More;

sub post {
    my ($path, $data) = @_;
    return POST $path, 'Content-Type' => 'application/json', content => encode_json($data);
}

plan tests => 7;

is GET('/api/health')->code, 200, 'the server answers';
my $todos = decode_json(GET('/api/todos')->content);
is scalar @$todos, 2, 'the to-dos of schema.sql';
my $r = post('/api/todos', {title => 'Write a test'});
is $r->code, 201, 'a new one';
is decode_json($r->content)->{title}, 'Write a test', '... as it was sent';
is decode_json(GET('/api/todos?done=false&offset=1')->content)->[0]{title}, 'Write a test', '... is listed';
is post('/api/todos', {title => ''})->code, 422, 'an empty title is refused';
is POST('/api/todos', 'Content-Type' => 'application/json', 'Sec-Fetch-Site' => 'cross-site',
    content => '{"title":"x"}')->code, 403, 'pages of other sites cannot write';
