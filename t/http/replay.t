# Replays: one of many passes, across children, graceful restarts and full ones.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use Digest::SHA qw(hmac_sha256_hex);
use File::Temp qw(tempdir);
use HTTP::Tiny ();
use IO::Socket::INET ();
use Test::More;
use Time::HiRes qw(sleep time);
use MouseTest qw(request json port);

my $host = 'replay.test';
my $vars = Apache::Test::config()->{vars};

sub signed {
    my ($body, $t) = @_;
    $t = int time unless defined $t;
    return (body => $body,
        headers => ['Stripe-Signature' => "t=$t,v1=" . hmac_sha256_hex("$t.$body", 'whsec_new')]);
}

sub hook {
    my ($path, %message) = @_;
    return request($host, POST => "/api/$path", \%message);
}

sub nonce {
    my ($path, @headers) = @_;
    return request($host, GET => "/api/$path", {headers => [@headers]});
}

sub until_true {
    my ($seconds, $check) = @_;
    for (my $end = time + $seconds; time < $end; sleep 0.05) {
        return 1 if $check->();
    }
    return;
}

# A message is of the second in which the server began, or older: wait for the next.
sleep 1.1 - (time - int time);

my %first = signed('{"id":1}');
is hook(hook => %first)->code, 200, 'a signed message';
my $again = hook(hook => %first);
is $again->code, 403, '... sent again';
is json($again)->{code}, 'replayed', '... is replayed';
is $again->header('WWW-Authenticate'), undef, '... which no authentication mends';
is hook(again => %first)->code, 403, '... to another route of the same guard';
is hook(hook => signed('{"id":2}'))->code, 200, 'another message';

# The same signature in other clothes.
my ($t, $sig) = $first{headers}[1] =~ /t=(\d+),v1=(.*)/;
for my $header ("v1=$sig,t=$t", "t=$t,v1=\U$sig\E", "t=$t, v1=$sig", "t=$t,v1=00,v1=$sig,v0=x") {
    is hook(hook => body => $first{body}, headers => ['Stripe-Signature' => $header])->code, 403,
        "... as $header" =~ s/[0-9a-fA-F]{60,}/SIG/r;
}

# A message signed with two keys, then each of them alone, is one message.
my $two = '{"two":"keys"}';
my @two = map { 'v1=' . hmac_sha256_hex("$t.$two", $_) } qw(whsec_old whsec_new);
is hook(hook => body => $two, headers => ['Stripe-Signature' => "t=$t,$two[0],$two[1]"])->code, 200,
    'signed with two keys';
is hook(hook => body => $two, headers => ['Stripe-Signature' => "t=$t,$_"])->code, 403,
    '... and one of them taken away' for @two;

# Nobody else can use a nonce up.
my %third = signed('{"id":3}');
is hook(hook => %third, body => '{"id":4}')->code, 401, 'a forged message';
is hook(hook => %third)->code, 200, '... uses nothing up';

# Many at once, to all children.
my $round = 0;
my $at_once = sub {
    my ($count, $send) = @_;
    my $start = time + 0.3;
    my @from = map {
        my $pid = open(my $from, '-|') // die "fork: $!";
        if (!$pid) {
            sleep $start - time if $start > time;
            print $send->()->code, "\n";
            close STDOUT;
            kill KILL => $$;
        }
        $from;
    } 1 .. $count;
    my %codes;
    for my $from (@from) {
        chomp(my $code = <$from> // 'none');
        $codes{$code}++;
        close $from;
    }
    return \%codes;
};
for (1 .. 5) {
    my %message = signed('{"round":' . ++$round . '}');
    is_deeply $at_once->(16, sub { hook(hook => %message) }), {200 => 1, 403 => 15},
        "one of 16 passes ($round)";
}

# Without timestamps; in milliseconds.
is nonce(plain => 'X-Nonce' => 'a')->code, 200, 'a nonce';
is nonce(plain => 'X-Nonce' => 'a')->code, 409, '... twice, with else=';
is nonce('plain')->code, 409, 'no nonce';
my $milli = sub { nonce(milli => 'X-Nonce' => $_[0], 'X-Time' => int(1000 * (time + $_[1]))) };
is $milli->(a => 0)->code, 200, 'milliseconds';
is $milli->(a => 0)->code, 403, '... with a nonce twice';
is $milli->(b => 9)->code, 200, '... a little ahead';
is $milli->(c => $_)->code, 403, "... $_ s off" for -12, 12;
is nonce(milli => 'X-Nonce' => 'd')->code, 403, '... without a time';

# Full: 64 places.
my @codes = map { nonce(tiny => 'X-Nonce' => $_)->code } 1 .. 64;
is_deeply [grep { $_ != 200 } @codes], [], '64 nonces where 64 have room';
my $full = nonce(tiny => 'X-Nonce' => 'one more');
is $full->code, 503, 'one more is refused';
is json($full)->{code}, 'nonces-full', '... as such';
ok $full->header('Retry-After'), '... for now';
is nonce(tiny => 'X-Nonce' => 7)->code, 403, 'those known are still known';

# A graceful restart keeps the memory.
my $starts = sub {
    open my $lines, '<', "$vars->{t_logs}/error_log" or die "error_log: $!";
    return scalar grep { /resuming normal operations/ } <$lines>;
};
my $begun = $starts->();
open my $file, '<', $vars->{t_pid_file} or die "pid: $!";
chomp(my $httpd = <$file>);
kill USR1 => $httpd;
ok until_true(10, sub { $starts->() > $begun }), 'a graceful restart';
is hook(hook => %first)->code, 403, '... does not let a message pass again';
is nonce(plain => 'X-Nonce' => 'a')->code, 409, '... nor a nonce';
is nonce(tiny => 'X-Nonce' => 'one more')->code, 503, '... and what is full is full';
is hook(hook => signed('{"id":5}'))->code, 200, '... and new messages pass';

# A full one has no memory: what is older than it does not pass.
my $dir = tempdir(CLEANUP => 1);
my $own = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1')->sockport;
my $write = sub {
    my ($window) = @_;
    open my $modules, '<', "$vars->{t_conf}/modules.conf" or die "modules.conf: $!";
    my $load = join '', grep { /LoadModule (mouse|mpm_\w+|authz_core)_module/ } <$modules>;
    open my $conf, '>', "$dir/httpd.conf" or die "httpd.conf: $!";
    print $conf <<"END";
ServerRoot "$dir"
ServerName 127.0.0.1
Listen 127.0.0.1:$own
PidFile "$dir/pid"
ErrorLog "$dir/error_log"
DefaultRuntimeDir "$dir"
$load
MouseGuard once replay window=$window nonce={header.x_nonce} timestamp={header.x_time} unit=ms
MouseRoute GET /once json '{"ok":true}' use=once
END
    close $conf;
};
$write->('4m');
my $run = sub {
    my ($what, $there) = @_;
    system($vars->{httpd}, '-f', "$dir/httpd.conf", '-k', $what) == 0 or die "httpd -k $what\n";
    until_true(10, sub { !(-f "$dir/pid") == !$there }) or die "httpd -k $what has no effect\n";
};
END {
    my $status = $?;
    system $vars->{httpd}, '-f', "$dir/httpd.conf", '-k', 'stop' if $dir && -f "$dir/pid";
    $? = $status;
}
my $agent = HTTP::Tiny->new(keep_alive => 0);
my $ask = sub {
    my ($nonce, $time) = @_;
    my $r = {status => 599};
    until_true(10, sub {
        $r = $agent->get("http://127.0.0.1:$own/once",
            {headers => {'X-Nonce' => $nonce, 'X-Time' => $time}});
        return $r->{status} != 599;
    });
    return $r->{status};
};
$run->(start => 1);
my $old = int(1000 * time) + 1;
is $ask->(n => $old), 200, 'another server';
is $ask->(n => $old), 403, '... knows what it has seen';
$run->(stop => 0);
$run->(start => 1);
is $ask->(n => $old), 403, '... and after a full restart refuses what is older';
is $ask->(n => int(1000 * time) + 1), 200, '... but not what is new';

# Nonces were remembered for the window of then: a wider one knows nothing of before it.
my $unseen = int(1000 * time);
my $resumed = sub {
    open my $lines, '<', "$dir/error_log" or die "error_log: $!";
    return scalar grep { /resuming normal operations/ } <$lines>;
};
for my $window ('4m', '5m') {
    sleep 0.01;
    my $before = $resumed->();
    $write->($window);
    $run->(graceful => 1);
    ok until_true(10, sub { $resumed->() > $before }), "a graceful restart with window=$window";
    until_true(10, sub { $ask->("new $window" . time => int(1000 * time) + 1) == 200 });
    is $ask->("old $window" => $unseen), $window eq '4m' ? 200 : 403,
        $window eq '4m' ? '... keeps the memory' : '... begins a new one';
}
$run->(stop => 0);
done_testing;
