# MouseTraceSql: which statements carry a request's traceparent, read in MariaDB's own log.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use DBI ();
use IO::Socket::INET ();
use Test::More;
use Time::HiRes qw(sleep time);
use MouseTest qw(request port);

my $ids = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';
my $socket = $ENV{MOUSE_TEST_MYSQL_SOCKET};
my $dbh = $socket && DBI->connect("dbi:MariaDB:mariadb_socket=$socket", 'root', '',
    {RaiseError => 1, PrintError => 0});

END {
    if ($dbh) {
        local $?;
        $dbh->do('SET GLOBAL general_log = OFF');
        $dbh->do(q{SET GLOBAL log_output = 'FILE'});
    }
}

# What the module sent while the sub ran, as [command, text], but for sessions that begin.
sub log_of {
    my ($work) = @_;
    $dbh->do('TRUNCATE mysql.general_log');
    $dbh->do('SET GLOBAL general_log = ON');
    $work->();
    $dbh->do('SET GLOBAL general_log = OFF');
    return grep { $_->[1] !~ /^SET NAMES |^SELECT CONNECTION_ID\(\), / } @{ $dbh->selectall_arrayref(
        q{SELECT command_type, CONVERT(argument USING utf8mb4) FROM mysql.general_log
          WHERE user_host LIKE 'mouse[%' AND command_type IN ('Prepare', 'Execute', 'Query')}) };
}

sub status_of {
    my ($name) = @_;
    return ($dbh->selectrow_array('SHOW GLOBAL STATUS LIKE ?', undef, $name))[1];
}

# Closing a statement has no answer to wait for.
sub settles {
    my ($holds) = @_;
    my $end = time + 5;
    sleep 0.05 until $holds->() || time > $end;
    return $holds->();
}

sub ask {
    my ($host, $trace, $method, $path, $more) = @_;
    my $r = request($host, $method, $path,
        {%{ $more || {} }, headers => [@{ $more->{headers} || [] },
            map { (traceparent => $_) } ref $trace ? @$trace : $trace // ()]});
    my $body = $r->content =~ s/"request_id":"[^"]*"/"request_id":""/r;
    return $r->code . ' ' . $body;
}

# Every request there is, each as often as it likes to be asked.
my @requests = (
    [GET => '/one/3'],
    [GET => '/one/99'],
    [GET => '/many'],
    [GET => '/many?ids=1&ids=2&ids=3&sort=down'],
    [GET => '/page'],
    [POST => '/place', {json => {items => [{n => 1}, {n => 2}]}}],
    [POST => '/place', {json => {items => [{n => 1}, {n => 77}]}}],
    [POST => '/twice'],
);

my $sampled = "00-$ids-01";
for my $host ($dbh ? 'traced-sampled.test' : (), 'traced-lite.test') {
    for my $request (@requests) {
        my ($method, $path, $more) = @$request;
        my $plain = ask($host, undef, @$request);
        is ask($host, $sampled, @$request), $plain, "$host: $method $path answers the same";
    }
    like ask($host, $sampled, @{ $requests[0] }), qr/^200 \{"n":3/, "$host: ... a row";
    like ask($host, $sampled, @{ $requests[-1] }), qr/^409 /, "$host: ... a conflict";
}

if (!$dbh) {
    note 'MariaDB: skipped, MOUSE_TEST_MYSQL_SOCKET is not set';
    done_testing;
    exit;
}
$dbh->do(q{SET GLOBAL log_output = 'TABLE'});

# ---- sampled requests ----

my $comment = " /*traceparent='00-$ids-01'*/";
for my $request (@requests, [POST => '/block'],
    [POST => '/keyed', {json => {n => 1}, headers => ['Idempotency-Key' => "k-$$-" . time]}]) {
    my ($method, $path) = @$request;
    my @log = log_of(sub { ask('traced-sampled.test', $sampled, @$request) });
    my @without = grep { substr($_->[1], -length $comment) ne $comment
            || (() = $_->[1] =~ /traceparent/g) != 1 } @log;
    is_deeply \@without, [], "$method $path: every statement ends with the comment";
    my %count;
    $count{ $_->[0] }++ for @log;
    cmp_ok $count{Execute} || 0, '>=', 2, '... those of the guard, too';
    cmp_ok $count{Prepare}, '<=', $count{Execute}, '... each prepared once';
    is $count{Query} || 0, $path =~ /place|page|keyed|block/ ? 2 : 0,
        '... and those of the transaction' unless $path =~ /twice/;
}
is_deeply [log_of(sub { ask('traced-sampled.test', $sampled, GET => '/one/3') })], [
    [Prepare => "SELECT n AS id FROM traced WHERE n = 7$comment"],
    [Execute => "SELECT n AS id FROM traced WHERE n = 7$comment"],
    [Prepare => "SELECT n, '\x{e9}' AS letter FROM traced WHERE n = ?$comment"],
    [Execute => "SELECT n, '\x{e9}' AS letter FROM traced WHERE n = 3$comment"],
], 'a statement of its own, as the model has it without its comments';
is_deeply [map { $_->[1] } grep { $_->[0] eq 'Query' }
    log_of(sub { ask('traced-sampled.test', $sampled, @{ $requests[5] }) })],
    ["START TRANSACTION$comment", "COMMIT$comment"], 'a transaction';

# ---- what has no comment ----

my @hostile = (
    "00-$ids-01'*/; DROP TABLE traced; /*",
    "00-\U$ids\E-01",
    "00-$ids-01-more",
    "00-$ids-1",
    "ff-$ids-01",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e473'-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba90*/1-01",
    "'*/ 1; --",
    "\xE2\x80\x99*/",
    'x' x 7000,
);
for my $case (['sampled', undef, 'none'], ['sampled', "00-$ids-00", 'one not sampled'],
    ['off', $sampled, 'one where it is off'], ['edge', $sampled, 'one taken away at the edge'],
    ['sampled', [$sampled, $sampled], 'two'],
    ['all', [$sampled, "00-$ids-00"], 'two where all are taken'],
    map { ['all', $_, 'the hostile ' . substr $_, 0, 70] } @hostile) {
    my ($name, $trace, $what) = @$case;
    my @log = log_of(sub {
        like ask("traced-$name.test", $trace, GET => '/one/3'), qr/^200 \{"n":3/, "$what answers";
    });
    ok scalar(@log), '... from the database';
    is_deeply [grep { $_->[1] =~ m{traceparent|/\*|\*/|DROP|4bf92f} } @log], [],
        '... and leaves no trace in SQL';
}
# The same connection, now that it has all statements, prepares none.
like join(',', map { $_->[0] } log_of(sub {
    my $agent = LWP::UserAgent->new(keep_alive => 1);
    for my $trace (undef, $sampled, undef, "00-$ids-00") {
        $agent->get('http://127.0.0.1:' . port() . '/one/3', Host => 'traced-sampled.test',
            $trace ? (traceparent => $trace) : ());
    }
})), qr/^(?:Prepare,)?Execute,(?:Prepare,)?Execute,(?:Prepare,Execute,){2}Execute,Execute,Execute,Execute$/,
    'a sampled request between others leaves their statements prepared';

# ---- all ----

my $unsampled = " /*traceparent='00-$ids-00'*/";
for my $case (["00-$ids-00", $unsampled], [$sampled, $comment], ["00-$ids-ff", $comment],
    ["cc-$ids-00-'*/; DROP TABLE traced; --", $unsampled]) {
    my ($trace, $want) = @$case;
    my @log = log_of(sub { ask('traced-all.test', $trace, GET => '/one/3') });
    is scalar(grep { substr($_->[1], -length $want) eq $want } @log), 4, "$trace: all of it";
    is scalar(@log), 4, '... and nothing else';
}

# ---- what it leaves in the server ----

my $prepared = status_of('Prepared_stmt_count');
for (1 .. 20) {
    ask('traced-sampled.test', $sampled, @$_) for @requests;
}
ok settles(sub { status_of('Prepared_stmt_count') <= $prepared }), 'no statement stays prepared'
    or diag "$prepared before, " . status_of('Prepared_stmt_count') . ' now';

# ---- the list of processes, and a client that leaves ----

sub sleeping {
    return $dbh->selectcol_arrayref(
        q{SELECT info FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP(30)%'});
}

my $client = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => port()) or die "connect: $!";
print $client "GET /slow HTTP/1.1\r\nHost: traced-sampled.test\r\ntraceparent: $sampled\r\n\r\n";
settles(sub { @{ sleeping() } > 0 });
is_deeply sleeping(), ["SELECT SLEEP(30) AS slept$comment"], 'who looks at the processes sees it';
close $client;
ok settles(sub { !@{ sleeping() } }), '... until the client has gone';
ok settles(sub { status_of('Prepared_stmt_count') <= $prepared }), '... and nothing stays prepared';

done_testing;
