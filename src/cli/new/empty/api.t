# The API over HTTP, on a real httpd with a database made of schema.sql: `mouse test` runs this.
use strict;
use warnings FATAL => 'all';

use Apache::Test ();
use Apache::TestRequest qw(GET);
use JSON qw(decode_json);
use Test::More;

plan tests => 2;

my $r = GET('/api/nothing');
is $r->code, 404, 'a path without a route';
is decode_json($r->content)->{code}, 'no-route', '... is answered as a problem';
