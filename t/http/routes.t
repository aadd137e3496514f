# Routing: what matches, what is declined, and what httpd still decides.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use Test::More;
use MouseTest qw(request json raw);

my $host = 'routes.test';

my @answers = (
    [GET => '/api/fixed', 200, 'fixed'],
    [GET => '/api/fixed/', 200, 'fixed, slash'],
    [GET => '/api/a%20b', 200, 'a b'],
    [GET => '/api/fi%78ed', 200, 'fixed'],
    [GET => '/api/x/../fixed', 200, 'fixed'],
    [POST => '/api/fixed', 200, 'posted'],
    [GET => '/api/open', 200, 'open'],
    [GET => '/api/named/a', 200, 'named'],
);
for (@answers) {
    my ($method, $path, $status, $is) = @$_;
    my $r = request($host, $method, $path);
    is $r->code, $status, "$method $path";
    is json($r)->{is}, $is, "$method $path answers";
}

my @problems = (
    [GET => '/api/nothing', 404, 'no-route'],
    [GET => '/api/x%2Ffixed', 404, 'no-route'],
    [GET => '/api/fixed%00', 400, 'bad-path'],
    [DELETE => '/api/fixed', 405, 'method-not-allowed'],
    [GET => '/api/closed', 503, 'denied'],
    [GET => '/api/tea', 418, 'denied'],
    [GET => '/api/admin', 401, 'http'],
    [GET => '/api/x/../admin', 401, 'http'],
    [GET => '/api/%61dmin', 401, 'http'],
    [GET => '/api/gone', 410, 'http'],
);
for (@problems) {
    my ($method, $path, $status, $code) = @$_;
    my $r = request($host, $method, $path);
    is $r->code, $status, "$method $path is $status";
    is $r->header('Content-Type'), 'application/problem+json', "$method $path has a problem";
    is json($r)->{code}, $code, "$method $path is $code";
}

is request($host, GET => '/api/named/a%20b')->header('X-Name'), 'a%20b',
    'a template alone may read the path';

ok request($host, GET => '/api/admin')->header('WWW-Authenticate'), 'httpd keeps its headers';
is request($host, GET => '/api/old')->header('Location'), 'http://routes.test/api/new',
    'Redirect wins';
is json(request($host, GET => '/pretty/none'))->{code}, 'no-route', 'a rewrite reaches routes';
is request($host, GET => '/outside')->code, 404, 'outside of groups httpd answers';
unlike request($host, GET => '/outside')->header('Content-Type'), qr/json/, '... in its own way';
is request($host, DELETE => '/api/fixed')->header('Allow'), 'GET, HEAD, POST, OPTIONS',
    '405 carries Allow';
my $options = request($host, OPTIONS => '/api/fixed');
is $options->code, 204, 'OPTIONS';
is $options->header('Allow'), 'GET, HEAD, POST, OPTIONS', 'OPTIONS carries Allow';
my $head = request($host, HEAD => '/api/fixed');
is $head->code, 200, 'HEAD follows GET';
is $head->header('Content-Length'), length '{"is":"fixed"}', 'HEAD has the length';
like raw("TRACE /api/fixed HTTP/1.1\r\nHost: $host\r\nConnection: close\r\n\r\n"), qr/^HTTP.1.1 405/,
    'TRACE is refused';
like raw("GET /api/%zz HTTP/1.1\r\nHost: $host\r\nConnection: close\r\n\r\n"), qr/^HTTP.1.1 400/,
    'a bad escape is refused';
done_testing;
