# The guards bearer, api-key, same-origin and format, as a client meets them.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use Test::More;
use MouseTest qw(request json raw);

my $host = 'credentials.test';

sub with {
    my ($method, $path, @headers) = @_;
    return request($host, $method, $path, {headers => \@headers});
}

sub post {
    my ($path, $body, @headers) = @_;
    return request($host, POST => $path, {body => $body, headers => \@headers});
}

my $missing = with(GET => '/token');
is $missing->code, 401, 'no token';
is $missing->header('WWW-Authenticate'), 'Bearer realm="token"', 'and how to send one';
is $missing->content_type, 'application/problem+json', 'as a problem';
my $given = with(GET => '/token', Authorization => 'Bearer abc.def');
is $given->code, 200, 'a token';
is $given->header('X-Token'), 'abc.def', 'is context';
is $given->header('Cache-Control'), 'no-store', 'and its answer is not stored';
is with(GET => '/token', Authorization => 'Bearer a b')->header('WWW-Authenticate'),
    'Bearer realm="token", error="invalid_token"', 'a malformed token';
like raw("GET /token HTTP/1.1\r\nHost: $host\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b"
    . "\r\nConnection: close\r\n\r\n"), qr{^HTTP/1.1 401 }, 'two tokens';

my $guest = with(GET => '/guest');
is $guest->code, 200, 'a guest passes';
is $guest->header('X-Token'), undef, 'with a null context';
is with(GET => '/shut')->header('WWW-Authenticate'), 'Bearer realm="shop"',
    'a later 401 carries the challenge';

is with(GET => '/key')->code, 401, 'no key';
is with(GET => '/key')->header('WWW-Authenticate'), 'ApiKey realm="key", in="header", name="X-Api-Key"',
    'and its challenge, which names the header';
is with(GET => '/crumb')->header('WWW-Authenticate'), 'ApiKey realm="crumb", in="cookie", name="crumb"',
    '... or the cookie';
is with(GET => '/param')->header('WWW-Authenticate'), 'ApiKey realm="param", name="key"', '... or the parameter';
is with(GET => '/key', 'X-Api-Key' => '0123456789abcdef')->header('X-Client'), 'acme', 'a key';
is with(GET => '/key', 'X-Api-Key' => 'fedcba9876543210')->header('X-Client'), 'other', 'another';
is with(GET => '/key', 'X-Api-Key' => '0123456789abcdeX')->code, 401, 'an unknown key';
is with(GET => '/loose?key=a%0d%0ab')->code, 500, 'a key never splits a header';
is with(GET => '/loose?key=a%2fb')->header('X-Key'), 'a%2Fb', 'a key in the query';
is with(GET => '/loose?key=a&key=b')->code, 422, 'twice';
is with(GET => '/loose')->code, 200, 'or none';

is with(POST => '/own')->code, 200, 'no browser';
is with(POST => '/own', 'Sec-Fetch-Site' => 'same-origin')->code, 200, 'the own page';
is with(POST => '/own', 'Sec-Fetch-Site' => 'cross-site')->code, 403, "another site's page";
is with(POST => '/own', 'Sec-Fetch-Site' => 'cross-site', Origin => 'https://app.example')->code, 200,
    'an allowed one';
is with(POST => '/own', Origin => "http://$host")->code, 200, 'an older browser, own page';
is with(POST => '/own', Origin => 'http://evil.test')->code, 403, 'an older browser, another site';
is with(GET => '/own', 'Sec-Fetch-Site' => 'cross-site')->code, 200, 'links from elsewhere';

is post('/flat', '{"a":[1]}', 'Content-Type' => 'application/json')->code, 200, 'flat JSON';
my $deep = post('/flat', '{"a":[[1]]}', 'Content-Type' => 'application/json');
is $deep->code, 400, 'deep JSON';
is json($deep)->{code}, 'json-depth', 'by its code';
is post('/flat', 'a,b', 'Content-Type' => 'text/csv')->code, 415, 'another type';
is post('/flat', '{}')->code, 415, 'no type';
is with(POST => '/flat')->code, 200, 'no body';
is post('/free', '[' x 11, 'Content-Type' => 'application/json')->code, 413, 'a body too large';

done_testing;
