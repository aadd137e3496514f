# The protocol around a route: bodies, pipelines, unread bytes, problem documents.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use Test::More;
use JSON ();
use MouseTest qw(hosts request json raw);

my $host = 'routes.test';

# Bytes out of lines, with the Host header of $to.
sub message {
    my ($to, $line, $headers, $body) = @_;
    return join "\r\n", "$line HTTP/1.1", "Host: $to", @{ $headers || [] }, '', $body // '';
}

sub problem {
    my ($bytes) = @_;
    my ($head, $body) = $bytes =~ /\A(.*?)\r\n\r\n(.*)\z/s;
    return ($head, JSON->new->utf8->decode($body));
}

# --- a problem document says who, what and where to look
my $r = request($host, GET => '/api/nothing');
my $document = json($r);
is $document->{type}, 'urn:mouse:error:no-route', 'a problem has a type';
is $document->{title}, 'Not found', '... a title';
is $document->{status}, 404, '... its status';
like $document->{request_id}, qr/^[\w@-]{20,}$/, '... and a request id';
isnt $document->{request_id}, json(request($host, GET => '/api/nothing'))->{request_id},
    'each request has its own';
is $r->header('Cache-Control'), 'no-store', 'a problem is not stored';
is $r->header('X-Content-Type-Options'), 'nosniff', '... nor sniffed';
is json(request($host, GET => '/api/admin'))->{type}, 'about:blank',
    "httpd's own say no more than their status";

# --- the path
for my $path ('/api/a%2Fb', '/api/fixed%2F', '/api/fixed;x', '/api/FIXED', '/api/a%2520b') {
    is request($host, GET => $path)->code, 404, "$path is another path";
}
is request($host, GET => '/api//fixed')->code, 200, 'httpd merges slashes';
is request($host, GET => '/apinothing')->header('Content-Type'), 'text/html; charset=iso-8859-1',
    'a group ends at a segment';

# --- methods
is request($host, FOO => '/api/fixed')->code, 405, 'an unknown method';
is request($host, OPTIONS => '/api/nothing')->code, 404, 'OPTIONS where nothing is';
like raw(message($host, 'HEAD /api/fixed', ['Connection: close'])),
    qr/^HTTP.1.1 200 .*Content-Length: \d+.*\r\n\r\n\z/s, 'HEAD has no body';
like raw(message($host, 'HEAD /api/nothing', ['Connection: close'])),
    qr/^HTTP.1.1 404 .*\r\n\r\n\z/s, '... nor has its problem';

# --- one connection, many requests
my $pipeline = raw(
    message($host, 'GET /api/fixed')
        . message($host, 'GET /api/nothing')
        . message($host, 'POST /api/fixed', ['Content-Length: 5'], 'never')
        . message($host, 'GET /api/open', ['Connection: close']));
is_deeply [$pipeline =~ m{HTTP/1\.1 (\d+)}g], [200, 404, 200, 200],
    'a pipeline, with a body that nobody read';

# --- a body is asked for only when it is wanted
my $refused = raw(
    message($host, 'GET /api/closed', ['Expect: 100-continue', 'Content-Length: 5', 'Connection: close']));
unlike $refused, qr/100 Continue/, 'a guard refuses before the body is asked for';
like $refused, qr/^HTTP.1.1 503 /, '... with its status';

my $json = 'Content-Type: application/json';
for my $db (hosts()) {
    my ($head, $body) = problem(raw(message($db, 'POST /t/small',
        [$json, 'Content-Length: 65', 'Expect: 100-continue', 'Connection: close'])));
    like $head, qr/^HTTP.1.1 413 /, "$db: an announced length is refused unread";
    is $body->{code}, 'body-too-large', "$db: ... by name";

    my $chunk = '{"s":"' . 'x' x 80 . '"}';
    my $chunked = sprintf "%x\r\n%s\r\n0\r\n\r\n", length $chunk, $chunk;
    my @chunked = ($json, 'Transfer-Encoding: chunked', 'Connection: close');
    like raw(message($db, 'POST /t/small', \@chunked, $chunked)), qr/^HTTP.1.1 413 /,
        "$db: chunks are counted";
    $chunked = "7\r\n{\"i\": 4\r\n1\r\n}\r\n0\r\n\r\n";
    like raw(message($db, 'POST /t/echo', \@chunked, $chunked)), qr/^HTTP.1.1 200 .*"i":4/s,
        "$db: chunks are joined";
    ($head, $body) = problem(raw(message($db, 'POST /t/echo', \@chunked, "zz\r\n")));
    like $head, qr/^HTTP.1.1 400 .*problem\+json/s, "$db: a bad chunk";

    $r = request($db, POST => '/t/echo',
        {body => qq({"i": 1,\n "s": nul}), headers => ['Content-Type' => 'application/json']});
    is json($r)->{code}, 'bad-json', "$db: bad JSON";
    is json($r)->{line}, 2, "$db: ... its line";
    cmp_ok json($r)->{column}, '>=', 7, "$db: ... and column";
    $r = request($db, GET => '/t/many', {headers => [Accept => 'image/png']});
    is $r->header('Content-Type'), 'application/json', "$db: never 406";
    $r = request($db, HEAD => '/t/big');
    cmp_ok $r->header('Content-Length'), '>', 65536, "$db: HEAD of a long answer";
    is length request($db, GET => '/t/big')->content, $r->header('Content-Length'),
        "$db: a long answer comes whole, from its file";
}
done_testing;
