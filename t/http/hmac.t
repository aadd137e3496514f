# The guard hmac: requests signed as RFC 9421 says, and what becomes of them on their way.
use strict;
use warnings FATAL => 'all';

use Digest::SHA qw(hmac_sha256 sha256 sha512);
use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use MIME::Base64 qw(encode_base64);
use Test::More;
use MouseTest qw(hosts request json raw port);

my $start = time;
my $SECRET = '0123456789abcdef0123456789abcdef';
my $BYTES = pack 'C*', 0 .. 29, 254, 255;

sub base64 { return encode_base64($_[0], '') }

# The lines of the base and the names of their components, from [NAME => VALUE], ...
sub base_of {
    my ($params, @components) = @_;
    my @names = map { my ($name, @rest) = split /;/, $_->[0]; join ';', qq{"$name"}, @rest } @components;
    my $input = '(' . join(' ', @names) . ')' . $params;
    my $lines = join '', map { "$names[$_]: $components[$_][1]\n" } 0 .. $#components;
    return ($input, qq{$lines"\@signature-params": $input});
}

# signed({secret, params, label}, [NAME => VALUE], ...): the two fields.
sub signed {
    my ($how, @components) = @_;
    my $params = $how->{params} // ';created=' . time . ';keyid="k1"';
    my $label = $how->{label} // 'sig1';
    my ($input, $base) = base_of($params, @components);
    return ('Signature-Input' => "$label=$input",
        'Signature' => "$label=:" . base64(hmac_sha256($base, $how->{secret} // $SECRET)) . ':');
}

sub digest { return 'sha-256=:' . base64(sha256($_[0])) . ':' }

# A POST as it must be signed.
sub post_fields {
    my ($host, $path, $body, $how) = @_;
    my $digest = $how->{digest} // digest($body);
    return ('Content-Digest' => $digest, signed($how, ['@method' => 'POST'],
        ['@target-uri' => "http://$host$path"], ['content-digest' => $digest]));
}

sub post {
    my ($host, $path, $body, $how) = @_;
    return request($host, POST => $path, {body => $how->{sent} // $body,
        headers => ['Content-Type' => 'application/json', post_fields($host, $path, $body, $how)]});
}

sub get {
    my ($host, $path, $how) = @_;
    return request($host, GET => $how->{sent} // $path, {headers => [signed($how,
        ['@method' => 'GET'], ['@target-uri' => "http://$host$path"])]});
}

# What a client can tell an answer by.
sub face {
    my ($r) = @_;
    my $problem = json($r);
    delete $problem->{request_id};
    my %headers = map { $_ => $r->header($_) } grep { !/^(Date|Client-.*|Content-Length)$/ } $r->header_field_names;
    return {status => $r->code, problem => $problem, headers => \%headers};
}

for my $host (map { "hmac-$_" } hosts()) {
    my $r = get($host, '/api/me', {});
    is $r->code, 200, "$host: a signed GET";
    is_deeply json($r), {key_id => 'k1', user_id => 7}, "$host: ... whose key is context";
    is $r->header('Cache-Control'), 'no-store', "$host: ... and nothing to be kept";
    $r = post($host, '/api/notes?x=1', '{"n":1}', {});
    is $r->code, 200, "$host: a signed POST";
    is $r->header('X-Signed'), 'k1 7 sig1', "$host: ... and its context";
    my $now = time;
    is post($host, '/api/notes', '{"n":1}',
        {params => qq{;created=$now;keyid="k2"}, secret => $BYTES})->code, 200, "$host: a secret in base64";
    is post($host, '/api/bytes', '{"n":1}', {secret => $BYTES})->header('X-Signed'), 7,
        "$host: a secret of bytes";
    is post($host, '/api/notes', '{"n":1}',
        {digest => 'sha-512=:' . base64(sha512('{"n":1}')) . ':'})->code, 200, "$host: sha-512";
    is post($host, '/api/notes', '', {})->code, 200, "$host: an empty body";

    my $none = request($host, POST => '/api/notes', {json => {n => 1}});
    is $none->code, 401, "$host: no signature";
    is $none->header('WWW-Authenticate'), 'Signature', "$host: ... with a challenge";
    is $none->header('Accept-Signature'),
        'sig1=("@method" "@target-uri" "content-digest");created;alg="hmac-sha256"',
        "$host: ... and what is required";
    my ($old, $soon, $gone) = ($now - 400, $now + 400, $now - 10);
    my %wrong = (
        'another body' => {sent => '{"n":2}'},
        'a body that goes on' => {sent => '{"n":1} '},
        'another secret' => {secret => 'x' x 32},
        'an unknown key' => {params => qq{;created=$now;keyid="k9"}},
        'a key with a short secret' => {params => qq{;created=$now;keyid="short"}, secret => 'secret'},
        'SQL as a key' => {params => qq{;created=$now;keyid="k1' OR '1'='1"}},
        'an old one' => {params => qq{;created=$old;keyid="k1"}},
        'one from the future' => {params => qq{;created=$soon;keyid="k1"}},
        'an expired one' => {params => qq{;created=$gone;expires=$gone;keyid="k1"}},
        'another alg' => {params => qq{;created=$now;keyid="k1";alg="hmac-sha1"}},
        'no created' => {params => ';keyid="k1"'},
        'a digest of another body' => {digest => digest('x')},
        'a digest of no kind' => {digest => 'md5=:AA==:'},
        '7 KiB of parameters' => {params => qq{;created=$now;keyid="k1"} . join '', map { ";p$_" } 1 .. 1300},
        'letters beyond ASCII' => {params => qq{;created=$now;keyid="k\xE9"}},
    );
    for my $what (sort keys %wrong) {
        is_deeply face(post($host, '/api/notes', '{"n":1}', $wrong{$what})), face($none),
            "$host: $what looks like no signature";
    }
    is get($host, '/api/me', {sent => '/api/me?x=1'})->code, 401, "$host: a query is added";
    is get($host, '/api/me?x=1', {sent => '/api/me?x=%31'})->code, 401, "$host: a query is respelled";
    is get($host, '/api/me', {sent => '/api//me'})->code, 401, "$host: the path with another slash";
    is get($host, '/api/me', {sent => '/api/%6De'})->code, 401, "$host: the path respelled";
    my @get = signed({}, ['@method' => 'GET'], ['@target-uri' => "http://$host/api/me"]);
    is request($host, HEAD => '/api/me', {headers => \@get})->code, 401, "$host: another method";
    is request($host, GET => '/api/me', {headers => [@get, @get]})->code, 401, "$host: both fields twice";
    is request($host, GET => '/api/me', {body => '{}', headers => \@get})->code, 401,
        "$host: a body beside a signature without one";
    my @post = signed({}, ['@method' => 'POST'], ['@target-uri' => "http://$host/api/notes"]);
    is request($host, POST => '/api/notes', {body => '{"n":1}', headers => \@post})->code, 401,
        "$host: the digest is stripped";

    # The bytes as they are: names of fields in any case, lines that are joined and folded.
    my $raw = sub {
        my ($method, $path, @fields) = @_;
        return raw(join "\r\n", "$method $path HTTP/1.1", "Host: $host", 'Connection: close', @fields, '', '');
    };
    my $lines = sub { my @all = @_; return map { "$all[2 * $_]: $all[2 * $_ + 1]" } 0 .. $#all / 2 };
    my @filed = (['@method' => 'GET'], ['@path' => '/api/filed'], ['@query-param;name="n"' => 'a%20b'],
        ['x-note' => 'a, b c, d']);
    my $how = {label => 'shop', params => qq{;created=$now;keyid="f1";tag="orders"}};
    my @fields = $lines->(signed($how, @filed));
    my @notes = ('X-Note: a', "x-NOTE:  b c\t ", 'X-Note: d');
    like $raw->(GET => '/api/filed?n=a+b&m=2', @fields, @notes), qr{^HTTP/1.1 200 .*\r\nX-Signed: f1\r\n}s,
        "$host: several lines of a field are one value";
    like $raw->(GET => '/api/filed?n=a+b', @fields, 'X-Note: a', "X-Note: b\r\n c", 'X-Note: d'),
        qr{^HTTP/1.1 200 }, "$host: a folded line is one line";
    like $raw->(GET => '/api/filed?n=a+b', @fields, 'X-Note: a', 'X-Note: d', 'X-Note: b c'), qr{^HTTP/1.1 403 },
        "$host: lines in another order";
    like $raw->(GET => '/api/filed?n=a+b&n=c', @fields, @notes), qr{^HTTP/1.1 403 },
        "$host: a query parameter twice";
    like $raw->(GET => '/api/filed?n=a+b', @fields), qr{^HTTP/1.1 403 (?!.*Accept-Signature)}s,
        "$host: a field that is covered is gone";
    my @uri = $lines->(signed($how, @filed, ['@target-uri' => "https://$host/api/filed?n=a+b"]));
    like $raw->(GET => '/api/filed?n=a+b', @uri, @notes), qr{^HTTP/1.1 200 }, "$host: scheme=https";
    like $raw->(GET => "http://$host/api/filed?n=a+b", @uri, @notes), qr{^HTTP/1.1 200 },
        "$host: the absolute form of the target";
    @uri = $lines->(signed({%$how, params => qq{;created=$now;keyid="f1"}}, @filed));
    like $raw->(GET => '/api/filed?n=a+b', @uri, @notes), qr{^HTTP/1.1 403 }, "$host: no tag";

    # A nonce passes once, whatever child has seen it; a forged one uses nothing up.
    sleep 1 while time <= $start;
    my $once = {params => ';created=' . time . qq{;keyid="f1";nonce="n-$host"}};
    is post($host, '/api/once', '{"n":1}', {%$once, secret => 'x' x 32})->code, 401, "$host: a forged nonce";
    is post($host, '/api/once', '{"n":1}', {%$once, sent => '{"n":2}'})->code, 401, "$host: ... or a forged body";
    is post($host, '/api/once', '{"n":1}', $once)->header('X-Nonce'), "n-$host", "$host: a nonce";
    is post($host, '/api/once', '{"n":1}', $once)->code, 401, "$host: ... again" for 1 .. 8;
    is post($host, '/api/once', '{"n":1}', {params => ';created=' . time . ';keyid="f1"'})->code, 401,
        "$host: no nonce";

    # Who is refused by its fields sends no body.
    my @expect = ('Content-Type: application/json', 'Content-Length: 7', 'Expect: 100-continue');
    my @good = $lines->(post_fields($host, '/api/notes', '{"n":1}', {}));
    my @bad = $lines->(post_fields($host, '/api/notes', '{"n":1}', {secret => 'x' x 32}));
    like $raw->(POST => '/api/notes', @expect, @bad), qr{^HTTP/1.1 401 }, "$host: no 100 for a wrong signature";
    my $answer = raw(join "\r\n", 'POST /api/notes HTTP/1.1', "Host: $host", 'Connection: close', @expect, @good,
        '', '{"n":1}');
    like $answer, qr{^HTTP/1.1 (100 .*\r\n\r\nHTTP/1.1 )?200 }, "$host: ... and a right one is read";
    my @chunked = ('Content-Type: application/json', 'Transfer-Encoding: chunked');
    $answer = raw(join "\r\n", 'POST /api/notes HTTP/1.1', "Host: $host", 'Connection: close', @chunked, @good,
        '', '3', '{"n', '4', '":1}', '0', '', '');
    like $answer, qr{^HTTP/1.1 200 }, "$host: chunks are the same body";
    is post($host, '/api/small', '{"n":12345678901}', {})->code, 413, "$host: a body that is too long";
}
done_testing;
