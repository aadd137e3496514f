# Idempotency-Key: one write and one answer for each key, whatever happens in between.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use DBI ();
use IO::Handle ();
use IO::Select ();
use IO::Socket::INET ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);
use MouseTest qw(request json);

my $vars = Apache::Test::config()->{vars};
my $mysql = $ENV{MOUSE_TEST_MYSQL_SOCKET};
my @hosts = ('keys-lite.test', $mysql ? 'keys-maria.test' : ());

sub slurp {
    my ($path) = @_;
    open my $fh, '<', $path or die "$path: $!";
    local $/;
    return scalar <$fh>;
}

sub database {
    my ($host) = @_;
    return $host =~ /lite/
        ? DBI->connect("dbi:SQLite:dbname=$vars->{serverroot}/test.sqlite", '', '',
            {RaiseError => 1, PrintError => 0, sqlite_busy_timeout => 5000,
             sqlite_use_immediate_transaction => 1})
        : DBI->connect("dbi:MariaDB:database=mouse_http;mariadb_socket=$mysql", 'root', '',
            {RaiseError => 1, PrintError => 0});
}

# A POST with a key (undef: without one) by a user.
sub post {
    my ($host, $path, $key, $body, $user) = @_;
    return request($host, POST => $path, {json => $body,
        headers => [(defined $key ? ('Idempotency-Key' => $key) : ()),
            ('X-User' => $user // 'ann')]});
}

sub rows {
    my ($host, $title) = @_;
    my $dbh = database($host);
    my ($count) = $dbh->selectrow_array('SELECT COUNT(*) FROM keyed WHERE title = ?', {}, $title);
    $dbh->disconnect;
    return $count;
}

sub until_true {
    my ($seconds, $test) = @_;
    my $end = time + $seconds;
    while (time < $end) {
        return 1 if $test->();
        sleep 0.02;
    }
    return 0;
}

# Runs a sub in a child each; what they return, line by line, in their order.
sub in_parallel {
    my ($count, $work) = @_;
    my @readers = map {
        my $n = $_;
        my $pid = open(my $reader, '-|') // die "fork: $!";
        if ($pid == 0) {
            print $work->($n);
            close STDOUT;
            POSIX::_exit(0);
        }
        $reader;
    } 1 .. $count;
    return map { my $reader = $_; local $/; scalar <$reader> } @readers;
}

# In words: "201 7 true".
sub brief {
    my ($r) = @_;
    my $json = $r->content =~ /^\{/ ? json($r) : {};
    return join ' ', $r->code, $json->{id} // $json->{code} // '-',
        $r->header('Idempotency-Replayed') // '-';
}

sub children {
    my ($parent) = slurp("$vars->{t_logs}/httpd.pid") =~ /(\d+)/;
    return grep { $_ } map {
        my $stat = eval { slurp($_) } // '';
        $stat =~ /^(\d+) \(.*\) \S (\d+) / && $2 == $parent ? $1 : ();
    } glob '/proc/[0-9]*/stat';
}

# Repeats a request until it has an answer of the application.
sub persist {
    my @post = @_;
    my $r;
    until_true(20, sub {
        $r = post(@post);
        return $r->code < 500 && ($r->header('Content-Type') // '') =~ /json/;
    });
    return $r;
}

my $run = time . ".$$";
my $count = 0;

sub fresh {
    return 'k' . ++$count . "-$run";
}

for my $host (@hosts) {
    my $slow = $host =~ /lite/ ? 2_000_000 : 0.8;

    # ---- the same again ----
    my $key = fresh();
    my $first = post($host, '/orders', qq("$key"), {title => $key});
    is $first->code, 201, "$host: a first request";
    is $first->header('Idempotency-Replayed'), undef, '... is no replay';
    my $again = post($host, '/orders', qq("$key"), {title => $key});
    is $again->code, 201, 'the same again';
    is $again->header('Idempotency-Replayed'), 'true', '... says that it is a replay';
    is $again->content, $first->content, '... with the same bytes';
    is $again->header($_), $first->header($_), "... the same $_"
        for qw(Content-Type Content-Length Location Set-Cookie);
    is rows($host, $key), 1, '... and one row';
    is post($host, '/orders', $key, {title => $key})->content, $first->content,
        'a key without quotes is the same key';

    my $other = post($host, '/orders', $key, {title => 'other'});
    is $other->code, 422, 'another body';
    is json($other)->{code}, 'idempotency-reused', '... is refused';
    is $other->header('Content-Type'), 'application/problem+json', '... as a problem';
    is post($host, "/orders?x=1", $key, {title => $key})->code, 422, 'another query, too';
    is rows($host, 'other'), 0, '... and writes nothing';

    my $plain = fresh();
    post($host, '/orders', undef, {title => $plain}) for 1 .. 2;
    is rows($host, $plain), 2, 'without a key each request writes';

    my $bad = post($host, '/orders', '"a', {title => 'bad'});
    is $bad->code, 400, 'a bad key';
    is json($bad)->{code}, 'idempotency-key', '... is called so';
    is request($host, POST => '/orders', {json => {title => 'bad'},
        headers => ['Idempotency-Key' => 'a', 'Idempotency-Key' => 'a', 'X-User' => 'ann']})->code,
        400, 'two keys';
    is request($host, POST => '/orders', {json => {title => 'bad'},
        headers => ['Idempotency-Key' => 'a']})->code, 400, 'a key without a scope';
    is rows($host, 'bad'), 0, '... write nothing';

    # ---- apart ----
    $key = fresh();
    my @ids = map { json(post($host, '/orders', $key, {title => $key}, $_))->{id} } qw(ann bob);
    isnt $ids[0], $ids[1], 'two users have the same key';
    is rows($host, $key), 2, '... and a row each';
    is json(post($host, '/orders', $key, {title => $key}, 'bob'))->{id}, $ids[1],
        '... and an answer each';
    is post($host, '/exec', $key, {title => $key})->code, 204, 'another route is apart, too';
    my $empty = post($host, '/exec', $key, {title => $key});
    is brief($empty), '204 - true', 'an answer without a body is repeated';
    is $empty->header('Content-Type'), undef, '... without a type';
    is rows($host, $key), 3, '... and one statement alone is written once';

    # ---- time ----
    $key = fresh();
    post($host, '/brief', $key, {title => $key}) for 1 .. 2;
    is rows($host, $key), 1, 'a key holds';
    sleep 2.1;
    is brief(post($host, '/brief', $key, {title => $key})) =~ /true/, '', 'an old one does not';
    is rows($host, $key), 2, '... and is used anew';
    post($host, '/brief', $key, {title => $key});
    is rows($host, $key), 2, '... and holds again';

    post($host, '/brief', fresh(), {title => 'old'}) for 1 .. 60;
    sleep 2.1;
    post($host, '/orders', fresh(), {title => 'sweeper'}) for 1 .. 5;
    my $dbh = database($host);
    my ($old) = $dbh->selectrow_array('SELECT COUNT(*) FROM mouse_idempotency WHERE expires < ?',
        {}, int(time * 1000));
    cmp_ok $old, '<=', 20, 'old keys are deleted';
    $dbh->disconnect;

    # ---- refused ----
    $key = fresh();
    is brief(post($host, '/refused', $key, {title => $key})), '409 expect -', 'a refused write';
    is brief(post($host, '/refused', $key, {title => $key})), '409 expect -', '... is tried again';
    is post($host, '/refused', $key, {title => 'changed'})->code, 409, '... and stands for nothing';
    is brief(post($host, '/orders', $key, {title => 7})), '422 parameters -',
        'bad parameters come first';
    is rows($host, $key), 0, '... no row';

    # ---- twins ----
    $key = fresh();
    my @answers = in_parallel(20, sub {
        return brief(post($host, '/orders', $key, {title => $key, slow => $slow}));
    });
    is rows($host, $key), 1, '20 twins write one row';
    is scalar(grep { /^201 \d+ -$/ } @answers), 1, '... one of them writes it'
        or diag explain \@answers;
    is scalar(grep { /^201 \d+ true$/ } @answers), 19, '... the others wait for its answer'
        or diag explain \@answers;
    my %ids = map { (split / /)[1] => 1 } @answers;
    is scalar(keys %ids), 1, '... which is the same';

    $key = fresh();
    is_deeply [in_parallel(20, sub { brief(post($host, '/refused', $key, {title => $key})) })],
        [('409 expect -') x 20], 'when the first is refused, each twin is tried';
    is rows($host, $key), 0, '... and refused';

    $key = fresh();
    my $brief_host = $host =~ s/keys/brief/r;
    post($brief_host, '/orders', $key, {title => $key});
    $dbh = database($host);
    $dbh->begin_work;
    $dbh->do('DELETE FROM mouse_idempotency');
    my $begun = time;
    my $busy = post($brief_host, '/orders', $key, {title => $key});
    cmp_ok time - $begun, '<', 4, 'who cannot have an answer in time';
    is brief($busy), '409 idempotency-in-flight -', '... is told so';
    is $busy->header('Retry-After'), 1, '... and when to come again';
    $dbh->rollback;
    $dbh->disconnect;
    like brief(post($brief_host, '/orders', $key, {title => $key})), qr/^201 \d+ true$/,
        '... and has it then';
    is rows($host, $key), 1, '... one row';

    # ---- kill -9 between two statements, and anywhere ----
    $key = fresh();
    my $pid = fork() // die "fork: $!";
    if ($pid == 0) {
        post($host, '/orders', $key, {title => $key, slow => $host =~ /lite/ ? 20_000_000 : 5});
        POSIX::_exit(0);
    }
    my $between = until_true(5, sub {
        my $dbh = database($host);
        if ($host =~ /maria/) {
            return $dbh->selectrow_array(q{SELECT COUNT(*) FROM information_schema.processlist
                WHERE info LIKE 'SELECT SLEEP(%' AND command <> 'Sleep'});
        }
        $dbh->sqlite_busy_timeout(0);
        my $free = eval { $dbh->do('BEGIN IMMEDIATE'); 1 };
        $dbh->disconnect;
        return !$free;
    });
    ok $between, 'a statement runs in a transaction';
    kill KILL => children();
    waitpid $pid, 0;
    my $r = persist($host, '/orders', $key, {title => $key, slow => $slow});
    like brief($r), qr/^201 \d+ -$/, 'killed there, the repeated request writes';
    is rows($host, $key), 1, '... and nothing is left of the first';

    my @keys = map { fresh() } 1 .. 4;
    my $storm = fork() // die "fork: $!";
    if ($storm == 0) {
        for (1 .. 12) {
            sleep 0.15 + rand 0.1;
            kill KILL => children();
        }
        POSIX::_exit(0);
    }
    my @lines = map { split /\n/ } in_parallel(4, sub {
        my ($n) = @_;
        my ($lines, $i, $end) = ('', 0, time + 3);
        while (time < $end) {
            my $key = $keys[$n - 1] . '-' . ++$i;
            my $r = persist($host, '/orders', $key, {title => $key});
            $lines .= "$key " . brief($r) . "\n";
        }
        return $lines;
    });
    waitpid $storm, 0;
    cmp_ok scalar @lines, '>', 20, 'writers write while children are killed';
    is_deeply [grep { !/ 201 \d+ / } @lines], [], '... each until it has its answer';
    my %id = map { (split / /)[0, 2] } @lines;
    $dbh = database($host);
    my $written = $dbh->selectall_hashref(
        "SELECT title, MIN(id) AS id, COUNT(*) AS n FROM keyed WHERE title LIKE '%-$run-%' GROUP BY title",
        'title');
    my ($logs) = $dbh->selectrow_array("SELECT COUNT(*) FROM keyed k JOIN keyed_log l
        ON l.keyed_id = k.id WHERE k.title LIKE '%-$run-%'");
    $dbh->disconnect;
    my @wrong = grep { !$written->{$_} || $written->{$_}{n} != 1 || $written->{$_}{id} != $id{$_} }
        keys %id;
    is_deeply \@wrong, [], '... and each key has one row, of the answered id';
    is $logs, scalar(keys %$written), '... written whole';

    # ---- a restart ----
    $key = fresh();
    $first = post($host, '/orders', $key, {title => $key});
    my ($parent) = slurp("$vars->{t_logs}/httpd.pid") =~ /(\d+)/;
    my %before = map { $_ => 1 } children();
    kill USR1 => $parent;
    ok until_true(10, sub { !grep { $before{$_} } children() }), 'after a restart';
    $r = persist($host, '/orders', $key, {title => $key});
    is brief($r), '201 ' . json($first)->{id} . ' true', '... the answer is still there';
}

# ---- a proxy that cuts the line before or behind a COMMIT ----

# Whoever takes the one byte out of the pipe cuts its own line.
sub run_proxy {
    my ($listener, $to, $behind) = @_;
    pipe my $token, my $fill or die "pipe: $!";
    $token->blocking(0);
    syswrite $fill, 'x';
    while (my $client = $listener->accept) {
        my $server = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $to) or next;
        if (!fork()) {
            close $listener;
            my $select = IO::Select->new($client, $server);
            while (my @ready = $select->can_read(20)) {
                for my $from (@ready) {
                    my $other = $from == $client ? $server : $client;
                    sysread($from, my $bytes, 65536) or POSIX::_exit(0);
                    my $cut = $from == $client && $bytes =~ /COMMIT/ && sysread($token, my $byte, 1);
                    syswrite $other, $bytes if !$cut || $behind;
                    next unless $cut;
                    sleep 0.2;
                    POSIX::_exit(0);
                }
            }
            POSIX::_exit(0);
        }
        close $client;
        close $server;
    }
}

SKIP: {
    skip 'MariaDB is not there', 10 unless $mysql;
    my ($port) = slurp("$vars->{t_conf}/keysproxy.db.conf") =~ /port=(\d+)/;
    for my $behind (1, 0) {
        my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port,
            Listen => 5, ReuseAddr => 1) or die "listen: $!";
        my $proxy = fork() // die "fork: $!";
        if ($proxy == 0) {
            setpgrp;
            $SIG{CHLD} = 'IGNORE';
            run_proxy($listener, $ENV{MOUSE_TEST_MYSQL_PORT}, $behind);
            POSIX::_exit(0);
        }
        close $listener;
        my $key = fresh();
        my $host = 'keys-proxy.test';
        my $r;
        until_true(5, sub { # children that have not got over the last proxy's end say 503
            $r = post($host, '/orders', $key, {title => $key});
            return $r->code != 503;
        });
        is brief($r), '500 outcome-unknown -',
            'lost ' . ($behind ? 'behind' : 'before') . ' COMMIT: nobody knows';
        is rows('keys-maria.test', $key), $behind ? 1 : 0, '... what was written';
        $r = post($host, '/orders', $key, {title => $key});
        like brief($r), $behind ? qr/^201 \d+ true$/ : qr/^201 \d+ -$/,
            'the repeated request ' . ($behind ? 'has the answer' : 'writes');
        is rows('keys-maria.test', $key), 1, '... and there is one row';
        like brief(post($host, '/orders', $key, {title => $key})), qr/^201 \d+ true$/,
            '... for ever';
        kill -TERM => $proxy;
        waitpid $proxy, 0;
    }
}
done_testing;
