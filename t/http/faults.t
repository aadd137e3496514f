# What goes wrong on the way to a database: it is down, its connections die, its tables
# change, its locks meet, its clients leave. Beside a MariaDB of this file's own.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use DBI ();
use IO::Socket::INET ();
use JSON ();
use POSIX ();
use Socket qw(SOL_SOCKET SO_RCVBUF);
use Test::More;
use Time::HiRes qw(sleep time);
use MouseTest qw(request json port);

my $prefork = Apache::Test::config()->httpd_mpm eq 'prefork';
my $dir = $ENV{MOUSE_TEST_DIR};
my $socket = "$dir/faults.sock";
my $self = $$;
my ($server, $dbh);

# ---- the database under fault ----

sub start_database {
    $server = fork() // die "fork: $!";
    if ($server == 0) {
        open STDOUT, '>>', "$dir/faults.log";
        open STDERR, '>&', \*STDOUT;
        exec 'mariadbd', '--no-defaults', "--datadir=$dir/faults", "--socket=$socket",
            "--pid-file=$dir/faults.pid", '--skip-networking', '--innodb-buffer-pool-size=16M',
            '--innodb-flush-log-at-trx-commit=2', '--innodb-log-file-size=8M',
            '--max-connections=300'
            or POSIX::_exit(127);
    }
    return until_true(30, sub {
        $dbh = DBI->connect("dbi:MariaDB:mariadb_socket=$socket", 'root', '',
            {RaiseError => 0, PrintError => 0});
    });
}

sub stop_database {
    $dbh->disconnect if $dbh;
    undef $dbh;
    kill TERM => $server;
    waitpid $server, 0;
    undef $server;
}

END {
    if ($server && $$ == $self) {
        local $?;
        stop_database();
    }
}

sub fill_database {
    $dbh->{RaiseError} = 1;
    $dbh->do($_) for
        'CREATE DATABASE faults CHARACTER SET utf8mb4',
        'CREATE TABLE faults.items (id INT PRIMARY KEY, name VARCHAR(20))',
        q{INSERT INTO faults.items VALUES (1, 'one'), (2, 'two'), (3, 'three'), (4, 'four')},
        'CREATE TABLE faults.accounts (id INT PRIMARY KEY, amount INT NOT NULL)',
        'INSERT INTO faults.accounts VALUES (1, 100), (2, 100), (3, 100), (4, 100)';
}

sub amounts {
    return $dbh->selectcol_arrayref('SELECT amount FROM faults.accounts ORDER BY id');
}

# The ids of other connections to it; with a pattern, of those whose statement matches.
sub connections {
    my ($pattern) = @_;
    my $select = q{SELECT id FROM information_schema.processlist
        WHERE db = 'faults' AND id <> CONNECTION_ID()};
    $select .= q{ AND command <> 'Sleep' AND info LIKE } . $dbh->quote($pattern) if $pattern;
    return @{ $dbh->selectcol_arrayref($select) };
}

# ---- time and company ----

# The seconds until it is true, or undef when it never was.
sub until_true {
    my ($limit, $is_true) = @_;
    my $begun = time;
    while (!$is_true->()) {
        return if time - $begun > $limit;
        sleep 0.05;
    }
    return time - $begun;
}

# Starts a process for each job; what it returns waits and gives what each one returned.
sub start {
    my @readers = map {
        my $job = $_;
        my $pid = open(my $reader, '-|') // die "fork: $!";
        if ($pid == 0) {
            my $result = eval { $job->() } // {error => "$@"};
            print JSON->new->utf8->encode($result);
            close STDOUT;
            POSIX::_exit(0);
        }
        $reader;
    } @_;
    return sub {
        return map {
            my $all = do { local $/; readline $_ };
            close $_;
            JSON->new->utf8->decode($all);
        } @readers;
    };
}

sub at_once {
    return start(@_)->();
}

# One request: its status, its problem's code, its text and its seconds.
sub ask {
    my @request = @_;
    my $begun = time;
    my $r = request(@request);
    return {
        status => $r->code, seconds => time - $begun, text => $r->content,
        code => ($r->header('Content-Type') // '') eq 'application/problem+json'
            ? json($r)->{code} : undef,
    };
}

sub asking {
    my @request = @_;
    return sub { return ask(@request) };
}

# Four clients asking for items so long: their counts, longest waits and odd answers.
sub load {
    my ($seconds, $is_fine) = @_;
    my $end = time + $seconds;
    return start(map {
        my $id = $_;
        sub {
            my ($count, $longest, @odd) = (0, 0);
            while (time < $end) {
                my $answer = ask('faults.test', GET => "/items/$id");
                $count++;
                $longest = $answer->{seconds} if $answer->{seconds} > $longest;
                push @odd, "$answer->{status} $answer->{text}" if !$is_fine->($answer, $id);
            }
            return {count => $count, longest => $longest, odd => \@odd};
        };
    } 1 .. 4);
}

my %names = (1 => 'one', 2 => 'two', 3 => 'three', 4 => 'four');

sub is_item {
    my ($answer, $id) = @_;
    return $answer->{status} == 200 && $answer->{text} eq qq({"id":$id,"name":"$names{$id}"});
}

sub all_status {
    my ($status, @answers) = @_;
    return is_deeply([map { $_->{status} } @answers[0 .. $#answers - 1]],
        [($status) x $#answers], $answers[-1]);
}

sub eight_items {
    return at_once(map { asking('faults.test', GET => '/items/1') } 1 .. 8);
}

# ---- SQLite ----

{
    my @writers = map {
        my $writer = $_;
        sub {
            my (@ids, @odd);
            for my $n (1 .. 15) {
                my $r = request('lite.test', POST => '/t/notes',
                    {json => {title => "w$writer-$n", n => 1}});
                if ($r->code == 201) {
                    push @ids, json($r)->{id};
                } else {
                    push @odd, $r->code . ' ' . $r->content;
                }
            }
            return {ids => \@ids, odd => \@odd};
        };
    } 1 .. 8;
    my @readers = map {
        sub {
            my @odd;
            for (1 .. 30) {
                my $r = request('lite.test', GET => '/t/many');
                push @odd, $r->code . ' ' . $r->content if $r->code != 200;
            }
            return {ids => [], odd => \@odd};
        };
    } 1 .. 8;
    my @results = at_once(@writers, @readers);
    is_deeply [map { @{ $_->{odd} } } @results], [], 'SQLite: 8 writers and 8 readers, no error';
    my $lite = DBI->connect("dbi:SQLite:dbname=$dir/t/test.sqlite", '', '', {RaiseError => 1});
    my %there = map { $_ => 1 } @{ $lite->selectcol_arrayref('SELECT id FROM notes') };
    my @ids = map { @{ $_->{ids} } } @results;
    is scalar @ids, 120, '... all acknowledged';
    is scalar(grep { $there{$_} } @ids), 120, '... every row is there';
    is $lite->selectrow_array(q{SELECT COUNT(DISTINCT title) FROM notes WHERE title LIKE 'w%-%'}), 120,
        '... once';
}

# ---- MariaDB ----

SKIP: {
    skip 'MariaDB is not there', 1 if !$ENV{MOUSE_TEST_MYSQL_SOCKET};
    my ($r, $seconds, @answers);

    $r = request('faults.test', GET => '/items/1');
    is $r->code, 503, 'the database is down';
    is $r->header('Content-Type'), 'application/problem+json', '... a problem document';
    is json($r)->{code}, 'database-unavailable', '... by name';
    like $r->header('Retry-After'), qr/^[1-9]\d*$/, '... Retry-After';
    is request('routes.test', GET => '/api/fixed')->code, 200, '... what needs none is served';

    my $made = system "mariadb-install-db --no-defaults --datadir='$dir/faults' --skip-test-db "
        . "--auth-root-authentication-method=normal --innodb-log-file-size=8M "
        . ">'$dir/faults.log' 2>&1";
    is $made, 0, 'a database is made' or last SKIP;
    ok defined start_database(), '... and runs' or last SKIP;
    fill_database();
    my $recovers = sub { request('faults.test', GET => '/items/1')->code == 200 };
    $seconds = until_true(10, $recovers);
    cmp_ok $seconds // 99, '<', 3, 'it is used as soon as it is there';
    sleep 1;
    all_status(200, eight_items(), '... by all');

    # Restarted under load: errors only while it is away, never a wrong row, no hang.
    my $results = load(7, sub {
        my ($answer, $id) = @_;
        return is_item($answer, $id) || $answer->{status} == 503;
    });
    sleep 0.5;
    stop_database();
    sleep 0.5;
    start_database();
    $seconds = until_true(10, $recovers);
    cmp_ok $seconds // 99, '<', 3, 'restarted: it is used again';
    @answers = $results->();
    is_deeply [map { @{ $_->{odd} // [$_->{error}] } } @answers], [],
        '... right rows or 503 under load';
    is scalar(grep { $_->{longest} < 4 } @answers), 4, '... nobody hangs';
    all_status(200, eight_items(), '... and all is well');
    $dbh->{RaiseError} = 1;

    # Killed between requests.
    $dbh->do("KILL $_") for connections();
    all_status(200, eight_items(), 'connections killed: a read does not notice');

    # Killed within a transaction, before its COMMIT.
    my $before = amounts();
    my $moving = start(asking('faults.test', POST => '/move', {json => {source => 3, target => 4}}));
    until_true(5, sub { connections('%SLEEP(0.5)%') });
    $dbh->do("KILL $_") for connections('%SLEEP(0.5)%');
    my ($moved) = $moving->();
    my $effect = $moved->{status} == 204 ? 1 : 0;
    ok $effect || $moved->{status} == 503, 'killed in a transaction: done or 503';
    is_deeply amounts(), [@$before[0, 1], $before->[2] - $effect, $before->[3] + $effect],
        '... all of it or nothing';

    # Tables altered under prepared statements.
    for my $case (
        ['ADD COLUMN extra INT DEFAULT 7 FIRST', '{"extra":7,"id":1,"name":"one"}'],
        ['MODIFY extra VARCHAR(300)', '{"extra":"7","id":1,"name":"one"}'],
        ['DROP COLUMN extra', '{"id":1,"name":"one"}'])
    {
        my ($change, $text) = @$case;
        $dbh->do("ALTER TABLE faults.items $change");
        is_deeply [map { $_->{text} } eight_items()], [($text) x 8], "altered: $change";
    }

    # More requests than connections. A child of prefork runs one request at a time.
    if (!$prefork) {
        @answers = at_once(map { asking('narrow.test', GET => '/sleep?seconds=1.5') } 1 .. 6);
        my @busy = grep { $_->{status} == 503 } @answers;
        is scalar(grep { $_->{status} == 200 } @answers), 2, 'the pool is exhausted: two run';
        is_deeply [map { $_->{code} } @busy], [('database-busy') x 4], '... the others are told';
        is scalar(grep { $_->{seconds} < 1.2 } @busy), 4, '... after about wait=';
    }

    # A client leaves while its request stands in line for the only connection.
    if (!$prefork) {
        my $waits = sub {
            open my $lines, '<', Apache::Test::config()->{vars}{t_logs} . '/error_log' or die "error_log: $!";
            return scalar grep { /database main: while in line/ } <$lines>;
        };
        my $holder = start(asking('single.test', GET => '/sleep?seconds=2'));
        ok defined until_true(3, sub { connections('%SLEEP%') }), 'the only connection is in use';
        my $leaver = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => port()) or die "connect: $!";
        print $leaver "GET /items/1 HTTP/1.1\r\nHost: single.test\r\n\r\n";
        sleep 0.1;
        close $leaver;
        ok defined until_true(1.5, $waits), '... who waits for it leaves the line with its client';
        ok scalar(connections('%SLEEP%')), '... before it comes back';
        is +($holder->())[0]{status}, 200, '... and who has it does not notice';
    }

    # The client leaves.
    my $client = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => port()) or die "connect: $!";
    print $client "GET /sleep?seconds=5 HTTP/1.1\r\nHost: faults.test\r\n\r\n";
    ok defined until_true(3, sub { connections('%SLEEP%') }), 'a statement runs';
    close $client;
    $seconds = until_true(4, sub { !connections('%SLEEP%') });
    cmp_ok $seconds // 99, '<', 1, '... and ends when its client leaves';

    # The time is over.
    my $late = ask('quick.test', GET => '/sleep?seconds=5');
    is $late->{status}, 504, 'MouseTimeout';
    is $late->{code}, 'timeout', '... by name';
    cmp_ok $late->{seconds}, '<', 3, '... in time';
    ok defined until_true(2, sub { !connections('%SLEEP%') }), '... and the statement has ended';

    # Two transactions lock each other out.
    $before = amounts();
    my ($deadlocks) = $dbh->selectrow_array(
        q{SELECT variable_value FROM information_schema.global_status
          WHERE variable_name = 'Innodb_deadlocks'});
    @answers = at_once(
        asking('faults.test', POST => '/move', {json => {source => 1, target => 2}}),
        asking('faults.test', POST => '/move', {json => {source => 2, target => 1}}));
    all_status(204, @answers, 'deadlock: both are done');
    is_deeply amounts(), $before, '... once';
    cmp_ok $dbh->selectrow_array(
        q{SELECT variable_value FROM information_schema.global_status
          WHERE variable_name = 'Innodb_deadlocks'}), '>', $deadlocks, '... and they did meet';

    # A client that reads slowly holds no connection; no socket buffer takes so much.
    my $slow = IO::Socket::INET->new(Proto => 'tcp') or die "socket: $!";
    setsockopt $slow, SOL_SOCKET, SO_RCVBUF, 4096;
    connect $slow, Socket::pack_sockaddr_in(port(), Socket::inet_aton('127.0.0.1'))
        or die "connect: $!";
    syswrite $slow, "GET /wide HTTP/1.1\r\nHost: single.test\r\nConnection: close\r\n\r\n";
    sysread $slow, my $first, 15;
    is $first, 'HTTP/1.1 200 OK', 'a long answer begins';
    all_status(200, at_once(map { asking('single.test', GET => '/items/1') } 1 .. 4),
        '... and its connection serves others meanwhile');
    my $rest = do { local $/; <$slow> };
    is length($rest =~ s/^.*?\r\n\r\n//sr), length('{"filler":""}') + 12_000_000, '... it ends whole';

    # Graceful restarts.
    my $log = Apache::Test::config()->{vars}{t_logs} . '/error_log';
    my $starts = sub {
        open my $lines, '<', $log or die "error_log: $!";
        return scalar grep { /resuming normal operations/ } <$lines>;
    };
    open my $file, '<', Apache::Test::config()->{vars}{t_pid_file} or die "pid: $!";
    chomp(my $httpd = <$file>);
    my $memory = sub {
        open my $status, '<', "/proc/$httpd/status" or die "status: $!";
        return (map { /^VmRSS:\s+(\d+)/ ? $1 : () } <$status>)[0];
    };
    my (@restarted, $early);
    $results = load(14, \&is_item);
    for my $n (1 .. 20) {
        sleep 0.4;
        my $begun = $starts->();
        kill USR1 => $httpd;
        push @restarted, $n if defined until_true(5, sub { $starts->() > $begun });
        $early = $memory->() if $n == 5;
    }
    is_deeply \@restarted, [1 .. 20], '20 graceful restarts';
    cmp_ok $memory->() - $early, '<', 1024, '... do not make the parent grow (kB)';
    @answers = $results->();
    is_deeply [map { @{ $_->{odd} // [$_->{error}] } } @answers], [], '... no request is lost';
    cmp_ok +(sort { $a <=> $b } map { $_->{count} // 0 } @answers)[0], '>', 10, '... of many';
    ok defined until_true(10, sub { connections() <= 8 }), '... no connection is left behind'
        if !$prefork;
}
done_testing;
