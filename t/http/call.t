# mouse-call: a request that runs inside the server, with context given by hand.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use JSON ();
use Test::More;
use MouseTest qw(hosts request json raw port);

my $key = '0123456789abcdef, and more';
my $host;
my $addresses = 0;

# call(GET => '/target', {'user.id' => 7}, {json => ..., headers => [...], call => {...}})
sub call {
    my ($method, $target, $context, $more) = @_;
    my %call = (key => $key, method => $method, target => $target, %{ $more->{call} || {} });
    $call{context} = $context if $context;
    delete $call{$_} for grep { !defined $call{$_} } keys %call;
    $addresses++;
    my @headers = (
        'Mouse-Call' => JSON->new->ascii->canonical->encode(\%call),
        'X-Test-Address' => "10.77.$$.$addresses" =~ s/\.(\d+)\.(\d+)\z/'.' . $1 % 250 . ".$2"/er,
        @{ $more->{headers} || [] });
    return request($host, POST => '/call', {%$more, headers => \@headers});
}

sub refused {
    my ($name, $code, $says, @call) = @_;
    my $r = call(@call);
    is $r->code, $code, "$host: $name is refused" or diag $r->as_string;
    like json($r)->{detail}, $says, "$host: $name: the reason";
    return;
}

# ---- the request that runs ----

$host = 'call.test';
my $r = call(GET => '/fixed');
is $r->code, 200, 'a GET';
is $r->content, '{"is":"fixed"}', '... and its answer';
is $r->header('Content-Type'), 'application/json', '... its headers';
is call(GET => '/a/x%2Fy%20z?q=1')->header('X-B'), 'x%2Fy%20z', 'a path, percent-encoded';
is call(DELETE => '/fixed')->content, '{"is":"gone"}', 'a DELETE';
$r = call(OPTIONS => '/fixed');
is $r->code, 204, 'OPTIONS';
like $r->header('Allow'), qr/DELETE/, '... with Allow';
is call(GET => '/none')->code, 404, 'a path that no route takes';
is call(PUT => '/fixed')->code, 405, 'a method that no route takes';
is call(GET => '/call')->code, 405, 'the handler itself wants a POST';
is call(GET => '/fixed', undef, {headers => ['X-Shut' => 1]})->code, 403, 'what httpd forbids stays forbidden';
my $sheet = qq({"key":"$key","method":"HEAD","target":"/fixed"});
my $answer = raw("POST /call HTTP/1.1\r\nHost: call.test\r\nConnection: close\r\nMouse-Call: $sheet\r\n\r\n");
like $answer, qr{\AHTTP/1\.1 200 .*\r\nContent-Length: 14\r\n.*\r\n\r\n\z}s, 'HEAD has no body';
refused('context for a route without guards', 400, qr/"user".*none/, GET => '/fixed', {'user.id' => 1});

# ---- what is no such request ----

$r = request($host, POST => '/call');
is $r->code, 400, 'without the header';
is request($host, GET => '/call')->code, 405, 'a GET of the handler';
refused('another key', 403, qr/another key/, GET => '/fixed', undef, {call => {key => $_}})
    for 'wrong', '', substr($key, 0, -1), "$key.";
for my $bad (
    ['a number as the key', key => 7], ['no key', key => undef], ['no method', method => undef],
    ['no target', target => undef], ['a method of its own', method => 'BREW'], ['TRACE', method => 'TRACE'],
    ['small letters', method => 'get'], ['NUL in the method', method => "GET\0"],
    ['a relative target', target => 'fixed'], ['an empty target', target => ''],
    ['a URL', target => 'http://127.0.0.1/fixed'], ['a space', target => '/fi xed'],
    ['a line end', target => "/fixed\r\nX: y"], ['a fragment', target => '/fixed#x'],
    ['bytes above ASCII', target => "/\x{e4}"], ['NUL in the target', target => "/fixed\0"]) {
    my ($name, $member, $value) = @$bad;
    my $got = call(GET => '/fixed', undef, {call => {$member => $value}});
    is $got->code, 400, "$name is refused";
}
for my $context ([1], 'user.id', {user => 1}, {'user.' => 1}, {'.id' => 1}, {'user.id' => [1]}, {'user.id' => {}}) {
    refused('a context that is none', 400, qr/Mouse-Call: /, GET => '/fixed', $context);
}
for my $header ('', '{', '[]', '{"key":"x","key":"y"}', '"text"', '{}' . '}' x 40, '[' x 400) {
    is request($host, POST => '/call', {headers => ['Mouse-Call' => $header]})->code, 400, "no call: " . substr $header, 0, 30;
}
is request('keyless.test', POST => '/call', {headers => ['Mouse-Call' => $sheet]})->code, 404,
    'without MouseCallKey there is no such handler';
is request('keyless.test', GET => '/fixed')->code, 200, '... and all else is served';

# ---- context, on each database ----

for (hosts()) {
    $host = s/\.test\z/.accounts.localhost/r;
    my $name = "hand$$";
    $r = call(POST => '/api/register', undef, {json => {name => $name, password => 'long enough 12'}});
    is $r->code, 201, "$host: a body is the request's own" or diag $r->as_string;
    my $id = json($r)->{id};
    is call(GET => '/api/me')->code, 401, "$host: without context the guards ask as ever";
    $r = call(GET => '/api/me', {'user.id' => $id});
    is $r->code, 200, "$host: as a user";
    is json($r)->{name}, $name, "$host: ... whose row it is";
    is json(call(GET => '/api/me', {'user.id' => "$id"}))->{name}, $name, "$host: ... a string will do";
    is call(GET => '/api/me', {'user.id' => $_})->code, 404, "$host: as nobody there is"
        for -1, JSON::null;
    refused('a field that is read', 400, qr/\Auser\.kli is read: give it, too\.\z/, POST => '/api/password',
        {'user.id' => $id}, {json => {current => 'long enough 12', password => 'longer than 12'}});
    $r = call(POST => '/api/password', {'user.id' => $id, 'user.kli' => 'x'},
        {json => {current => 'wrong', password => 'longer than 12'}});
    is $r->code, 403, "$host: guards behind the one given run";
    refused('a guard of another route', 400, qr/No guard "key" gives this route context; those that do: token, user\./,
        GET => '/api/me', {'key.value' => 1});
    refused('a guard without context', 400, qr/No guard "own"/, GET => '/api/me', {'own.x' => 1});
    refused('a field that a guard has not', 400, qr/"token" has no field "id"/, GET => '/api/me', {'token.id' => 1});
    is call(GET => '/api/me', {'token.value' => 'x'})->code, 401, "$host: the guard behind a given token asks the database";
    is call(POST => '/api/logout', {'any_token.value' => JSON::null}, {headers => ['Sec-Fetch-Site' => 'cross-site']})->code,
        403, "$host: a guard without context is asked as ever";

    my $before = call(GET => '/api/me', {'user.id' => $id})->content;
    is request($host, GET => '/api/me', {headers => ['Mouse-Call' => $sheet]})->code, 401,
        "$host: the header says nothing to a route";
    is request($host, GET => '/api/me')->code, 401, "$host: what was given is gone with its request";
    is call(GET => '/api/me', {'user.id' => $id})->content, $before, "$host: ... and may be given again";
}

done_testing;
