# What a hostile client tries: names sent in every place, values that would be headers,
# numbers beyond every edge, bodies that nest or lie. Each has its right answer here.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use Test::More;
use MouseTest qw(hosts request json raw);

my @json = ('Content-Type' => 'application/json');
my $huge = '9' x 66;

sub post {
    my ($host, $path, $body, @headers) = @_;
    return request($host, POST => $path, {body => $body, headers => [@json, @headers]});
}

sub statuses {
    my ($bytes) = @_;
    return [$bytes =~ m{HTTP/1\.1 (\d+) }g];
}

for my $host (hosts()) {
    # --- one value, sent in several places
    is json(post($host, '/t/echo?i=9', '{"s":"x"}'))->{i}, undef, "$host: a POST reads no query";
    is request($host, GET => '/t/echo?i=1&%69=2')->code, 422, "$host: one name, twice, in two spellings";
    is json(post($host, '/t/echo', '{"i":1,"\u0069":2}'))->{code}, 'json-duplicate',
        "$host: the same in JSON";
    is json(request($host, PUT => '/t/notes/999999/n', {body => '{"id":1,"n":5}', headers => [@json]}))
        ->{affected}, 0, "$host: the body cannot say what the path says";
    is request($host, GET => '/api/me/orders?user.id=1&user[id]=1',
        {headers => ['user.id' => 1, Cookie => 'user.id=1']})->code, 401, "$host: nobody says who he is";
    is request($host, GET => '/api/me/orders', {headers => ['X-Session' => 'demo', 'X-Session' => 'other']})
        ->code, 401, "$host: two sessions are none";

    # --- names that only look known
    my $nul = post($host, '/t/strict', '{"i\u0000":1}');
    is $nul->code, 422, "$host: strict sees a NUL behind a name";
    is json($nul)->{errors}[0]{parameter}, 'i?', "$host: ... and shows it";
    is json(post($host, '/t/echo', '{"i\u0000":1}'))->{i}, undef, "$host: it is another name elsewhere";

    # --- values in headers
    my $sent = post($host, '/t/titled', '{"title":"a; b,c\u00e9\"%0d%0a"}');
    is $sent->header('X-Title'), 'a%3B%20b%2Cc%C3%A9%22%250d%250a', "$host: a header's value is encoded";
    is $sent->header('X-Raw'), 'a;%20b,c%C3%A9%22%0d%0a', "$host: ... and what is no reserved character";
    is $sent->header('Set-Cookie'), 'title=a%3B%20b%2Cc%C3%A9%22%250d%250a; Path=/t',
        "$host: a cookie gets no attribute";
    for my $escape ('\r\nSet-Cookie: x=1', '\n', '\u0000') {
        my $refused = post($host, '/t/titled', qq({"title":"a${escape}"}));
        is json($refused)->{code}, 'template', "$host: $escape is no header";
        is $refused->header('Set-Cookie'), undef, "$host: ... and sets nothing";
    }

    # --- numbers
    is post($host, '/t/echo', qq({"i":$huge}))->code, 422, "$host: an integer beyond 64 bits";
    is post($host, '/t/echo', qq({"n":$huge}))->code, 422, "$host: a number of 66 digits";
    is post($host, '/t/echo', '{"n":1e309}')->code, 422, "$host: a number beyond a double";
    is post($host, '/t/echo', '{"n":' . '1' x 401 . '}')->code, 422, "$host: 401 digits";
    is json(post($host, '/t/echo', '{"n":-0.0}'))->{n}, 0, "$host: minus nothing";

    # --- bodies
    is json(post($host, '/t/echo', '[' x 900_000))->{code}, 'json-depth', "$host: open brackets";
    is post($host, '/t/echo', '"' x 900_000)->code, 400, "$host: quotes";
    is post($host, '/t/echo', '[' . '0,' x 500_000 . '0]')->code, 422, "$host: half a million elements";
    my $twins = '{' . join(',', map { qq("$_":0) } 0 .. 60_000) . ',"5":1}';
    is json(post($host, '/t/echo', $twins))->{code}, 'json-duplicate', "$host: one twin among 60,000";
    for my $bytes ("\xFF", "\xC0\xAF", "\xED\xA0\x80", '\ud800', '\udc00\ud800', "\0") {
        is post($host, '/t/echo', qq({"s":"$bytes"}))->code, 400,
            "$host: no text: " . unpack 'H*', $bytes;
    }

    # --- lengths that lie
    my $head = "POST /t/echo HTTP/1.1\r\nHost: $host\r\nContent-Type: application/json\r\nConnection: close\r\n";
    for my $chunk ('-7', 'fffff0000000000000007', '5') {
        my ($status) = @{ statuses(raw("${head}Transfer-Encoding: chunked\r\n\r\n$chunk\r\n{\"i\":1}\r\nx")) };
        like $status, qr/^4/, "$host: a chunk of $chunk";
    }
    my $next = "GET /t/echo?i=2 HTTP/1.1\r\nHost: $host\r\nConnection: close\r\n\r\n";
    my $hidden = "GET /t/none/1 HTTP/1.1\r\nHost: x\r\n\r\n";
    is_deeply statuses(raw("POST /api/me/orders HTTP/1.1\r\nHost: $host\r\nContent-Length: "
        . length($hidden) . "\r\n\r\n$hidden$next")), [401, 200], "$host: a body is no request";
}

done_testing;
