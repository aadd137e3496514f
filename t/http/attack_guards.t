# What a hostile client tries against guards: another value for the guard than for the
# model, ways around a group, bodies that nobody asked for, many keys for one debt.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use IO::Socket::INET ();
use Test::More;
use MouseTest qw(request json raw port);

my $host = 'attack.test';
my @json = ('Content-Type' => 'application/json');
my @form = ('Content-Type' => 'application/x-www-form-urlencoded');

sub get { return request($host, GET => $_[0]) }

sub post {
    my ($path, $body, @headers) = @_;
    return request($host, POST => $path, {body => $body, headers => [@headers ? @headers : @json]});
}

sub status {
    my ($bytes) = @_;
    return $bytes =~ m{^HTTP/1\.1 (\d+)} ? $1 : 'none';
}

# --- the guard refuses 7: no request gives it one value and the model another
is post('/one/nested', '{"id":1,"a":{"b":7}}')->code, 403, 'a member below another';
is json(post('/one/nested', '{"id":7,"a":{"b":1}}'))->{id}, 1, '... where the model looks';
is post('/one/header', '{"id":1}', @json, 'X-Id' => 7)->code, 403, 'a header';
is post('/one/cookie', '{"id":1}', @json, Cookie => 'id=7')->code, 403, 'a cookie';
is post('/one/cookie', '{"id":1}', @json, Cookie => 'id=7; id=1')->code, 403, '... the first of two';
is json(post('/one/cookie', '{"id":1}', @json, Cookie => 'id=1; id=7'))->{id}, 1, '... for both';
is post('/one/asked?id=7', '{"id":1}')->code, 403, 'a query';
is post('/one/asked?id=1&id=7', '{"id":1}')->code, 403, '... twice';
is json(post('/one/asked?id=1', '{"id":7}'))->{id}, 1, '... and not the body';
is post('/one/strict?id=1', '{"id":7}')->code, 422, '... which strict does not take for known';
is post('/one/body?id=1', '{"id":7}')->code, 403, 'a body';
is post('/one/body', 'id=7', @form)->code, 403, 'a form';
is post('/one/body', 'id=7', @json)->code, 403, '... that is said to be JSON';
is get('/one/default')->code, 403, 'a default';
for my $seven ('7', '07', '007', '%37', '0%37') {
    is get("/one/query?id=$seven")->code, 403, "$seven in a query";
    is get("/one/query?%69d=$seven")->code, 403, '... with its name encoded';
    is get("/one/path/$seven")->code, 403, '... in a path';
    is post('/one/body', "id=$seven", @form)->code, 403, '... in a form';
}
for my $odd ('%2B7', '%207', '7%20', '7.0', '7e0', '0x7', '7%00', '') {
    is get("/one/query?id=$odd")->code, 403, "'$odd' is nothing that could be compared";
}
is get('/one/query?id=1')->code, 200, '1 passes';
is get('/one/query?id=7&id=1')->code, 403, '7 and 1';
is get('/one/query?id=1&i%64=7')->code, 403, '... in two spellings';
is post('/one/body', '{"id":1,"\u0069d":7}')->code, 403, 'two members';
is post('/one/body', '{"id":"1"}')->code, 403, 'a string is no integer';
is get('/one/query?ID=1&id=7')->code, 403, 'names have a case';

# --- numbers of JSON, and what declarations allow
is json(post('/bodies/few', '{"n":5}'))->{n}, 5, 'a guard reads a number';
is post('/bodies/few', '{"n":6}')->code, 403, '... and compares it';
is post('/bodies/few', '{"n":"5"}')->code, 403, '... and no string';
is post('/bodies/limit', '{"name":"bob"}')->code, 200, 'a name' for 1, 2;
for my $bob ('{"name":"bob"}', '{"n\u0061me":"b\u006fb"}') {
    is post('/bodies/limit', $bob)->code, 429, "... counts as $bob";
}
for my $bob ('Bob', 'bob ', 'bob\u0000', 'bob\u200b', "b\xc3\xb6b") {
    is post('/bodies/limit', qq({"name":"$bob"}))->code, 422, "... and not as '$bob', which match() refuses";
}

# --- depth, whoever has read the body before
my $deep = '{"name":"x","a":{"b":{"c":1}}}';
for my $path (qw(/bodies/flat /bodies/late)) {
    is json(post($path, $deep))->{code}, 'json-depth', "$path: too deep";
    is post($path, '{"name":"x","a":{"b":1}}')->code, 200, "$path: deep enough";
    like post($path, '{"name":' . '[' x 10_000_000)->code, qr/^40[03]$/, "$path: 10 MB of brackets";
}

# --- a body that is not asked for
sub expecting {
    my ($method, $path, $length, @headers) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => port(), Timeout => 10)
        or die "connect: $!";
    print $socket join("\r\n", "$method $path HTTP/1.1", "Host: $host", 'Expect: 100-continue',
        "Content-Length: $length", @headers, '', '');
    my $line = <$socket>;
    return status($line // '');
}
my $bad = 'X-Hub-Signature-256: sha256=' . '0' x 64;
is expecting(POST => '/bodies/signed', 5), 401, 'without a signature the body stays where it is';
is expecting(POST => '/bodies/hub', 5), 401, '... of a webhook';
is expecting(POST => '/bodies/hub', 5, $bad), 100, '... but is read for one';
is expecting(POST => '/bodies/hub', 5000, $bad), 413, '... unless it is too large';
is expecting(POST => '/bodies/signed', 5000), 401, '... which nobody learns without a signature';
is expecting(POST => '/shut/x', 5), 403, 'a closed route';
is expecting(POST => '/bodies/none', 5), 404, 'no route';
is expecting(PUT => '/shut/x', 5), 405, 'another method';

# --- around a group
my %paths = (
    403 => [qw(/shut /shut/x /shut//x //shut/x /shut/./x /./shut/x /shut/%78 /%73hut/x /shut/../shut/x
        /shut/open/../x /shut/open/%2e%2e/x /shut/open/.%2e/x /shut/x?/shut/open/x),
        "http://$host/shut/x"],
    404 => [qw(/shut/x/ /shut/x;a /shut;a/x /shut%2fx /SHUT/x /shut/open/..%2fx /shut/ /shut/open%2f..%2fx)],
    400 => [qw(/shut/x%00 /shut/%zz), '/shut/x#'],
    200 => [qw(/shut/open/x /shut/open//x)],
);
for my $code (sort keys %paths) {
    for my $path (@{ $paths{$code} }) {
        is status(raw("GET $path HTTP/1.1\r\nHost: $host\r\nConnection: close\r\n\r\n")),
            $code, "$code: $path";
    }
}
is request($host, $_ => '/shut/x')->code, 403, $_ for qw(HEAD POST);
is request($host, $_ => '/shut/x', {headers => ['X-HTTP-Method-Override' => 'GET']})->code, 405, $_
    for qw(DELETE TRACE get);
is get('/aside')->code, 403, 'a rewritten path';
is get('/shut/open/aside')->code, 403, '... out of an open group';
is get('/lost/x')->code, 403, 'an ErrorDocument';
like get('/http/')->code, qr/^40[34]$/, 'a DirectoryIndex';

# --- origins
sub own {
    my (@headers) = @_;
    return post('/own', '{}', @json, @headers)->code;
}
is own(), 200, 'no browser';
is own(Origin => "http://$host"), 200, 'our own page';
is own(Origin => $_), 403, "a page of '$_'"
    for 'http://evil.example', 'null', '', "http://$host.evil", "http://evil\@$host", "http://$host/",
    "http://$host:81", "http://$host, http://evil.example";
is own(Origin => "http://$host", 'Sec-Fetch-Site' => $_), 403, "Sec-Fetch-Site: $_"
    for 'cross-site', 'same-site', 'SAME-ORIGIN', 'same-origin, cross-site', '';
like raw("POST /own HTTP/1.0\r\nOrigin: http://$host\r\nContent-Length: 2\r\n\r\n{}"), qr{^HTTP/1.1 40[34]},
    'no Host is nobody\'s own';

# --- a row's value is no header
my $row = get('/row');
is json($row)->{code}, 'template', 'CR and LF out of a row';
is $row->header('X-Other'), undef, '... give no header';

# --- 20,000 keys do not push out a debt
sub keyed {
    my ($socket, @keys) = @_;
    my %codes;
    print $socket map { "GET /old HTTP/1.1\r\nHost: $host\r\nX-Key: $_\r\n\r\n" } @keys;
    for (@keys) {
        my ($code, $length) = ('none', 0);
        while (defined(my $line = <$socket>)) {
            $code = $1 if $line =~ m{^HTTP/1\.1 (\d+)};
            $length = $1 if $line =~ /^Content-Length: (\d+)/i;
            last if $line eq "\r\n";
        }
        read $socket, my $body, $length if $length;
        $codes{$code}++;
    }
    return \%codes;
}
sub fresh { return IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => port(), Timeout => 10) }
is_deeply keyed(fresh(), ('old') x 4), {200 => 3, 429 => 1}, 'a key in debt';
my %all;
for my $part (0 .. 399) {
    my $codes = keyed(fresh(), map { "key-$part-$_" } 1 .. 50);
    $all{$_} += $codes->{$_} for keys %$codes;
}
is(($all{200} // 0) + ($all{429} // 0), 20_000, '20,000 others are answered');
ok $all{429}, '... not all of them with room of their own';
is_deeply keyed(fresh(), 'old'), {429 => 1}, '... and the debt is still there';
is request($host, GET => '/old', {headers => ['X-Key' => 'old', 'X-Forwarded-For' => "10.0.0.$_"]})->code, 429,
    '... whatever else is sent' for 1 .. 2;

done_testing;
