# What is counted, by all processes together: routes, guards, errors, pools; as metrics, as
# JSON, as a page.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use IPC::Open3 qw(open3);
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);
use MouseTest qw(hosts request json);

my $prefork = Apache::Test::config()->httpd_mpm eq 'prefork';
my $host = 'metrics.test';

sub metrics {
    my $r = request($host, GET => '/metrics');
    die $r->status_line unless $r->is_success;
    return $r->content;
}

# The text format of Prometheus, read strictly: {'name{a="b",c="d"}' => value}, its labels in
# alphabetical order; every sample below the TYPE of its family, no series twice.
sub samples {
    my ($text) = @_;
    my (%type, %value, $family, @wrong);
    push @wrong, 'no line feed at the end' unless $text =~ /\n\z/;
    for my $line (split /\n/, $text) {
        if ($line =~ /^# HELP ([a-z_]+) (\S.*)$/) {
            push @wrong, "$1 twice" if $type{$1};
            $family = $1;
        } elsif ($line =~ /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/) {
            push @wrong, "TYPE of $1 not behind its HELP" if $family ne $1;
            $type{$1} = $2;
        } elsif ($line =~ /^([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\]|\\[\\"n])*"(?:,(?!\})|(?=\})))+)\})? (\d+(?:\.\d+)?)$/) {
            my ($name, $labels, $value) = ($1, $2 // '', $3);
            my $base = $type{$family} eq 'histogram' ? $name =~ s/_(?:bucket|sum|count)$//r : $name;
            push @wrong, "$name below $family" if $base ne $family;
            my %labels = $labels =~ /([a-z]+)="((?:[^"\\]|\\.)*)"/g;
            my $series = $name . '{' . join(',', map { qq{$_="$labels{$_}"} } sort keys %labels) . '}';
            push @wrong, "$series twice" if exists $value{$series};
            $value{$series} = $value;
        } else {
            push @wrong, $line;
        }
    }
    return (\%value, \%type, @wrong);
}

sub requests_of {
    my ($values, $route, $status, $method) = @_;
    return $values->{sprintf 'mouse_requests_total{method="%s",route="%s",server="%s",status="%s"}',
        $method || 'GET', $route, $host, $status};
}

sub guard_of {
    my ($values, $guard) = @_;
    return {map {
        ($_ => $values->{qq{mouse_guard_decisions_total{decision="$_",guard="$guard",server="$host"}}})
    } qw(passed denied failed)};
}

# Requests from several clients side by side, so that several processes answer.
sub many {
    my ($clients, $each, $do) = @_;
    my @clients = map {
        my $pid = fork() // die "fork: $!";
        if (!$pid) {
            $do->($_) for 1 .. $each;
            POSIX::_exit(0);
        }
        $pid;
    } 1 .. $clients;
    waitpid $_, 0 for @clients;
}

# A request is counted when its handler ends, a moment after its answer.
sub settled {
    my ($is) = @_;
    my ($end, $values) = time + 5;
    do {
        ($values) = samples(metrics());
        sleep 0.02;
    } until $is->($values) || time > $end;
    return $values;
}

my $r = request($host, GET => '/metrics');
is $r->code, 200, 'metrics';
is $r->header('Content-Type'), 'text/plain; version=0.0.4; charset=utf-8', '... in their format';
is $r->header('Cache-Control'), 'no-store', '... never from a cache';
is request($host, GET => '/far')->code, 403, 'Require guards them';
is request($host, POST => '/metrics', {body => 'x'})->code, 405, 'they are only read';

my ($first, $types, @wrong) = samples($r->content);
is_deeply \@wrong, [], 'every line is as it must be';
is $types->{mouse_requests_total}, 'counter', 'a counter is one';
is $types->{mouse_request_duration_seconds}, 'histogram', 'durations are a histogram';
ok $r->content =~ /^mouse_build_info\{version="[0-9.]+",httpd="2[0-9.]+"\} 1$/m, 'versions';
ok !grep({ /uncounted/ } keys %$first), 'MouseMetrics off: nothing is counted';

SKIP: {
    my $promtool = (grep { -x } "$ENV{MOUSE_TEST_DIR}/promtool",
        map { "$_/promtool" } split /:/, $ENV{PATH})[0];
    skip 'needs promtool (of the package prometheus)', 2 unless $promtool;
    my $pid = open3(my $in, my $out, undef, $promtool, 'check', 'metrics');
    print $in $r->content;
    close $in;
    my $said = do { local $/; <$out> };
    waitpid $pid, 0;
    is $?, 0, 'promtool takes them';
    is $said // '', '', '... without a word';
}

# ---- requests ----

many(6, 50, sub { request($host, GET => '/api/one') });
many(4, 10, sub { request($host, GET => '/api/rows/' . shift) });
request($host, HEAD => '/api/one') for 1 .. 3;
request($host, GET => '/api/none') for 1 .. 7;
request($host, GET => '/api/nobody') for 1 .. 5;
request($host, GET => '/api/closed') for 1 .. 4;
request($host, GET => '/api/lost') for 1 .. 2;
request($host, POST => '/api/again', {json => {}}) for 1 .. 6;
request($host, GET => "/api/%3C&%5C%22'%C3%A9");
request($host, GET => '/api/nothing') for 1 .. 3;
request($host, GET => '/spent/nothing') for 1 .. 2;
request($host, DELETE => '/api/one');

my $values = settled(sub { (requests_of($_[0], 'none', '4xx', 'any') // 0) >= 6 });
is requests_of($values, '/api/one', '2xx'), 303, 'every request is counted, by whatever process';
is requests_of($values, '/api/rows/{n:int}', '2xx'), 40, '... a route once, whatever its values';
is requests_of($values, '/api/none', '4xx'), 7, '... by the class of its status';
is requests_of($values, '/api/none', '2xx'), 0, '... and in no other';
is requests_of($values, '/api/closed', '5xx'), 4, '... denials, too';
is requests_of($values, '/api/again', '4xx', 'POST'), 6, '... by its method';
is requests_of($values, q{/api/<&\\\\\\"'} . "\xc3\xa9", '2xx'), 1, '... under its name, escaped';
is requests_of($values, 'none', '4xx', 'any'), 6, '... and those of no route together';

my $labels = qq{method="GET",route="/api/one",server="$host"};
my $count = $values->{"mouse_request_duration_seconds_count{$labels}"};
is $count, 303, 'a histogram has as many';
my @buckets = map {
    my $le = $_;
    $values->{qq{mouse_request_duration_seconds_bucket{le="$le",$labels}}}
} qw(0.0001 0.0002 0.0005 0.001 0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.5 1.0 2.0 5.0 10.0 +Inf);
is scalar(grep { defined } @buckets), 17, '... in seventeen steps';
is_deeply [sort { $a <=> $b } @buckets], \@buckets, '... that grow';
is $buckets[-1], 303, '... to all of them';
my $sum = $values->{"mouse_request_duration_seconds_sum{$labels}"};
cmp_ok $sum, '>', 0, '... and took some time';
cmp_ok $sum, '<', 303 * 10, '... but not more than there was';

# ---- guards, problems, databases ----

my $all = 303 + 40 + 7 + 5 + 4 + 2 + 6 + 1;
is_deeply guard_of($values, 'someone'), {passed => $all, denied => 0, failed => 0},
    'a guard that lets all pass';
is_deeply guard_of($values, 'nobody'), {passed => 0, denied => 5, failed => 0},
    'one that denies all';
is_deeply guard_of($values, 'closed'), {passed => 0, denied => 4, failed => 0},
    'one behind it sees nobody; its 503 is a denial';
is_deeply guard_of($values, 'lost'), {passed => 0, denied => 0, failed => 2},
    'one whose database is not there fails';

my %delta = map {
    my $series = qq{mouse_errors_total{code="$_"}};
    ($_ => $values->{$series} - $first->{$series})
} qw(no-row denied database-unavailable unique no-route method-not-allowed);
is_deeply \%delta, {'no-row' => 7, denied => 9, 'database-unavailable' => 2, unique => 6,
    'no-route' => 5, 'method-not-allowed' => 1}, 'problems are counted by their codes';
is $values->{qq{mouse_database_errors_total{class="unique",database="main",server="$host"}}}, 6,
    'what a database refuses is counted by its class';
cmp_ok $values->{qq{mouse_database_errors_total{class="open",database="hole",server="$host"}}},
    '>', 0, '... and when it cannot be opened';

sub pool {
    my ($values, $server, $database, $what) = @_;
    return $values->{"mouse_pool_$what" . qq({database="$database",server="$server"})};
}
cmp_ok pool($values, $host, 'main', 'connections_created_total'), '>', 0, 'a pool opens connections';
$values = settled(sub { pool($_[0], $host, 'main', 'connections_in_use') == 0 });
is pool($values, $host, 'main', 'connections_in_use'), 0, '... none of which is in use afterwards';
is pool($values, $host, 'main', 'connections_idle'),
    pool($values, $host, 'main', 'connections_created_total')
    - pool($values, $host, 'main', 'connections_discarded_total'), '... what was not closed is idle';

SKIP: {
    skip 'needs MariaDB', 4 unless grep { $_ eq 'maria.test' } hosts();
    my @sleepers = map {
        my $pid = fork() // die "fork: $!";
        if (!$pid) {
            request('pooled.test', GET => '/sleep');
            POSIX::_exit(0);
        }
        $pid;
    } 1 .. 3;
    my $busy = settled(sub { pool($_[0], 'pooled.test', 'main', 'connections_in_use') >= 2 });
    cmp_ok pool($busy, 'pooled.test', 'main', 'connections_in_use'), '>=', 2,
        'connections that sleep are in use';
    waitpid $_, 0 for @sleepers;
    my $after = settled(sub { pool($_[0], 'pooled.test', 'main', 'connections_in_use') == 0 });
    is pool($after, 'pooled.test', 'main', 'connections_in_use'), 0, '... and then no more';
    is pool($after, 'pooled.test', 'main', 'requests_waiting'), 0, '... nobody waits';
    cmp_ok pool($after, 'pooled.test', 'main', 'connections_idle'), '>=', 1, '... they are idle';
}

# ---- the same as JSON and as a page ----

$r = request($host, GET => '/status?json');
is $r->code, 200, 'the status as JSON';
is $r->header('Content-Type'), 'application/json', '... which it is';
my $status = json($r);
my ($one) = grep { $_->{server} eq $host && $_->{route} eq '/api/one' } @{ $status->{routes} };
is $one->{requests}, 303, '... has the same numbers';
my $sum_of_buckets = 0;
$sum_of_buckets += $_->[1] for @{ $one->{buckets} };
is $sum_of_buckets, 303, '... and all buckets';
cmp_ok $one->{p50_us}, '<=', $one->{p95_us}, '... p50 below p95';
cmp_ok $one->{p95_us}, '<=', $one->{p99_us}, '... p95 below p99';
my ($nobody) = grep { $_->{server} eq $host && $_->{guard} eq 'nobody' } @{ $status->{guards} };
is $nobody->{denied}, 5, '... guards';
cmp_ok scalar @{ $status->{processes} }, '>=', 1, '... processes';
ok !(grep { !kill(0, $_->{pid}) && $!{ESRCH} } @{ $status->{processes} }), '... that live';
is $status->{mpm}, $prefork ? 'prefork' : 'event', '... the MPM';
ok scalar(grep { /no guard of the kind rate-limit/ } @{ $status->{warnings} }),
    '... warnings of the configuration';

$r = request($host, GET => '/status');
is $r->code, 200, 'the status page';
is $r->header('Content-Type'), 'text/html; charset=utf-8', '... is HTML';
like $r->header('Content-Security-Policy'), qr/^default-src 'none';.* script-src 'nonce-([0-9a-f]{32})'$/,
    '... that runs only its own script';
my ($nonce) = $r->header('Content-Security-Policy') =~ /'nonce-(\w+)'/;
is scalar(() = $r->content =~ /<script nonce="$nonce">/g), 1, '... which it has once';
ok $r->content !~ /\{(?:body|nonce)\}/, '... nothing of the frame is left';
ok $r->content !~ /(?:src|href)="(?!\?)/, '... and needs no other file';
ok $r->content =~ m{<code>/api/&lt;&amp;\\&quot;&#39;\xc3\xa9</code>}, '... names are escaped';
ok $r->content !~ m{<code>/api/<&}, '... all of them';
ok $r->content =~ m{<noscript><meta http-equiv="refresh"}, '... it reloads itself without a script';
is request($host, GET => '/status')->header('Content-Security-Policy') eq $r->header('Content-Security-Policy'),
    '', '... with another nonce each time';
is request($host, HEAD => '/status')->content, '', 'HEAD has no body';

done_testing;
