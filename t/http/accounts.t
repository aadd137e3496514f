# The life of an account in conf/examples/accounts, on every database; and what must not work.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use JSON ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep);
use MouseTest qw(hosts request json raw);

my $host;
my $addresses = 0;
my $set = qr/\Akli=([0-9a-f]{64}); Max-Age=2592000; HttpOnly; Secure; SameSite=Lax; Path=\/\z/;
my $cleared = 'kli=; Max-Age=0; HttpOnly; Secure; SameSite=Lax; Path=/';

# An address that nobody has used: the limits count by it.
sub address {
    $addresses++;
    return '10.' . ($$ % 200) . '.' . int($addresses / 250) . '.' . ($addresses % 250 + 1);
}

# call(POST => '/login', {...}, token => ..., kli => ..., headers => [...], address => ...)
sub call {
    my ($method, $path, $json, %more) = @_;
    my @headers = ('X-Test-Address' => $more{address} // address(), @{ $more{headers} || [] });
    push @headers, Authorization => "Bearer $more{token}" if defined $more{token};
    push @headers, Cookie => "kli=$more{kli}" if defined $more{kli};
    return request($host, $method => ($path =~ m{^/test} ? $path : "/api$path"),
        {headers => \@headers, $json ? (json => $json) : ()});
}

sub register {
    my ($name) = @_;
    my $r = call(POST => '/register', {name => $name, password => "$name secret"});
    BAIL_OUT("$host: cannot register $name: " . $r->as_string) unless $r->code == 201;
    return json($r)->{id};
}

sub cookie_of {
    my ($r) = @_;
    return ($r->header('Set-Cookie') // '') =~ $set ? $1 : undef;
}

# A new session of the account: its token, and the cookie's value when it was asked for.
sub login {
    my ($name, %more) = @_;
    my $r = call(POST => '/login', {name => $name, password => "$name secret", %more});
    BAIL_OUT("$host: cannot log in: " . $r->as_string) unless $r->code == 200;
    return (json($r)->{token}, cookie_of($r));
}

sub rows {
    my ($name) = @_;
    return json(call(GET => "/test/rows/$name"));
}

sub name_of {
    my ($r) = @_;
    return $r->code == 200 ? json($r)->{name} : $r->code;
}

# What a client can tell an answer by: all but what differs for every request.
sub face {
    my ($r) = @_;
    my $problem = json($r);
    delete $problem->{request_id};
    my %headers = map { $_ => scalar $r->header($_) } grep { !/^(Date|Client-.*)$/ } $r->header_field_names;
    return {status => $r->code, problem => $problem, headers => \%headers};
}

sub test_register {
    my $r = call(POST => '/register', {name => 'ada', password => 'ada secret'});
    is $r->code, 201, "$host: register";
    is_deeply [sort keys %{ json($r) }], [qw(created_at id name)], "$host: no hash in the answer";
    $r = call(POST => '/register', {name => 'ada', password => 'another one'});
    is $r->code, 409, "$host: the name exists";
    is json($r)->{detail}, 'This name is taken.', "$host: says so";
    is json($r)->{errors}[0]{parameter}, 'name', "$host: and which parameter";
    for my $name ('Ada', 'ab', 'a' x 41, 'a b', 'ada ', "ada\0", "ada\n", "ad\x{e4}", '', undef, 7) {
        is call(POST => '/register', {name => $name, password => 'long enough'})->code, 422,
            "$host: no such name: " . JSON->new->allow_nonref->ascii->encode($name);
    }
    for my $password ('short', 'x' x 201, "long\0enough", "\x{1f400}" x 200, undef, ['long enough']) {
        is call(POST => '/register', {name => 'bad.password', password => $password})->code, 422,
            "$host: no such password";
    }
    is call(GET => '/test/rows/bad.password')->code, 404, "$host: which made no account";
    return;
}

sub test_login {
    register('lena');
    my $wrong = call(POST => '/login', {name => 'ada', password => 'Ada secret'});
    is $wrong->code, 401, "$host: a wrong password";
    is $wrong->header('Set-Cookie'), undef, "$host: sets no cookie";
    is_deeply face(call(POST => '/login', {name => 'nobody', password => 'ada secret', remember => \1})),
        face($wrong), "$host: an unknown user is told the same";
    is_deeply face(call(POST => '/login', {name => 'lena', password => "lena secret\0"})), face($wrong),
        "$host: and so is a NUL";
    is rows('ada')->{sessions}, 0, "$host: no session came of it";
    my $r = call(POST => '/login', {name => 'ada', password => 'ada secret'});
    is $r->code, 200, "$host: logged in";
    is_deeply [sort keys %{ json($r) }], [qw(expires_in token)], "$host: a token, no hidden column";
    like json($r)->{token}, qr/\A[0-9a-f]{64}\z/, "$host: 32 bytes";
    is $r->header('Set-Cookie'), undef, "$host: no cookie unless it is asked for";
    like $r->header('Cache-Control'), qr/no-store/, "$host: not stored";
    is name_of(call(GET => '/me', undef, token => json($r)->{token})), 'ada', "$host: me";
    $r = call(POST => '/login', {name => 'ada', password => 'ada secret', remember => \1});
    like $r->header('Set-Cookie'), $set, "$host: the cookie, to the letter";
    unlike $r->content, qr/@{[ cookie_of($r) ]}/, "$host: which is not in the body";
    for my $remember ('true', 1, undef, {}) {
        is call(POST => '/login', {name => 'ada', password => 'ada secret', remember => $remember})->code,
            422, "$host: remember is true or false";
    }
    return;
}

sub test_denied {
    register('dan');
    my $r = call(GET => '/me');
    is $r->code, 401, "$host: no token";
    is $r->header('WWW-Authenticate'), 'Bearer realm="accounts"', "$host: how to log in";
    is call(GET => '/me', undef, token => 'f' x 64)->code, 401, "$host: a made-up token";
    my ($token) = login('dan');
    is call(GET => '/me', undef, token => uc $token)->code, 401, "$host: a token in capitals";
    like raw("GET /api/me HTTP/1.1\r\nHost: $host\r\nAuthorization: Bearer $token\0\r\n\r\n"),
        qr{\AHTTP/1.1 400 }, "$host: with NUL";
    is call(GET => "/me?token=$token&access_token=$token")->code, 401, "$host: a token in the query";
    is call(GET => '/me', undef, kli => $token)->code, 401, "$host: in the cookie";
    is call(POST => '/reload', undef, kli => $token)->code, 401, "$host: a token is no cookie's value";
    my (undef, $kli) = login('dan', remember => \1);
    is call(GET => '/me', undef, token => $kli)->code, 401, "$host: nor the cookie's value a token";
    is call(GET => '/me', undef, headers => [Authorization => "Bearer $token, Bearer $token"])->code,
        401, "$host: two tokens in one";
    is call(GET => '/me', undef, headers => [Authorization => "Bearer $token",
        Authorization => 'Bearer ' . 'f' x 64])->code, 401, "$host: two headers";
    for my $case ([GET => '/me'], [POST => '/refresh'], [POST => '/password'],
        [GET => '/keys'], [POST => '/keys'], [DELETE => '/keys/1'], [GET => '/whoami']) {
        is call(@$case, $case->[0] eq 'POST' ? {} : undef)->code, 401, "$host: @$case needs a session";
    }
    return;
}

sub test_sessions {
    register('bob');
    my ($one) = login('bob');
    my ($two) = login('bob');
    my $r = call(POST => '/refresh', undef, token => $one);
    my $new = json($r)->{token};
    like $new, qr/\A[0-9a-f]{64}\z/, "$host: refresh";
    is call(GET => '/me', undef, token => $one)->code, 401, "$host: the old token is none now";
    is name_of(call(GET => '/me', undef, token => $new)), 'bob', "$host: the new one is";
    $r = call(POST => '/logout', undef, token => $new);
    is $r->code, 204, "$host: logout";
    is $r->header('Set-Cookie'), $cleared, "$host: takes the cookie away, to the letter";
    is call(GET => '/me', undef, token => $new)->code, 401, "$host: the session is over";
    is name_of(call(GET => '/me', undef, token => $two)), 'bob', "$host: the other is not";
    call(POST => '/test/expire', {name => 'bob', what => 'sessions'});
    $r = call(GET => '/me', undef, token => $two);
    is $r->code, 401, "$host: an expired session";
    is_deeply face($r), face(call(GET => '/me', undef, token => 'f' x 64)), "$host: is like none";
    is call(POST => '/refresh', undef, token => $two)->code, 401, "$host: and not refreshed";
    login('bob');
    is rows('bob')->{sessions}, 1, "$host: the next login removes it";
    return;
}

sub test_cookie {
    register('cora');
    my ($token, $kli) = login('cora', remember => \1);
    my (undef, $other) = login('cora', remember => \1);
    my $r = call(POST => '/reload', undef, kli => $kli);
    is $r->code, 200, "$host: reload by cookie";
    my ($back, $next) = (json($r)->{token}, cookie_of($r));
    is name_of(call(GET => '/me', undef, token => $back)), 'cora', "$host: a session";
    ok $next && $next ne $kli, "$host: and a new value for the cookie";
    is call(POST => '/reload', undef, kli => $kli)->code, 401, "$host: the old one is used up";
    is call(POST => '/reload')->code, 401, "$host: no cookie";
    for my $bad ('x', 'f' x 64, "$next%00", uc $next, "$next%3B", '') {
        is call(POST => '/reload', undef, kli => $bad)->code, 401, "$host: a made-up cookie";
    }
    for my $from (qw(cross-site same-site)) {
        is call(POST => '/reload', undef, kli => $next, headers => ['Sec-Fetch-Site' => $from])->code,
            403, "$host: not for a $from page";
    }
    is call(POST => '/reload', undef, kli => $next, headers => [Origin => 'http://evil.test'])->code,
        403, "$host: nor for another origin";
    is call(POST => '/login', {name => 'cora', password => 'cora secret'},
        headers => ['Sec-Fetch-Site' => 'cross-site'])->code, 403, "$host: nor a login";
    $r = call(POST => '/reload', undef, kli => $next, headers => ['Sec-Fetch-Site' => 'same-origin']);
    is $r->code, 200, "$host: but for its own";
    $next = cookie_of($r);
    call(POST => '/logout', undef, token => $back);
    is call(POST => '/reload', undef, kli => $next)->code, 401, "$host: a logout ends the cookie";
    is call(GET => '/me', undef, token => $_)->code, 401, "$host: and what it had opened"
        for $token, json($r)->{token};
    is call(POST => '/reload', undef, kli => $other)->code, 200, "$host: but no other device's";
    ($token, $kli) = login('cora', remember => \1);
    call(POST => '/test/expire', {name => 'cora', what => 'sessions'});
    $r = call(POST => '/logout', undef, token => $token, kli => $kli);
    is $r->code, 204, "$host: a logout of an expired session";
    is $r->header('Set-Cookie'), $cleared, "$host: takes the cookie away";
    is call(POST => '/reload', undef, kli => $kli)->code, 401, "$host: and ends it";
    (undef, $kli) = login('cora', remember => \1);
    is call(POST => '/logout', undef, kli => $kli, headers => ['Sec-Fetch-Site' => 'cross-site'])->code, 403,
        "$host: another site logs nobody out";
    is call(POST => '/logout', undef, kli => $kli)->code, 204, "$host: a logout by cookie alone";
    is call(POST => '/reload', undef, kli => $kli)->code, 401, "$host: ends it, too";
    is call(POST => '/logout', undef, kli => $_)->code, 204, "$host: no cookie hinders a logout"
        for '', 'x', '%00', 'f' x 5000;
    is call(POST => '/logout')->code, 204, "$host: nor does none";
    call(POST => '/test/expire', {name => 'cora', what => 'kli'});
    (undef, $kli) = login('cora', remember => \1);
    is rows('cora')->{kli}, 1, "$host: a login removes expired ones";
    call(POST => '/test/expire', {name => 'cora', what => 'kli'});
    is call(POST => '/reload', undef, kli => $kli)->code, 401, "$host: an expired cookie";
    return;
}

sub test_password {
    register('dora');
    my ($here, $kli) = login('dora', remember => \1);
    my ($there, $theirs) = login('dora', remember => \1);
    my $change = sub {
        call(POST => '/password', {current => $_[0], password => $_[1]}, token => $here);
    };
    is $change->('wrong secret', 'a new secret')->code, 403, "$host: the current password is asked for";
    is $change->('dora secret', 'short')->code, 422, "$host: a bad new one";
    is name_of(call(GET => '/me', undef, token => $there)), 'dora', "$host: nothing has changed";
    is $change->('dora secret', 'a new secret')->code, 204, "$host: changed";
    is name_of(call(GET => '/me', undef, token => $here)), 'dora', "$host: this session goes on";
    is call(GET => '/me', undef, token => $there)->code, 401, "$host: the other has ended";
    is call(POST => '/reload', undef, kli => $theirs)->code, 401, "$host: with its cookie";
    is call(POST => '/reload', undef, kli => $kli)->code, 200, "$host: this one's cookie is good";
    is call(POST => '/login', {name => 'dora', password => 'dora secret'})->code, 401,
        "$host: the old password";
    is call(POST => '/login', {name => 'dora', password => 'a new secret'})->code, 200,
        "$host: the new one";
    my @tries = map { $change->('wrong secret', 'a newer secret')->code } 1 .. 5;
    is $tries[-1], 429, "$host: guesses at the current one are counted by account";
    return;
}

sub test_keys {
    my ($token) = login('lena');
    my $r = call(POST => '/keys', {label => 'backup'}, token => $token);
    is $r->code, 201, "$host: a key";
    my $key = json($r);
    my @key = (headers => ['X-Api-Key' => $key->{api_key}]);
    is name_of(call(GET => '/whoami', undef, @key)), 'lena', "$host: a key opens the group of both";
    is name_of(call(GET => '/whoami', undef, token => $token)), 'lena', "$host: a session does";
    is call(GET => '/whoami', undef, @key, token => $token)->code, 401, "$host: both do not";
    is call(GET => '/whoami')->code, 401, "$host: neither";
    is call(GET => '/me', undef, @key)->code, 401, "$host: nor a key where a session is asked for";
    is_deeply json(call(GET => '/keys', undef, token => $token)), [{id => $key->{id}, label => 'backup'}],
        "$host: the keys, without their text";
    my ($bob) = login('bob');
    is call(DELETE => "/keys/$key->{id}", undef, token => $bob)->code, 404, "$host: not another's key";
    is call(DELETE => "/keys/$key->{id}", undef, token => $token)->code, 204, "$host: removed";
    is call(GET => '/whoami', undef, @key)->code, 401, "$host: it opens nothing now";
    return;
}

# A client says who it is, in every place: it stays who its token says.
sub test_spoofing {
    my $victim = register('victim');
    register('eve');
    my ($token) = login('eve');
    my @names = ('user.id', 'user[id]', 'user%2Eid', 'user%2eid', '%75ser.id', ':user.id', 'id',
        'user_id', 'account.id', 'account_id', 'caller.id', 'user.id[]', 'user.session', 'USER.ID');
    for my $name (@names) {
        (my $decoded = $name) =~ s/%(..)/chr hex $1/ge;
        my @headers = ($decoded =~ /^[\w.-]+$/ ? ($decoded => $victim, "X-$decoded" => $victim) : (),
            Cookie => "$name=$victim; user.id=$victim");
        is name_of(call(GET => "/me?$name=$victim&$name=$victim", undef, token => $token,
            headers => \@headers)), 'eve', "$host: $name in query, header and cookie";
        my $r = call(POST => "/keys?$name=$victim",
            {label => $decoded, $decoded => $victim, user => {id => $victim}}, token => $token,
            headers => \@headers);
        is $r->code, 201, "$host: $name in a body";
    }
    my ($theirs) = login('victim');
    is_deeply json(call(GET => '/keys', undef, token => $theirs)), [], "$host: nothing of it is the victim's";
    is scalar @{ json(call(GET => '/keys', undef, token => $token)) }, scalar @names, "$host: all is eve's";
    is call(POST => '/login', {name => 'victim', password => 'eve secret',
        account => {id => $victim, hash => '$2b$04$x'}, 'account.id' => $victim, 'account.hash' => '',
        secret => \1})->code, 401, "$host: context in a login's body";
    is call(POST => '/login?name=eve&password=eve%20secret', {name => 'victim', password => 'x'})->code,
        401, "$host: a login's query is not read";
    return ($token, $theirs);
}

sub test_pollution {
    my ($token, $theirs) = @_;
    my $key = json(call(POST => '/keys', {label => 'mine'}, token => $theirs))->{id};
    my $own = json(call(GET => '/keys', undef, token => $token))->[0]{id};
    is call(DELETE => "/keys/$key?id=$own", undef, token => $token)->code, 404,
        "$host: the path's id counts, not the query's";
    is call(DELETE => "/keys/$own?id=$key&id=$key", undef, token => $token)->code, 204,
        "$host: twice, too";
    is_deeply [map { $_->{id} } @{ json(call(GET => '/keys', undef, token => $theirs)) }], [$key],
        "$host: the victim's key is there";
    my $body = '{"name":"eve","password":"eve secret","name":"victim"}';
    is request($host, POST => '/api/login', {body => $body, headers => ['X-Test-Address' => address(),
        'Content-Type' => 'application/json']})->code, 400, "$host: a member twice";
    is request($host, POST => '/api/login', {body => 'name=eve&password=eve+secret', headers =>
        ['X-Test-Address' => address(), 'Content-Type' => 'application/x-www-form-urlencoded']})->code, 415,
        "$host: a form, which any page could send";
    is call(POST => '/login', [{name => 'eve', password => 'eve secret'}])->code, 422, "$host: a list";
    is call(POST => '/login', {name => {'$ne' => ''}, password => {'$ne' => ''}})->code, 422,
        "$host: objects for values";
    is call(GET => "/me%2f..%2fkeys", undef, token => $token)->code, 404, "$host: an encoded slash";
    my (undef, $kli) = login('eve', remember => \1);
    is call(POST => '/reload', undef, headers => [Cookie => "kli=; kli=$kli"])->code, 401,
        "$host: of two cookies the first counts";
    return;
}

# Whatever stands in a row, a header stays one header and a cookie keeps its attributes.
sub test_injection {
    my $id = register('mallory');
    my $shown = sub { JSON->new->allow_nonref->ascii->encode($_[0]) };
    for my $name ('x; Domain=evil.test; Path=/', 'x,y=z', '"x" \\', "x\x{85}y\x{2028}z",
        'x%0d%0aX-Evil: 1', '{kli}', "\t") {
        my $r = call(PUT => "/test/names/$id", {name => $name});
        is json($r)->{name}, $name, "$host: the row holds " . $shown->($name);
        my @set = $r->header('Set-Cookie');
        is @set, 1, "$host: ... one cookie";
        like $set[0], qr/\Aname=[\w.~%-]*; HttpOnly; Path=\/\z/, "$host: ... with its own attributes";
        like $r->header('X-Name'), qr/\A[\w.~%-]*\z/, "$host: ... and one header";
        is $r->header('X-Evil'), undef, "$host: ... no more";
    }
    call(PUT => "/test/names/$id", {name => 'mallory'});
    for my $name ("x\r\nSet-Cookie: kli=evil", "x\nX-Evil: 1", "x\r", "x\r\n\r\n{}", "x\0y") {
        for my $path ('names', 'raw') {
            my $r = call(PUT => "/test/$path/$id", {name => $name});
            ok $r->code == 500 || ($name =~ /\0/ && $r->code == 422),
                "$host: /$path refuses " . $shown->($name);
            is_deeply [map { $r->header($_) } qw(Set-Cookie X-Name X-Evil)], [],
                "$host: ... and sends none of it";
        }
        is call(GET => '/test/rows/mallory')->code, 200, "$host: ... nor keeps it";
    }
    return;
}

# Asks until the limit stops it, at most 60 times: the statuses before, and the answer that did.
# (A slow machine earns a request or two meanwhile.)
sub until_stopped {
    my ($ask) = @_;
    my %before;
    for (1 .. 60) {
        my $r = $ask->($_);
        return (\%before, $r) if $r->code == 429;
        $before{ $r->code }++;
    }
    BAIL_OUT("$host: nothing stops it");
    return;
}

sub test_limits {
    register('frank');
    my $from = address();
    my $guess = sub { call(POST => '/login', {name => 'frank', password => 'wrong'}, address => $_[0]) };
    my ($before, $r) = until_stopped(sub { $guess->($from) });
    is_deeply [keys %$before], [401], "$host: guesses from one address";
    cmp_ok $before->{401}, '>=', 5, "$host: five at once";
    is json($r)->{code}, 'rate-limited', "$host: then the limit stops them";
    like $r->header('Retry-After'), qr/\A[1-9][0-9]?\z/, "$host: with a time to wait";
    ($before, $r) = until_stopped(sub { call(POST => '/login', {name => 'frank', password => 'frank secret'},
        address => $from, headers => ['X-Forwarded-For' => address()]) });
    cmp_ok $before->{200} // 0, '<=', 2, "$host: right or wrong, and another header changes nothing";
    is $guess->()->code, 401, "$host: another address may";
    ($before, $r) = until_stopped(sub { $guess->() });
    is_deeply [keys %$before], [401], "$host: guesses from everywhere at one name are counted, too";
    is call(POST => '/login', {name => 'ada', password => 'ada secret'})->code, 200, "$host: other names may";
    $from = address();
    ($before, $r) = until_stopped(sub {
        call(POST => '/register', {name => "frank$_[0]", password => 'long enough'}, address => $from) });
    is_deeply $before, {201 => 10}, "$host: ten registrations from one address";
    return;
}

# What came of one request each in N children at the same time.
sub at_once {
    my ($count, $run) = @_;
    my %children;
    for my $i (1 .. $count) {
        my $pid = fork // BAIL_OUT("fork: $!");
        if (!$pid) {
            $addresses += 1000 * $i;
            POSIX::_exit($run->($i)->code - 200);
        }
        $children{$pid} = 1;
    }
    my %codes;
    while (%children) {
        my $pid = wait;
        $codes{ 200 + ($? >> 8) }++ if delete $children{$pid};
    }
    return \%codes;
}

sub test_at_once {
    is_deeply at_once(20, sub { call(POST => '/register', {name => 'same.name', password => "secret no $_[0]"}) }),
        {201 => 1, 409 => 19}, "$host: twenty registrations of one name";
    register('grace');
    my ($token, $kli) = login('grace', remember => \1);
    is_deeply at_once(8, sub { call(POST => '/reload', undef, kli => $kli) }), {200 => 1, 401 => 7},
        "$host: eight reloads with one cookie";
    is_deeply at_once(8, sub { call(POST => '/refresh', undef, token => $token) }), {200 => 1, 401 => 7},
        "$host: eight refreshes of one token";
    is_deeply at_once(8, sub { call(POST => '/login', {name => 'grace', password => 'grace secret', remember => \1}) }),
        {200 => 8}, "$host: eight logins of one account";
    is rows('grace')->{sessions}, 10, "$host: each has its session";
    register('heidi');
    ($token) = login('heidi');
    my $codes = at_once(16, sub {
        return call(POST => '/password', {current => 'heidi secret', password => 'a new secret'}, token => $token)
            if $_[0] == 1;
        sleep 0.015 * $_[0];
        return call(POST => '/login', {name => 'heidi', password => 'heidi secret', remember => \1});
    });
    is delete $codes->{204}, 1, "$host: a new password beside logins with the old one";
    is_deeply [grep { $_ != 200 && $_ != 401 } keys %$codes], [], "$host: which succeed or not";
    is_deeply [@{ rows('heidi') }{qw(sessions kli)}], [1, 0], "$host: but leave nothing open";
    return;
}

for (hosts()) {
    $host = s/\.test/.accounts.localhost/r;
    test_register();
    test_login();
    test_denied();
    test_sessions();
    test_cookie();
    test_password();
    test_keys();
    test_pollution(test_spoofing());
    test_injection();
    test_limits();
    test_at_once();
}
done_testing;
