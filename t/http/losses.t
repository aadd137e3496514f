# What may not be lost, and who may not wait: a database whose address swallows packets,
# children that are killed while they write, clients of h2 that leave, locks that stay.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use DBI ();
use IO::Select ();
use IO::Socket::INET ();
use POSIX ();
use Socket qw(inet_aton pack_sockaddr_in SOCK_STREAM PF_INET);
use Test::More;
use Time::HiRes qw(sleep time);
use MouseTest qw(request json port);

my $vars = Apache::Test::config()->{vars};
my $event = Apache::Test::config()->httpd_mpm ne 'prefork';

sub slurp {
    my ($path) = @_;
    open my $fh, '<', $path or die "$path: $!";
    local $/;
    return scalar <$fh>;
}

# ---- a black hole: a listener whose queue is full drops every further SYN ----

sub dig_hole {
    my ($port) = slurp("$vars->{t_conf}/hole.db.conf") =~ /port=(\d+)/;
    my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port,
        Listen => 1, ReuseAddr => 1) or die "listen: $!";
    my @fill = map {
        socket my $socket, PF_INET, SOCK_STREAM | 04000, 0 or die "socket: $!";
        connect $socket, pack_sockaddr_in($port, inet_aton('127.0.0.1'));
        $socket;
    } 1 .. 8;
    sleep 0.2;
    return ($listener, @fill);
}

sub timed {
    my @request = @_;
    my $begun = time;
    my $r = request(@request);
    return ($r, time - $begun);
}

{
    request('lite.test', GET => '/api/products/1'); # the client loads its own modules
    my @hole = dig_hole();
    my @readers = map {
        my $pid = open(my $reader, '-|') // die "fork: $!";
        if ($pid == 0) {
            my ($r, $took) = timed('hole.test', GET => '/sleep?seconds=0');
            print join ' ', $r->code, $r->header('Retry-After') // '-', $took;
            close STDOUT;
            POSIX::_exit(0);
        }
        $reader;
    } 1 .. 8;
    sleep 0.2;
    my ($r, $took) = timed('lite.test', GET => '/api/products/1');
    is $r->code, 200, 'other databases answer';
    cmp_ok $took, '<', 0.5, '... at once';
    my @answers = map { [split / /, scalar readline $_] } @readers;
    is_deeply [map { $_->[0] } @answers], [(503) x 8], 'a black hole is 503';
    is_deeply [map { $_->[1] } @answers], [(1) x 8], '... with Retry-After';
    is scalar(grep { $_->[2] > 2 } @answers), 0, 'and nobody waits beyond wait=';
}

# ---- children killed while they write to SQLite ----

sub children {
    my ($parent) = slurp("$vars->{t_logs}/httpd.pid") =~ /(\d+)/;
    return grep { $_ } map {
        my $stat = eval { slurp($_) } // '';
        $stat =~ /^(\d+) \(.*\) \S (\d+) / && $2 == $parent ? $1 : ();
    } glob '/proc/[0-9]*/stat';
}

{
    my @readers = map {
        my $writer = $_;
        my $pid = open(my $reader, '-|') // die "fork: $!";
        if ($pid == 0) {
            my $end = time + 3;
            while (time < $end) {
                my $r = request('lite.test', POST => '/t/notes', {json => {title => "w$writer"}});
                print json($r)->{id}, "\n" if $r->code == 201;
            }
            close STDOUT;
            POSIX::_exit(0);
        }
        $reader;
    } 1 .. 4;
    for (1 .. 2) {
        sleep 0.8;
        kill KILL => children();
    }
    my @acknowledged = map { my $reader = $_; map { chomp; $_ } <$reader> } @readers;
    cmp_ok scalar @acknowledged, '>', 20, 'writers wrote';
    my @lost;
    for my $id (@acknowledged) {
        my $r;
        for (1 .. 20) {
            $r = request('lite.test', GET => "/t/notes/$id");
            last if $r->code == 200 || $r->code == 404;
            sleep 0.25;
        }
        push @lost, $id if $r->code != 200;
    }
    is_deeply \@lost, [], 'what was acknowledged is there after kill -9';
    my %seen;
    is scalar(grep { $seen{$_}++ } @acknowledged), 0, 'and has an id of its own';
}

# ---- a proxy that cuts the line behind a COMMIT ----

# Serves one connection after the other; $cut of them end 0.2 s after COMMIT went through.
sub run_proxy {
    my ($listener, $to, $cut) = @_;
    while (my $client = $listener->accept) {
        my $server = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $to) or next;
        if (!fork()) {
            my $select = IO::Select->new($client, $server);
            while (my @ready = $select->can_read(20)) {
                for my $from (@ready) {
                    my $other = $from == $client ? $server : $client;
                    sysread($from, my $bytes, 65536) or POSIX::_exit(0);
                    syswrite $other, $bytes;
                    next unless $from == $client && $cut && $bytes =~ /COMMIT/;
                    sleep 0.2;
                    POSIX::_exit(0);
                }
            }
            POSIX::_exit(0);
        }
        close $client;
        close $server;
        $cut-- if $cut;
    }
}

# ---- MariaDB: h2 clients that leave, locks that stay ----

SKIP: {
    my $socket = $ENV{MOUSE_TEST_MYSQL_SOCKET} or skip 'MariaDB is not there', 10;
    my $dbh = DBI->connect("dbi:MariaDB:database=mouse_http;mariadb_socket=$socket", 'root', '',
        {RaiseError => 1});
    my ($port) = slurp("$vars->{t_conf}/proxy.db.conf") =~ /port=(\d+)/;
    my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port,
        Listen => 5, ReuseAddr => 1) or die "listen: $!";
    my $proxy = fork() // die "fork: $!";
    if ($proxy == 0) {
        $SIG{CHLD} = 'IGNORE';
        run_proxy($listener, $ENV{MOUSE_TEST_MYSQL_PORT}, 1);
        POSIX::_exit(0);
    }
    my $r = request('proxy.test', POST => '/notes', {json => {title => 'in doubt'}});
    is $r->code, 500, 'lost behind COMMIT';
    is json($r)->{code}, 'outcome-unknown', '... is said so';
    is $r->header('Retry-After'), undef, '... without an invitation to repeat it';
    my ($count) = $dbh->selectrow_array(q{SELECT COUNT(*) FROM notes WHERE title = 'in doubt'});
    is $count, 1, 'and it was sent once';
    is request('proxy.test', POST => '/notes', {json => {title => 'sure'}})->code, 204,
        'the next write goes through';
    kill TERM => $proxy;
    waitpid $proxy, 0;

    my $running = sub {
        my ($count) = $dbh->selectrow_array(q{SELECT COUNT(*) FROM information_schema.processlist
            WHERE info LIKE 'SELECT SLEEP(%' AND command <> 'Sleep'});
        return $count;
    };

    SKIP: {
        skip 'mod_http2 wants a threaded MPM', 2 unless $event;
        my $pid = fork() // die "fork: $!";
        if ($pid == 0) {
            open STDOUT, '>', '/dev/null';
            exec 'curl', '-s', '--http2-prior-knowledge', '-H', 'Host: waits.test',
                'http://127.0.0.1:' . port() . '/sleep?seconds=2.5' or POSIX::_exit(127);
        }
        my $begun = time;
        sleep 0.02 until $running->() || time - $begun > 2;
        is $running->(), 1, 'a statement runs for a client of h2';
        kill KILL => $pid;
        waitpid $pid, 0;
        $begun = time;
        sleep 0.02 until !$running->() || time - $begun > 2;
        cmp_ok time - $begun, '<', 1, 'and ends when the client leaves';
    }

    $dbh->begin_work;
    $dbh->do('SELECT * FROM products WHERE id = 4 FOR UPDATE');
    my $took;
    ($r, $took) = timed('waits.test', POST => '/products/4', {json => {}});
    like $r->code, qr/^50[34]$/, 'a lock that stays is 503 or 504';
    cmp_ok $took, '<', 5, '... within the deadline';
    $dbh->rollback;
    is json(request('waits.test', POST => '/products/4', {json => {}}))->{affected}, 1,
        'and the row can be changed afterwards';
}
done_testing;
