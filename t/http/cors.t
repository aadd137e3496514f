# MouseCors: which answers carry which headers, and which preflights are answered.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use Test::More;
use MouseTest qw(hosts request json raw);

my $host = 'cors.test';
my $app = 'https://app.example';

sub from {
    my ($origin, $method, $path, $more) = @_;
    return request($host, $method, $path,
        {%{ $more || {} }, headers => [Origin => $origin, @{ $more->{headers} || [] }]});
}

sub preflight {
    my ($to, $origin, $path, $method, @more) = @_;
    return request($to, OPTIONS => $path,
        {headers => [Origin => $origin, 'Access-Control-Request-Method' => $method, @more]});
}

# Each CORS header once: [value of Allow-Origin, ...], or [] without.
sub allowed {
    my ($r) = @_;
    return [$r->header('Access-Control-Allow-Origin')];
}

sub varies {
    my ($r) = @_;
    return [sort map { split /\s*,\s*/ } $r->header('Vary')];
}

# --- every answer of a path carries them: method, path, status
my @answers = (
    [GET => '/api/a', 200],
    [HEAD => '/api/a', 200],
    [POST => '/api/a', 200],
    [GET => '/top', 200],
    [GET => '/api/items/999999', 404],
    [DELETE => '/api/items/x', 404],
    [GET => '/api/nothing', 404],
    [GET => '/api/plainly', 404],
    [DELETE => '/api/a', 405],
    [FOO => '/api/a', 405],
    [GET => '/api/guarded', 403],
    [GET => '/api/guarded/nothing', 404],
    [GET => '/api/private', 401],
    [GET => '/api/denied', 403],
    [OPTIONS => '/api/denied', 403],
    [GET => '/api/bad%00', 400],
    [GET => '/api/old', 302],
    [GET => '/api/gone', 410],
    [GET => '/pretty/a', 200],
    [GET => '/pretty/nothing', 404],
    [OPTIONS => '/api/a', 204],
    [GET => '/api/mixed', 200],
);
for (@answers) {
    my ($method, $path, $status) = @$_;
    my $r = from($app, $method, $path);
    is $r->code, $status, "$method $path is $status";
    is_deeply allowed($r), [$app], "$method $path allows the origin";
    is_deeply [$r->header('Access-Control-Allow-Credentials')], ['true'], '... credentials';
    is_deeply [$r->header('Access-Control-Expose-Headers')], ['Link, ETag'], '... exposes';
    is_deeply varies($r), ['Origin'], '... varies';
    $r = from('https://evil.example', $method, $path);
    is $r->code, $status, "$method $path answers another origin";
    is_deeply [grep { /^Access-Control/i } $r->header_field_names], [], '... without headers';
    is_deeply varies($r), ['Origin'], '... but varies';
    is_deeply varies(request($host, $method, $path)), ['Origin'], '... without an origin, too';
}
like raw("GET /api/%zz HTTP/1.1\r\nHost: $host\r\nOrigin: $app\r\nConnection: close\r\n\r\n"),
    qr/^HTTP.1.1 400 .*^Access-Control-Allow-Origin: \Q$app\E\r.*problem\+json/sm,
    'what httpd refuses before any hook';
is from($app, GET => '/api/private')->header('Content-Type'), 'application/problem+json',
    "httpd's 401 stays a problem";
ok from($app, GET => '/api/private')->header('WWW-Authenticate'), '... with its challenge';
is_deeply allowed(from('https://admin.example:8443', GET => '/api/a')),
    ['https://admin.example:8443'], 'the other origin';
is_deeply allowed(from('https://admin.example', GET => '/api/a')), [], 'the port counts';
is_deeply allowed(from("$app, $app", GET => '/api/a')), [], 'two origins are none';
is_deeply allowed(from('null', GET => '/api/a')), [], 'null is not named';
is_deeply allowed(from('null', GET => '/api/sandbox')), ['null'], '... and here it is';
is_deeply [from($app, GET => '/outside')->header('Vary')], [], 'outside of groups nothing is said';

# --- 304
my $tag = from($app, GET => '/api/a')->header('ETag');
my $r = from($app, GET => '/api/a', {headers => ['If-None-Match' => $tag]});
is $r->code, 304, 'not modified';
is_deeply allowed($r), [$app], '... allows the origin';
is_deeply varies($r), ['Origin'], '... varies';

# --- the innermost section holds; a virtual host overrides the server
is_deeply allowed(from('https://server.example', GET => '/api/a')), [],
    "the server's origins are overridden";
is_deeply allowed(request('routes.test', GET => '/api/fixed',
    {headers => [Origin => 'https://server.example']})), ['https://server.example'],
    '... and inherited elsewhere';
$r = request('cors-none.test', GET => '/a', {headers => [Origin => 'https://server.example']});
is_deeply [$r->header('Vary'), @{ allowed($r) }], [], '... and cleared by none';
is_deeply allowed(from($app, GET => '/inherited')), [$app],
    "an inherited route takes the host's policy";
is_deeply allowed(from($app, GET => '/inherited/nothing')), [$app], '... its group, too';
is_deeply allowed(from('https://server.example', GET => '/inherited')), [],
    "... and not the server's";
is_deeply allowed(from('https://own.example', GET => '/inherited/own')),
    ['https://own.example'], '... unless its group has one';
is_deeply allowed(request('cors-none.test', GET => '/inherited',
    {headers => [Origin => 'https://server.example']})), [], '... or the host says none';
for my $origin ($app, 'https://again.example') {
    $r = from($origin, GET => '/api/plain/x');
    is_deeply [$r->header('Vary'), @{ allowed($r) }], [], "none in a group: $origin";
}
$r = from($app, GET => '/api/plain/nothing');
is_deeply [$r->code, $r->header('Vary'), @{ allowed($r) }], [404], '... for its 404, too';
$r = from('https://again.example', PUT => '/api/plain/again/inner/x');
is_deeply allowed($r), ['https://again.example'], 'a group inside names its own';
is $r->header('Access-Control-Allow-Credentials'), undef, '... and all of its options';
is_deeply allowed(from('https://again.example', GET => '/api/plain/again/nothing')),
    ['https://again.example'], '... for its 404';
is_deeply allowed(from($app, PUT => '/api/plain/again/inner/x')), [], '... and nobody else';
is_deeply allowed(from('https://other.example', PUT => '/api/mixed')),
    ['https://other.example'], 'two groups of one prefix: each its own';
is_deeply allowed(from($app, PUT => '/api/mixed')), [], '... and not the other';
$r = from($app, GET => '/api/secret');
is json($r)->{is}, 'plain', 'rewritten to a path without';
is_deeply allowed($r), [], '... it allows nobody';

# --- every origin
for my $origin ($app, 'null') {
    $r = from($origin, GET => '/api/public');
    is_deeply allowed($r), ['*'], "* for $origin";
}
is_deeply allowed(request($host, GET => '/api/public')), ['*'], '... and without an origin';
is_deeply [$r->header('Vary')], [], '... does not vary';
is $r->header('Access-Control-Allow-Credentials'), undef, '... without credentials';
is $r->header('Access-Control-Expose-Headers'), 'ETag', '... exposes';

# --- preflights: before httpd's access phases and all guards
my @preflights = (
    ['/api/a', 'POST', 'GET, HEAD, POST, OPTIONS'],
    ['/api/a', 'HEAD', 'GET, HEAD, POST, OPTIONS'],
    ['/api/a', 'DELETE', 'GET, HEAD, POST, OPTIONS'],
    ['/api/a', 'post', 'GET, HEAD, POST, OPTIONS'],
    ['/api/b%20c', 'PATCH', 'PATCH, OPTIONS'],
    ['/top', 'GET', 'GET, HEAD, OPTIONS'],
    ['/api/items/1', 'DELETE', 'GET, HEAD, DELETE, OPTIONS'],
    ['/api/items/x', 'DELETE', 'DELETE, OPTIONS'],
    ['/api/guarded', 'GET', 'GET, HEAD, OPTIONS'],
    ['/api/private', 'GET', 'GET, HEAD, OPTIONS'],
    ['/api/denied', 'GET', 'GET, HEAD, OPTIONS'],
    ['/pretty/a', 'POST', 'GET, HEAD, POST, OPTIONS'],
);
for (@preflights) {
    my ($path, $method, $methods) = @$_;
    $r = preflight($host, $app, $path, $method, 'Access-Control-Request-Headers' => 'x-trace');
    is $r->code, 204, "a preflight of $method $path";
    is_deeply allowed($r), [$app], '... allows the origin';
    is $r->header('Access-Control-Allow-Methods'), $methods, '... the methods of the path';
    is $r->header('Access-Control-Allow-Headers'), 'X-Trace, Content-Type', '... headers';
    is $r->header('Access-Control-Allow-Credentials'), 'true', '... credentials';
    is $r->header('Access-Control-Max-Age'), '600', '... for a while';
    is_deeply varies($r),
        [qw(Access-Control-Request-Headers Access-Control-Request-Method Origin)], '... varies';
    is $r->header('Access-Control-Expose-Headers'), undef, '... exposes nothing';
    is $r->header('X-Always'), 'set', "... with mod_headers' always";
    is $r->content, '', '... is empty';
}
$r = preflight($host, 'https://other.example', '/api/mixed', 'PUT');
is_deeply [$r->code, @{ allowed($r) }], [204, 'https://other.example'],
    'the policy is that of the method asked for';
is_deeply allowed(preflight($host, $app, '/api/mixed', 'PUT')), [], '... and refuses others';
is_deeply allowed(preflight($host, $app, '/api/mixed', 'GET')), [$app], '... per method';
$r = preflight($host, 'https://any.example', '/api/public', 'PUT');
is_deeply [$r->code, @{ allowed($r) }], [204, '*'], '* in a preflight';
is $r->header('Access-Control-Allow-Headers'),
    'Authorization, Content-Type, Idempotency-Key, If-None-Match', 'the default headers';
is $r->header('Access-Control-Max-Age'), undef, 'no max-age: the browser has its own';
is_deeply varies($r), [qw(Access-Control-Request-Headers Access-Control-Request-Method)],
    '... does not vary by origin';

# --- what is no preflight, or not one for us
$r = preflight($host, $app, '/api/nothing', 'GET');
is $r->code, 404, 'a preflight of nothing';
is_deeply allowed($r), [$app], '... allows the origin';
is json($r)->{code}, 'no-route', '... and says so';
is $r->header('Access-Control-Allow-Methods'), undef, '... no methods';
$r = preflight($host, 'https://evil.example', '/api/a', 'POST');
is $r->code, 204, 'a preflight of another origin is a plain OPTIONS';
is $r->header('Allow'), 'GET, HEAD, POST, OPTIONS', '... with Allow';
is_deeply [grep { /^Access-Control/i } $r->header_field_names], [], '... and nothing else';
is preflight($host, 'https://evil.example', '/api/private', 'GET')->code, 401,
    '... which meets Require';
is from($app, OPTIONS => '/api/private')->code, 401, '... as OPTIONS from an allowed one does';
is request($host, OPTIONS => '/api/a', {headers => ['Access-Control-Request-Method' => 'GET']})
    ->header('Access-Control-Allow-Methods'), undef, 'no Origin, no preflight';
is preflight($host, $app, '/api/plain/x', 'GET')->header('Access-Control-Allow-Methods'), undef,
    'no policy, no preflight';
is preflight($host, $app, '/api/gone', 'GET')->code, 410, 'a rewrite was first';
is preflight($host, $app, '/outside', 'GET')->header('Access-Control-Allow-Origin'), undef,
    'outside of groups';

# --- server-wide guards
my $server = 'https://server.example';
is preflight('cors-guarded.test', $server, '/a', 'GET')->code, 204,
    'before server-wide guards';
$r = request('cors-guarded.test', OPTIONS => '/a', {headers => [Origin => $server]});
is $r->code, 403, '... which a plain OPTIONS meets';
is_deeply allowed($r), [$server], '... and may be read';
is_deeply allowed(request('cors-guarded.test', GET => '/a', {headers => [Origin => $server]})),
    [$server], '... as their denials';

# --- one connection: a preflight with a body that nobody reads
my @head = ("Host: $host", "Origin: $app");
my $pipeline = raw(join "\r\n", 'OPTIONS /api/a HTTP/1.1', @head,
    'Access-Control-Request-Method: POST', 'Content-Length: 5', '',
    'never' . 'GET /api/a HTTP/1.1', @head, 'Connection: close', '', '');
is_deeply [$pipeline =~ m{HTTP/1\.1 (\d+)}g], [204, 200], 'a preflight in a pipeline';
unlike $pipeline =~ s/HTTP.1.1 200.*//sr, qr/^(?:Content-Length|Content-Type|Transfer)/im,
    '... has no body';

# --- HTTP/2 makes its headers itself
SKIP: {
    skip 'mod_http2 does not run under prefork', 4
        if Apache::Test::config()->httpd_mpm eq 'prefork';
    my @curl = ('curl', '-s', '-i', '--http2-prior-knowledge', '-H', "Host: $host", '-H',
        "Origin: $app");
    my $fetch = sub {
        open(my $out, '-|', @curl, @_) or die "curl: $!";
        local $/;
        return scalar <$out>;
    };
    my $url = 'http://127.0.0.1:' . MouseTest::port();
    my $answer = $fetch->('-X', 'OPTIONS', '-H', 'Access-Control-Request-Method: POST',
        "$url/api/private");
    like $answer, qr{^HTTP/2 204 .*^access-control-allow-methods: GET, HEAD, OPTIONS\r}sm,
        'a preflight over h2';
    $answer = $fetch->("$url/api/private");
    like $answer, qr{^HTTP/2 401 .*^access-control-allow-origin: \Q$app\E\r}sm, '... a 401';
    $answer = $fetch->('-H', "If-None-Match: $tag", "$url/api/a");
    like $answer, qr{^HTTP/2 304 .*^access-control-allow-origin: \Q$app\E\r}sm, '... a 304';
    is scalar(() = $answer =~ /^access-control-allow-origin/mg), 1, '... once';
}

# --- with a database
for my $db (hosts()) {
    my @origin = (headers => [Origin => $server]);
    my @wrong = (
        [POST => '/t/small', {@origin, json => {s => 'x' x 80}}, 413],
        [POST => '/t/echo', {headers => [Origin => $server, 'Content-Type' => 'text/plain'],
            body => 'x'}, 415],
        [POST => '/t/echo', {@origin, json => {i => 'x'}}, 422],
        [GET => '/t/none/99', {@origin}, 404],
    );
    for (@wrong) {
        my ($method, $path, $more, $status) = @$_;
        $r = request($db, $method, $path, $more);
        is $r->code, $status, "$db: $method $path is $status";
        is_deeply allowed($r), [$server], '... and may be read';
    }
    $r = request($db, GET => '/t/many', {@origin});
    is_deeply varies($r), [qw(Accept Origin)], "$db: both headers vary";
    is_deeply allowed($r), [$server], '... a long answer';
}
done_testing;
