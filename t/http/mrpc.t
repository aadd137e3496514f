# mouse-php's wire format: signed envelopes in and out, on every database.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use Digest::SHA qw(hmac_sha256_hex);
use JSON ();
use Test::More;
use Time::HiRes qw(time);
use MouseTest qw(hosts request json raw);

my $secret = 'everybody knows this one';
my %token = (0 => $secret, 7 => '7f' x 32, 8 => 'eight', 9 => 'nobody');
my $count = 0;

# The seven members as text, so that the bytes of data are those that were signed.
sub envelope {
    my ($user, $data, %more) = @_;
    my $seed = $more{seed} // "seed-$$-" . time . '-' . ++$count;
    my %member = (
        user_id     => $user,
        version     => '"1.0"',
        request_tag => '"tag \u00e9"',
        timestamp   => int(1000 * time),
        seed        => qq{"$seed"},
        data        => $data,
        auth        => '"' . hmac_sha256_hex($data . $seed, $token{$user}) . '"',
        %{ $more{members} || {} },
    );
    delete $member{$_} for @{ $more{without} || [] };
    return '{' . join(',', map { qq{"$_":$member{$_}} } sort keys %member) . '}';
}

sub post {
    my ($host, $path, $body) = @_;
    return request($host, POST => $path,
        {body => $body, headers => ['Content-Type' => 'application/json']});
}

# Is the answer's auth made with this key, over its bytes of data and its seed?
sub is_signed {
    my ($response, $key) = @_;
    my ($seed, $data, $auth) =
        $response->content =~ /"seed":"([0-9a-f]{64})".*?,"data":(.*),"auth":"([0-9a-f]*)"\}\z/s;
    return defined $auth && $auth eq hmac_sha256_hex($data . $seed, $key);
}

for my $host (map { s/\./.mrpc./r } hosts()) {
    # --- a signed request and its answer
    my $response = post($host, '/api/echo', envelope(7, '{"title":"Mouse"}'));
    is $response->code, 200, "$host: a signed request";
    my $answer = json($response);
    is_deeply [sort keys %$answer], [qw(action auth data request_tag seed success timestamp)],
        "$host: the members of an answer";
    ok $answer->{success}, "$host: success";
    is $answer->{action}, 'Generic', "$host: the action";
    is $answer->{request_tag}, "tag \x{e9}", "$host: the request's tag";
    ok abs($answer->{timestamp} - 1000 * time) < 60000, "$host: milliseconds";
    is_deeply $answer->{data}, {title => 'Mouse', user_id => 7, name => 'seven'},
        "$host: members of data are parameters, the envelope and the token's row context";
    ok is_signed($response, $token{7}), "$host: signed with the token";
    is $response->content_type, 'application/json', "$host: as JSON";
    is $response->header('Cache-Control'), 'no-store', "$host: not stored";

    my $many = post($host, '/api/many', envelope(7, '{}'));
    is scalar @{ json($many)->{data} }, 2, "$host: rows";
    ok is_signed($many, $token{7}), "$host: and their signature";
    my $nothing = post($host, '/api/nothing', envelope(7, '[]'));
    is $nothing->code, 200, "$host: an :exec is 200 in an envelope";
    is_deeply json($nothing)->{data}, {}, "$host: and empty";
    ok is_signed($nothing, $token{7}), "$host: but signed";

    # --- PHP signs [] where {} was sent
    my $seed = 'php-' . time;
    my $php = envelope(7, '{}', seed => $seed,
        members => {auth => '"' . hmac_sha256_hex("[]$seed", $token{7}) . '"'});
    is post($host, '/api/nothing', $php)->code, 200, "$host: an empty object as PHP signs it";
    $seed = 'php2-' . time;
    my $odd = envelope(7, '{"title":"x"}', seed => $seed,
        members => {auth => '"' . hmac_sha256_hex("[]$seed", $token{7}) . '"'});
    is post($host, '/api/nothing', $odd)->code, 401, "$host: only an empty one";
    is post($host, '/api/echo', envelope(7, '{ "title" : "spaces" }'))->code, 200,
        "$host: the bytes of data as they were sent";

    # --- form
    for my $case (
        ['{}', 'nothing'], ['[]', 'an array'], ['{', 'no JSON'],
        [envelope(7, '{}', without => ['auth']), 'a member missing'],
        [envelope(7, '{}', members => {extra => 1}), 'one more'],
        [envelope(7, '{}', without => ['seed'], members => {sead => '"x"'}), 'another name'],
        [envelope(7, '{}', members => {user_id => '"7"'}), 'user_id a string'],
        [envelope(7, '{}', members => {user_id => '7.0'}), 'user_id no integer'],
        [envelope(7, '{}', members => {user_id => '-7'}), 'user_id negative'],
        [envelope(7, '{}', members => {timestamp => '1e12'}), 'an exponent'],
        [envelope(7, '{}', members => {seed => '""'}), 'an empty seed'],
        [envelope(7, '"x"'), 'data a string'],
        [envelope(7, '{}', members => {auth => '"abc"'}), 'a short auth'],
        [substr(envelope(7, '{"title":"x"}'), 0, 60), 'cut off'],
        ['[' x (1024 * 1024), 'a megabyte of open brackets'],
    ) {
        my $refused = post($host, '/api/echo', $case->[0]);
        is $refused->code, 400, "$host: $case->[1] is 400";
        my $problem = json($refused);
        ok !$problem->{success}, "$host: ... in an envelope";
        is $problem->{data}{code}, '400', "$host: ... with the code";
    }

    my $turned = envelope(7, '{"title":"turned"}') =~ s/\A\{("auth":"[^"]+"),(.*)\}\z/{$2,$1}/r;
    is post($host, '/api/echo', $turned)->code, 200, "$host: the order of members does not matter";

    # --- replay, signature, session
    my $again = envelope(7, '{"title":"once"}');
    is post($host, '/api/echo', $again)->code, 200, "$host: once";
    my $twice = post($host, '/api/echo', $again);
    is $twice->code, 403, "$host: but not twice";
    ok is_signed($twice, $token{7}), "$host: which is signed, too";
    my $later = $again =~ s/"timestamp":(\d+)/'"timestamp":' . ($1 + 1000)/er;
    is post($host, '/api/echo', $later)->code, 403, "$host: nor with another timestamp";
    for my $shift (-301_000, 301_000) {
        is post($host, '/api/echo',
            envelope(7, '{"title":"x"}', members => {timestamp => int(1000 * time) + $shift}))->code,
            403, "$host: a clock off by $shift ms";
    }
    is post($host, '/api/echo',
        envelope(7, '{"title":"x"}', members => {timestamp => int(1000 * time) - 290_000}))->code,
        200, "$host: within the window";
    my $fake = envelope(7, '{"title":"x"}') =~ s/"title":"x"/"title":"y"/r;
    is post($host, '/api/echo', $fake)->code, 401, "$host: data that was changed";
    is post($host, '/api/echo', envelope(7, '{"title":"x"}') =~ s/"auth":"(.{63})./"auth":"${1}x/r)
        ->code, 401, "$host: another auth";
    is post($host, '/api/echo', envelope(7, '{"title":"x"}', members => {user_id => 8}))->code, 401,
        "$host: another user";
    is post($host, '/api/echo', envelope(9, '{"title":"x"}'))->code, 401, "$host: an unknown user";
    is post($host, '/api/echo', envelope(0, '{"title":"x"}'))->code, 403,
        "$host: user_id 0, whose secret everybody knows";
    my $expired = post($host, '/api/echo', envelope(8, '{"title":"x"}'));
    is $expired->code, 200, "$host: an expired session is 200";
    is json($expired)->{action}, 'Refresh', "$host: and asks for Refresh";
    is json($expired)->{data}{code}, '419', "$host: with 419 inside";

    # --- who may sign what
    my $public = post($host, '/api/public', envelope(0, '{}'));
    is $public->code, 200, "$host: the shared secret";
    is json($public)->{action}, 'Login', "$host: envelope-action";
    ok is_signed($public, $secret), "$host: signed with the secret";
    is post($host, '/api/public', envelope(7, '{}'))->code, 403, "$host: not for a user's own";
    my $spoofed = envelope(0, '{}', members => {user_id => 7});
    is post($host, '/api/public', $spoofed)->code, 403, "$host: nor in a user's name";
    is post($host, '/api/either', $spoofed)->code, 401, "$host: not with key=any either";
    is post($host, '/api/either', envelope(0, '{}'))->header('X-User'), 0, "$host: any: the secret";
    my $refresh = post($host, '/api/either', envelope(8, '{}'));
    is $refresh->header('X-User'), 8, "$host: any: an expired token";
    is json($refresh)->{action}, 'Refresh', "$host: any: its action";

    # --- errors in envelopes
    my $bad = post($host, '/api/echo', envelope(7, '{"title":""}'));
    is $bad->code, 422, "$host: a bad parameter keeps its status";
    is json($bad)->{data}{code}, '422', "$host: in an envelope";
    ok is_signed($bad, $token{7}), "$host: signed";
    is post($host, '/api/strict', envelope(7, '{"title":"x","seed":"y"}'))->code, 422,
        "$host: strict looks at data alone";
    is post($host, '/api/strict', envelope(7, '{"title":"x"}'))->code, 200,
        "$host: and not at the envelope";
    is post($host, '/api/echo', envelope(7, '{"user_id":8,"title":"x"}'))->code, 200,
        "$host: user_id in data is no user_id";
    my $missing = request($host, GET => '/api/none');
    is $missing->code, 404, "$host: no route";
    is json($missing)->{data}{code}, '404', "$host: in an envelope";
    is json($missing)->{auth}, '', "$host: that nobody could sign";
    is json(request($host, GET => '/api/echo'))->{data}{code}, '405', "$host: 405, too";
    my $early = raw("GET /api/%zz HTTP/1.1\r\nHost: $host\r\nConnection: close\r\n\r\n");
    like $early, qr{^HTTP/1.1 400 .*"data":\{"code":"400"}s, "$host: what httpd refuses, too";
    is request($host, OPTIONS => '/api/echo')->code, 204, "$host: OPTIONS stays as it is";
    is json(request($host, GET => '/api/open'))->{data}{open}, 1, "$host: a route without mrpc";
    my $plain = post($host, '/api/plain/echo', envelope(7, '{"title":"x"}'));
    is json($plain)->{title}, 'x', "$host: MouseEnvelope none";
    is post($host, '/api/plain/echo', '{}')->content_type, 'application/problem+json',
        "$host: and its problems";
}

done_testing;
