# rate-limit over HTTP: exact counts across children and restarts, its fields, whose address
# counts, what counts.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);
use MouseTest qw(request json port);

sub get {
    my ($host, $path, @headers) = @_;
    return request($host, GET => $path, {headers => [@headers]});
}

# The statuses of some requests, one after the other.
sub statuses {
    my ($host, $path, $count, @headers) = @_;
    return join ' ', map { get($host, $path, @headers)->code } 1 .. $count;
}

# ---- fields ----

{
    my $r = get('limits.test', '/api/ip');
    is $r->code, 200, 'the first passes';
    is $r->header('RateLimit-Policy'), '"by_ip";q=3;w=3600', '... with the policy';
    is $r->header('RateLimit'), '"by_ip";r=2;t=1200', '... and what is left';
    is $r->header('Retry-After'), undef, '... no Retry-After';
    is $r->header('Cache-Control'), undef, 'a limit is no context: no no-store';
    is statuses('limits.test', '/api/ip', 2), '200 200', 'the burst passes';
    $r = get('limits.test', '/api/ip');
    is $r->code, 429, 'one more does not';
    is json($r)->{code}, 'rate-limited', '... by name';
    is $r->header('Content-Type'), 'application/problem+json', '... as a problem';
    is $r->header('RateLimit-Policy'), '"by_ip";q=3;w=3600', '... with the policy';
    like $r->header('RateLimit'), qr/^"by_ip";r=0;t=(3600|35\d\d)$/, '... nothing is left';
    like $r->header('Retry-After'), qr/^(1200|11\d\d)$/, '... and Retry-After';
    is get('limits.test', '/api/ip', 'X-Forwarded-For' => '192.0.2.7')->code, 429,
        'X-Forwarded-For says nothing';
    is request('limits.test', HEAD => '/api/ip')->code, 429, 'HEAD counts as GET does';

    is statuses('limits.test', '/api/busy', 2), '200 503', 'else=503';
    like get('limits.test', '/api/busy')->header('Retry-After'), qr/^\d+$/, '... with Retry-After';
}

# Who waits as long as it was told passes.
{
    is statuses('limits.test', '/api/short', 3), '200 200 429', '2/2s';
    my $wait = get('limits.test', '/api/short')->header('Retry-After');
    is $wait, 1, '... wait a second';
    sleep $wait;
    is get('limits.test', '/api/short')->code, 200, '... then it passes';
}

# ---- counts across children ----

# Sends requests from several processes at once; how many got each status.
sub at_once {
    my ($processes, $count, $path) = @_;
    my @readers = map {
        my $pid = open(my $reader, '-|') // die "fork: $!";
        if ($pid == 0) {
            print statuses('limits.test', $path, $count);
            close STDOUT;
            POSIX::_exit(0);
        }
        $reader;
    } 1 .. $processes;
    my %got;
    for my $reader (@readers) {
        $got{$_}++ for split / /, do { local $/; <$reader> };
        close $reader;
    }
    return \%got;
}

for my $name (qw(ann bob)) {
    is_deeply at_once(10, 20, "/api/names/$name"), {200 => 50, 429 => 150},
        "200 requests of $name from ten sides: exactly 50 pass";
}
is get('limits.test', '/api/names/eve')->header('RateLimit'), '"by_name";r=49;t=72',
    'another name is another count';

# A table of one bucket: seven names have cells, the others share one.
{
    is statuses('limits.test', "/api/narrow/n$_", 1), 200, "name $_ of a full table" for 1 .. 8;
    is statuses('limits.test', '/api/narrow/n9', 1), 429, '... the ninth shares a cell with the eighth';
    is statuses('limits.test', "/api/narrow/n$_", 1), 429, "... name $_ is not forgotten" for 1 .. 7;
    my $log = Apache::Test::config()->{vars}{t_logs} . '/error_log';
    open my $lines, '<', $log or die "error_log: $!";
    ok scalar(grep { /rate-limited 429 .* guard narrow: the key shares a cell/ } <$lines>),
        '... the log says so';
}

# ---- rates out of context ----

is statuses('limits.test', '/api/plans/ann', 3), '200 200 429', 'a rate of the context';
is get('limits.test', '/api/plans/bob')->header('RateLimit-Policy'), '"bought";q=2;w=3600',
    '... is in the policy';
is get('limits.test', '/api/none/ann')->code, 500, '... null is a mistake';

# ---- virtual hosts ----

is statuses('limits-other.test', '/api/ip', 4), '200 200 200 429',
    'the same name of another host counts apart';
is statuses('limits.test', '/api/both/zoe', 2) . ' '
    . statuses('limits-other.test', '/api/both', 3), '200 200 200 200 429',
    'an inherited limit is one for all its hosts';
{
    my $r = get('limits.test', '/api/both/zoe');
    is $r->header('RateLimit-Policy'), '"by_name";q=50;w=3600, "everywhere";q=4;w=3600',
        'two limits are in the fields';
    is $r->code, 429, '... the later one denies';
}

# ---- server-wide ----

{
    my $host = 'limits-all.test';
    my @asked = (
        [GET => '/api/fixed', 200], [GET => '/api/nothing', 404], [POST => '/api/fixed', 405],
        [OPTIONS => '/api/fixed', 204], [GET => '/api/a/b/c', 404], [HEAD => '/api/fixed', 200],
        [GET => '/api/nothing', 429], [GET => '/api/fixed', 429], [OPTIONS => '/api/fixed', 429]);
    my $left = 5;
    for (@asked) {
        my ($method, $path, $status) = @$_;
        my $r = request($host, $method, $path);
        is $r->code, $status, "server-wide: $method $path is $status";
        my $r_left = $left < 0 ? 0 : $left;
        like $r->header('RateLimit'), qr/^"site";r=$r_left;t=\d+$/, '... counted';
        $left--;
    }
    is get($host, '/api/free')->code, 200, 'without=all';
    is get($host, '/api/free')->header('RateLimit'), undef, '... has no field';
}

# ---- addresses ----

{
    my $host = 'limits-proxied.test';
    my $of = sub { return statuses($host, '/api/ip', $_[1], 'X-Forwarded-For' => $_[0]) };
    is $of->('192.0.2.1', 3), '200 200 429', 'mod_remoteip: the address it gives counts';
    is $of->('192.0.2.2', 3), '200 200 429', '... another is another';
    is $of->('192.0.2.1, 192.0.2.3', 3), '200 200 429', '... and the last hop is who it is';
    is $of->('2001:db8:0:7::1', 1), '200', 'IPv6';
    is $of->('2001:db8:0:7:ffff::2', 2), '200 429', '... counts by its /64';
    is $of->('2001:db8:0:8::1', 1), '200', '... another network is another';
}

# ---- restarts ----

{
    my $log = Apache::Test::config()->{vars}{t_logs} . '/error_log';
    my $starts = sub {
        open my $lines, '<', $log or die "error_log: $!";
        return scalar grep { /resuming normal operations/ } <$lines>;
    };
    open my $file, '<', Apache::Test::config()->{vars}{t_pid_file} or die "pid: $!";
    chomp(my $httpd = <$file>);
    is statuses('limits.test', '/api/names/kim', 20), join(' ', (200) x 20), 'kim begins';
    for my $n (1 .. 2) {
        my ($begun, $until) = ($starts->(), time + 10);
        kill USR1 => $httpd;
        sleep 0.05 while $starts->() == $begun && time < $until;
        cmp_ok $starts->(), '>', $begun, 'a graceful restart';
        is get('limits.test', '/api/names/ann')->code, 429, '... forgets nobody';
        is get('limits.test', '/api/ip')->code, 429, '... of no guard';
    }
    is_deeply at_once(10, 10, '/api/names/kim'), {200 => 30, 429 => 70},
        '... and what was left is left, for all children';
}
done_testing;
