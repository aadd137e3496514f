# The guard jwt: signed tokens of all kinds, what attackers make of them, and keys that change
# while the server runs.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Digest::SHA qw(hmac_sha256);
use File::Temp ();
use JSON ();
use MIME::Base64 qw(encode_base64url);
use Time::HiRes qw(sleep time);
use Apache::Test ();
use Test::More;
use MouseTest qw(hosts request json);

my $conf = Apache::Test::config()->{vars}{t_conf};
my $log = Apache::Test::config()->{vars}{t_logs} . '/error_log';
my $keys = "$conf/keys";
my @hosts = map { "jwt-$_" } hosts();
my $host = $hosts[0];
my %good = (sub => 'u1', iss => 'https://id.example', aud => 'shop', exp => time + 300);

sub slurp {
    my ($path) = @_;
    open my $fh, '<:raw', $path or die "$path: $!";
    local $/;
    return scalar <$fh>;
}

sub part {
    my ($value) = @_;
    return encode_base64url(ref $value ? JSON->new->canonical->encode($value) : $value);
}

# The signature of openssl's, of (r, s) in DER for a curve.
sub openssl_sign {
    my ($alg, $key, $input) = @_;
    my $file = File::Temp->new;
    print $file $input;
    close $file;
    my @command = $alg eq 'EdDSA' ? (qw(openssl pkeyutl -sign -rawin -inkey), "$keys/$key.key", '-in')
        : (qw(openssl dgst -sha256), ($alg eq 'PS256'
            ? qw(-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest) : ()),
            '-sign', "$keys/$key.key");
    open my $out, '-|:raw', @command, "$file" or die "openssl: $!";
    my $signature = do { local $/; <$out> };
    close $out or die "openssl: $?";
    return $signature;
}

sub raw_numbers {
    my ($der) = @_;
    my ($r, $s) = unpack 'x2 x1 C/a x1 C/a', $der;
    return join '', map { my $n = s/^\0+//r; "\0" x (32 - length $n) . $n } $r, $s;
}

sub token {
    my ($alg, $key, $claims, %header) = @_;
    my $input = join '.', part({alg => $alg, %header}), part($claims);
    my $signature = $alg =~ /^HS/ ? hmac_sha256($input, $key) : openssl_sign($alg, $key, $input);
    $signature = raw_numbers($signature) if $alg eq 'ES256';
    return $input . '.' . encode_base64url($signature);
}

sub get {
    my ($path, $token, $on) = @_;
    return request($on || $host, GET => $path,
        {headers => [defined $token ? (Authorization => "Bearer $token") : ()]});
}

# What the log says of a refused token.
sub told {
    my ($path, $token) = @_;
    my $from = -s $log;
    my $answer = get($path, $token);
    open my $lines, '<', $log or die "error_log: $!";
    seek $lines, $from, 0;
    my ($why) = map { /denied 401.* (jwt: .*)/ ? $1 : () } <$lines>;
    return $answer->code . ' ' . ($why || '');
}

# Does it hold ten times in a row, at many children, within 20 seconds?
sub settles {
    my ($holds) = @_;
    my ($run, $until) = (0, time + 20);
    while ($run < 10 && time < $until) {
        $run = $holds->() ? $run + 1 : 0;
        sleep 0.1 unless $run;
    }
    return $run == 10;
}

sub replace_keys {
    my ($text) = @_;
    open my $fh, '>', "$keys/live.new" or die "live.new: $!";
    print $fh $text;
    close $fh or die "live.new: $!";
    rename "$keys/live.new", "$keys/live.json" or die "live.json: $!";
}

# One challenge, one body, whatever is wrong.
my $missing = get('/sub');
is $missing->code, 401, 'no token';
is $missing->header('WWW-Authenticate'), 'Bearer realm="user"', 'and how to send one';
my $bad = get('/sub', 'a.b.c');
is $bad->code, 401, 'a bad token';
is $bad->header('WWW-Authenticate'), 'Bearer realm="user", error="invalid_token"',
    'and what is wrong';
my $ec = token(ES256 => 'ec', \%good, kid => 'ec');
my $late = get('/sub', token(ES256 => 'ec', {%good, exp => 1}, kid => 'ec'));
delete $_->{request_id} for my ($one, $other) = (json($bad), json($late));
is_deeply $one, $other, 'an expired one gets the same answer';

for my $on (@hosts) {
    my $claims = {%good, n => 9007199254740993, admin => JSON::true, roles => ['a', {b => 1}]};
    my $answer = get('/me', token(ES256 => 'ec', $claims, kid => 'ec'), $on);
    is $answer->code, 200, "$on: a token";
    is_deeply json($answer),
        {sub => 'u1', exact => 1, admin => 1, roles => ['a', {b => 1}], absent => 1},
        "$on: its claims are context in SQL";
    is $answer->header('Cache-Control'), 'no-store', "$on: not stored";
}

my $public = slurp("$keys/ec.pem");
my ($head, $body, $signature) = split /\./, $ec;
my @refused = (
    ['expired', token(ES256 => 'ec', {%good, exp => time - 61}, kid => 'ec')],
    ['no exp', token(ES256 => 'ec', {%good, exp => undef}, kid => 'ec'), 'malformed claims'],
    ['not yet valid', token(ES256 => 'ec', {%good, nbf => time + 120}, kid => 'ec')],
    ['issued in the future', token(ES256 => 'ec', {%good, iat => time + 120}, kid => 'ec')],
    ['wrong audience', token(ES256 => 'ec', {%good, aud => ['a', 'b']}, kid => 'ec')],
    ['wrong issuer', token(ES256 => 'ec', {%good, iss => 'x'}, kid => 'ec')],
    ['unknown kid', token(ES256 => 'ec', \%good, kid => 'x')],
    ['alg not allowed', token(HS256 => $public, \%good, kid => 'ec')],
    ['alg none', part({alg => 'none', kid => 'ec'}) . ".$body."],
    ['crit', token(ES256 => 'ec', \%good, kid => 'ec', crit => ['b64'], b64 => JSON::false)],
    ['bad signature', "$head.$body."],
    ['bad signature', "$head." . part({%good, sub => 'admin'}) . ".$signature"],
    ['bad base64', "$head.$body.$signature="],
    ['not of three parts', "$ec."],
    ['encrypted', "$ec.a.b"],
    ['unknown kid', token(EdDSA => 'ed', \%good, kid => 'ed',
        jwk => JSON::decode_json(slurp("$keys/public.json"))->{keys}[4])],
);
for (@refused) {
    my ($name, $token, $why) = @$_;
    is told('/sub', $token), '401 jwt: ' . ($why || $name), $name;
}
is get('/sub', $ec)->header('X-Sub'), 'u1', 'the good one still passes';

# A secret, and no token at all.
chomp(my $secret = slurp("$keys/secret"));
my $hmac = token(HS256 => $secret, {sub => 'u2', exp => time + 300});
is get('/secret', $hmac)->header('X-Sub'), 'u2', 'HS256';
is told('/secret', token(HS256 => 'another', {exp => time + 300})), '401 jwt: bad signature',
    'HS256 with another secret';
is told('/secret', $ec), '401 jwt: alg not allowed', 'ES256 where HS256 is asked for';
is get('/guest')->code, 200, 'a guest';
is get('/guest')->header('X-Sub'), undef, 'has no claims';
is get('/guest', $hmac)->header('X-Sub'), 'u2', 'a guest with a token';
is get('/guest', 'a.b.c')->code, 401, 'a guest with a bad token';
is request($host, GET => '/cookie', {headers => [Cookie => "jwt=$ec"]})->header('X-Sub'), 'u1',
    'a token in a cookie';
is get('/cookie', $ec)->code, 401, 'a header where the cookie counts';

# The keys change.
my %tokens = map { $_->[0] => token(@$_, \%good, kid => $_->[1]) }
    ['EdDSA', 'ed'], ['RS256', 'rsa'], ['PS256', 'rsa'];
is told('/sub', $tokens{$_}), '401 jwt: unknown kid', "$_ before its key is there"
    for sort keys %tokens;
replace_keys(slurp("$keys/public.json"));
ok settles(sub { get('/sub', $tokens{EdDSA})->code == 200 }), 'a new key is taken';
for my $alg (sort keys %tokens) {
    ok settles(sub { get('/sub', $tokens{$alg})->code == 200 }), "$alg passes";
}
is get('/sub', $ec)->code, 200, 'ES256 still passes';

my $from = -s $log;
replace_keys('{"keys": [');
ok settles(sub {
    open my $lines, '<', $log or die "error_log: $!";
    seek $lines, $from, 0;
    return scalar grep { /live\.json: this is no JWK Set.*the old keys stay/ } <$lines>;
}), 'a broken file is logged';
# A child that begins now has the keys of the server's start: ES256 is in both.
is get('/sub', $ec)->code, 200, '... and the old keys stay' for 1 .. 10;
ok scalar(grep { get('/sub', $tokens{EdDSA})->code == 200 } 1 .. 10), '... those read last, too';

replace_keys(slurp("$keys/none.json") =~ s/"enc"/"sig"/r);
ok settles(sub { get('/sub', $ec)->code == 401 }), 'a key that is gone is not taken';

# Children come and go with their thread.
open my $file, '<', Apache::Test::config()->{vars}{t_pid_file} or die "pid: $!";
chomp(my $httpd = <$file>);
replace_keys(slurp("$keys/public.json"));
for my $n (1 .. 3) {
    my $begun = () = slurp($log) =~ /resuming normal operations/g;
    kill USR1 => $httpd;
    my $until = time + 10;
    sleep 0.1 while $begun == (() = slurp($log) =~ /resuming normal operations/g) && time < $until;
    ok settles(sub { get('/sub', $ec)->code == 200 }), "graceful restart $n";
}
unlike slurp($log), qr/exit signal|still did not exit/, 'no child died or hung';

done_testing;
