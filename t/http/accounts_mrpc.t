# The accounts of conf/examples/accounts over mouse-php's envelope, on every database.
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

my $host;
my $secret = 'a secret that every browser knows';
my $set = qr/\Akli=([0-9a-f]{64}); Max-Age=2592000; HttpOnly; Secure; SameSite=Lax; Path=\/\z/;
my $cleared = 'kli=; Max-Age=0; HttpOnly; Secure; SameSite=Lax; Path=/';
my ($seeds, $addresses) = (0, 0);
my @public = (0, $secret);

sub address {
    $addresses++;
    return "10.201." . int($addresses / 250) . '.' . ($addresses % 250 + 1);
}

# The body of a request of this user, signed with this key.
sub envelope {
    my ($user, $key, $content) = @_;
    my $data = ref $content ? JSON->new->canonical->encode($content) : $content;
    my $seed = "seed-$$-" . time . '-' . ++$seeds;
    return sprintf '{"user_id":%d,"version":"1","request_tag":"t","timestamp":%d,"seed":"%s",'
        . '"data":%s,"auth":"%s"}', $user, 1000 * time, $seed, $data, hmac_sha256_hex($data . $seed, $key);
}

sub post {
    my ($path, $body, %more) = @_;
    my @headers = ('Content-Type' => 'application/json', 'X-Test-Address' => $more{address} // address(),
        @{ $more{headers} || [] });
    push @headers, Cookie => "kli=$more{kli}" if defined $more{kli};
    return request($host, POST => "/mrpc$path", {body => $body, headers => \@headers});
}

sub call {
    my ($who, $path, $content, %more) = @_;
    return post($path, envelope(@$who, $content), %more);
}

# What matters of an answer, in one line.
sub line_of {
    my ($r) = @_;
    my $answer = json($r);
    return join ' ', $r->code, $answer->{action}, $answer->{data}{code} // ();
}

sub is_signed {
    my ($r, $key) = @_;
    my ($seed, $data, $auth) =
        $r->content =~ /"seed":"([0-9a-f]{64})".*?,"data":(.*),"auth":"([0-9a-f]*)"\}\z/s;
    return defined $auth && $auth eq hmac_sha256_hex($data . $seed, $key);
}

# A new account: its id.
sub register {
    my ($name) = @_;
    my $r = call(\@public, '/register', {username => $name, password => "$name secret"});
    BAIL_OUT("$host: cannot register: " . $r->as_string) unless $r->code == 200;
    return json($r)->{data}{user_id};
}

# Logs in: who signs from now on, and the cookie's value.
sub login {
    my ($name) = @_;
    my $r = call(\@public, '/login', {username => $name, password => "$name secret"});
    BAIL_OUT("$host: cannot log in: " . $r->as_string) unless $r->code == 200;
    return ([@{ json($r)->{data} }{qw(user_id token)}], $r->header('Set-Cookie') =~ $set ? $1 : undef);
}

sub rows {
    my ($name) = @_;
    return json(request($host, GET => "/test/rows/$name"));
}

sub expire {
    my ($name, $what) = @_;
    return request($host, POST => '/test/expire', {json => {name => $name, what => $what}});
}

# All that tells two answers apart but what differs each time.
sub face {
    my ($r) = @_;
    my $answer = json($r);
    delete @$answer{qw(seed auth timestamp)};
    my %headers = map { $_ => scalar $r->header($_) } grep { !/^(Date|Client-.*)$/ } $r->header_field_names;
    return {status => $r->code, answer => $answer, headers => \%headers};
}

sub test_login {
    my $id = register('ada.mrpc');
    my $r = call(\@public, '/register', {username => 'ada.mrpc', password => 'long enough'});
    is line_of($r), '409 Generic 409', "$host: the name exists";
    is json($r)->{data}{api_message}, 'User Already Exists.', "$host: says so";
    my $wrong = call(\@public, '/login', {username => 'ada.mrpc', password => 'wrong secret'});
    is line_of($wrong), '401 Generic 401', "$host: a wrong password" or diag $wrong->as_string;
    is_deeply face(call(\@public, '/login', {username => 'nobody.mrpc', password => 'ada secret'})),
        face($wrong), "$host: an unknown user is told the same";
    $r = call(\@public, '/login', {username => 'ada.mrpc', password => 'ada.mrpc secret'});
    is line_of($r), '200 Login', "$host: logged in";
    ok is_signed($r, $secret), "$host: signed with the secret";
    is_deeply [sort keys %{ json($r)->{data} }], [qw(join_date token user_id username)],
        "$host: no hidden column";
    like $r->header('Set-Cookie'), $set, "$host: the cookie, to the letter";
    my $who = [@{ json($r)->{data} }{qw(user_id token)}];
    is $who->[0], $id, "$host: the user's id";
    $r = call($who, '/me', {});
    is json($r)->{data}{username}, 'ada.mrpc', "$host: me";
    ok is_signed($r, $who->[1]), "$host: signed with the token";
    my ($again) = login('ada.mrpc');
    is line_of(call($who, '/me', {})), '401 Generic 401', "$host: a second login ends the first";
    is line_of(call($again, '/me', {})), '200 Generic', "$host: and counts itself";
    return;
}

sub test_who {
    my $victim = register('victim.mrpc');
    login('victim.mrpc');
    register('eve.mrpc');
    my ($eve) = login('eve.mrpc');
    is line_of(call([$victim, $eve->[1]], '/me', {})), '401 Generic 401', "$host: another's user_id";
    is line_of(call([$victim, $secret], '/me', {})), '401 Generic 401', "$host: signed with the secret";
    is line_of(call([0, $secret], '/me', {})), '403 Generic 403', "$host: user_id 0";
    for my $data ({user_id => $victim}, {'session.user_id' => $victim}, {session => {user_id => $victim}}) {
        is json(post("/me?user_id=$victim&session.user_id=$victim", envelope(@$eve, $data),
            headers => ['User-Id' => $victim, Cookie => "user_id=$victim"]))->{data}{username}, 'eve.mrpc',
            "$host: user_id in data, query, header and cookie";
    }
    my $body = envelope(@$eve, {});
    is line_of(post('/me', $body)), '200 Generic', "$host: once";
    is line_of(post('/me', $body)), '403 Generic 403', "$host: not twice";
    is line_of(post('/logout', $body)), '403 Generic 403', "$host: nor under another path";
    is line_of(post('/me', $body =~ s/"user_id":\d+/"user_id":$victim/r)), '401 Generic 401',
        "$host: nor for another";
    is line_of(post('/me', $body =~ s/,"auth":"[^"]*"//r)), '400 Generic 400', "$host: without its auth";
    is line_of(post('/me', $body =~ s/"user_id"/"user_id":$victim,"user_id"/r)), '400 Generic 400',
        "$host: user_id twice";
    like raw("POST /mrpc/me HTTP/1.1\r\nHost: $host\r\nX-A: \0\r\nContent-Length: 0\r\n\r\n"),
        qr{\AHTTP/1.1 400 }, "$host: a NUL in a header";
    return;
}

sub test_refresh {
    register('bob.mrpc');
    register('cora.mrpc');
    my ($bob, $kli) = login('bob.mrpc');
    my (undef, $other) = login('cora.mrpc');
    is line_of(call($bob, '/me', {})), '200 Generic', "$host: a session";
    is rows('bob.mrpc')->{seeds}, 1, "$host: with a seed";
    expire('bob.mrpc', 'mrpc');
    is line_of(call($bob, '/me', {})), '200 Refresh 419', "$host: expired";
    is line_of(call($bob, '/refresh', {})), '401 Generic 401', "$host: no refresh without the cookie";
    is line_of(call($bob, '/refresh', {}, kli => $other)), '401 Generic 401', "$host: nor with another's";
    is line_of(call(\@public, '/refresh', {}, kli => $kli)), '401 Generic 401', "$host: nor by user_id 0";
    is line_of(call($bob, '/refresh', {}, kli => $kli, headers => [Origin => 'http://evil.test'])),
        '403 Generic 403', "$host: nor from another site";
    my $r = call($bob, '/refresh', {}, kli => $kli);
    is line_of($r), '200 Refresh', "$host: refreshed with both";
    ok is_signed($r, $bob->[1]), "$host: signed with the old token";
    is rows('bob.mrpc')->{seeds}, 0, "$host: whose seeds went with it";
    is line_of(call($bob, '/me', {})), '401 Generic 401', "$host: and which signs no more";
    $bob->[1] = json($r)->{data}{token};
    is line_of(call($bob, '/me', {})), '200 Generic', "$host: the new one does";

    $r = call(\@public, '/reload', {}, kli => $kli);
    is line_of($r), '200 Login', "$host: reload by cookie";
    is json($r)->{data}{token}, $bob->[1], "$host: the token while it lives";
    like $r->header('Set-Cookie'), $set, "$host: a new cookie";
    my ($next) = $r->header('Set-Cookie') =~ $set;
    is line_of(call(\@public, '/reload', {}, kli => $kli)), '401 Generic 401', "$host: the old one is used up";
    expire('bob.mrpc', 'mrpc');
    $r = call(\@public, '/reload', {}, kli => $next);
    isnt json($r)->{data}{token}, $bob->[1], "$host: a new token once it is over";
    $bob->[1] = json($r)->{data}{token};

    call($bob, '/me', {}) for 1 .. 3;
    is rows('bob.mrpc')->{seeds}, 3, "$host: seeds are kept";
    $r = call($bob, '/logout', {});
    is line_of($r), '200 Logout', "$host: logout";
    ok is_signed($r, $bob->[1]), "$host: still signed";
    is $r->header('Set-Cookie'), $cleared, "$host: the cookie goes, to the letter";
    is_deeply [@{ rows('bob.mrpc') }{qw(seeds kli)}], [0, 0], "$host: and with it seeds and cookies";
    is line_of(call($bob, '/me', {})), '401 Generic 401', "$host: nobody signs now";
    return;
}

sub test_password {
    register('dora.mrpc');
    my ($dora, $kli) = login('dora.mrpc');
    my $r = request($host, POST => '/api/login', {json => {name => 'dora.mrpc', password => 'dora.mrpc secret'},
        headers => ['X-Test-Address' => address()]});
    my @plain = (headers => [Authorization => 'Bearer ' . json($r)->{token}]);
    is request($host, GET => '/api/me', {@plain})->code, 200, "$host: a plain session of the same account";
    my $change = sub { call($dora, '/password', {current => $_[0], password => $_[1]}) };
    is line_of($change->('wrong secret', 'a new secret')), '403 Generic 403', "$host: the current password";
    is line_of($change->('dora.mrpc secret', 'short')), '422 Generic 422', "$host: a bad new one";
    $r = $change->('dora.mrpc secret', 'a new secret');
    is line_of($r), '200 Generic', "$host: changed";
    like $r->header('Set-Cookie'), $set, "$host: with a new cookie";
    is line_of(call($dora, '/me', {})), '200 Generic', "$host: this session goes on";
    is line_of(call(\@public, '/reload', {}, kli => $kli)), '401 Generic 401', "$host: the old cookie does not";
    is request($host, GET => '/api/me', {@plain})->code, 401, "$host: nor the plain session";
    is line_of(call(\@public, '/login', {username => 'dora.mrpc', password => 'dora.mrpc secret'})),
        '401 Generic 401', "$host: nor the old password";
    return;
}

sub test_limit {
    my ($from, $r) = (address());
    my $guesses = 0;
    for (1 .. 60) {
        $r = call(\@public, '/login', {username => 'frank.mrpc', password => 'wrong'}, address => $from);
        last unless line_of($r) eq '401 Generic 401';
        $guesses++;
    }
    cmp_ok $guesses, '>=', 5, "$host: five guesses at once";
    is line_of($r), '429 Generic 429', "$host: then they are stopped";
    like $r->header('Retry-After'), qr/\A[1-9][0-9]?\z/, "$host: with a time to wait";
    return;
}

for (hosts()) {
    $host = s/\.test/.accounts.localhost/r;
    test_login();
    test_who();
    test_refresh();
    test_password();
    test_limit();
}
done_testing;
