# live and ready: what a load balancer asks.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);
use MouseTest qw(hosts request json);

my $prefork = Apache::Test::config()->httpd_mpm eq 'prefork';

for my $host (qw(ready.test unready.test)) {
    my $r = request($host, GET => '/live');
    is $r->code, 200, "$host lives";
    is $r->content, '{"status":"live"}', '... and says so';
    is $r->header('Content-Type'), 'application/json', '... in JSON';
    is $r->header('Cache-Control'), 'no-store', '... never from a cache';
}

my $r = request('ready.test', GET => '/ready');
is $r->code, 200, 'it is ready';
is_deeply json($r), {status => 'ready', databases => {main => 'up'}}, '... and says of what';
is $r->header('Cache-Control'), 'no-store', '... never from a cache';
is $r->header('X-Probe'), 'yes', '... with the headers of its route';
is request('ready.test', GET => '/closed')->code, 403, 'guards stand before it as elsewhere';
is request('ready.test', HEAD => '/ready')->code, 200, 'HEAD asks, too';

my $start = time;
$r = request('unready.test', GET => '/ready');
cmp_ok time - $start, '<', 5, 'a database that is not there is not waited for';
is $r->code, 503, '... and the host is not ready';
is $r->header('Content-Type'), 'application/problem+json', '... which is a problem';
is $r->header('Cache-Control'), 'no-store', '... never from a cache';
is $r->header('Retry-After'), 1, '... for a while';
is json($r)->{code}, 'not-ready', '... by its code';
is json($r)->{status}, 503, '... and status';
is_deeply json($r)->{databases}, {main => 'up', hole => 'down'}, '... and tells which';

SKIP: {
    skip 'needs MariaDB', 3 unless grep { $_ eq 'maria.test' } hosts();
    my $before = request('busy.test', GET => '/ready');
    is $before->code, 200, 'a pool with nobody in it is ready';
    skip 'a process of prefork has one request at a time', 2 if $prefork;
    my @sleepers = map {
        my $pid = fork() // die "fork: $!";
        if (!$pid) {
            request('busy.test', GET => '/sleep');
            POSIX::_exit(0);
        }
        $pid;
    } 1 .. 12;
    my ($busy, $end) = (undef, time + 10);
    until ($busy || time > $end) {
        my $answer = request('busy.test', GET => '/ready');
        $busy = $answer if $answer->code == 503;
        sleep 0.05;
    }
    ok $busy, 'a pool without a free connection is not';
    is_deeply json($busy)->{databases}, {main => 'busy'}, '... since it is busy, not down';
    waitpid $_, 0 for @sleepers;
}

done_testing;
