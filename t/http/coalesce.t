# coalesce: requests share a run, and each sees what was written before it came.
#
# Under event it has a server of its own: who shares is a matter of one process.
# MOUSE_TEST_SOAK=60 t/run event MODULE t/http/coalesce.t writes and reads for a minute.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use DBI ();
use IO::Socket::INET ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);
use MouseTest qw(request json port);

my $vars = Apache::Test::config()->{vars};
my $event = Apache::Test::config()->httpd_mpm ne 'prefork';
my $mysql = $ENV{MOUSE_TEST_MYSQL_SOCKET};
my $seconds = $ENV{MOUSE_TEST_SOAK} || 3;
my @hosts = ('shared-lite.test', $mysql ? 'shared-maria.test' : ());

# ---- a server of one child ----

my ($server, $port);

sub start_server {
    my $socket = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1') or die "listen: $!";
    my $free = $socket->sockport;
    close $socket;
    open my $list, '<', "$vars->{t_conf}/modules.conf" or die "modules.conf: $!";
    my $modules = join '', grep { /^LoadModule (?:mouse|mpm_event|authz_core)_module / } <$list>;
    open my $fh, '>', "$vars->{t_conf}/coalesce.httpd.conf" or die "coalesce.httpd.conf: $!";
    print $fh <<"CONF";
ServerRoot "$vars->{serverroot}"
$modules
ServerName 127.0.0.1
Listen 127.0.0.1:$free
PidFile "$vars->{t_logs}/coalesce.pid"
ErrorLog "$vars->{t_logs}/coalesce_log"
DefaultRuntimeDir "$vars->{t_logs}"
Mutex sem
StartServers 1
ServerLimit 1
ThreadsPerChild 64
MaxRequestWorkers 64
MaxKeepAliveRequests 0
Define T "$vars->{serverroot}"
Include "$vars->{t_conf}/coalesce.conf"
CONF
    close $fh or die "coalesce.httpd.conf: $!";
    $server = fork() // die "fork: $!";
    if ($server == 0) {
        exec $vars->{httpd}, '-f', "$vars->{t_conf}/coalesce.httpd.conf", '-DFOREGROUND'
            or POSIX::_exit(127);
    }
    for (1 .. 100) {
        return $free if IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $free);
        sleep 0.1;
    }
    die "the server of its own does not answer\n";
}

END {
    if ($server && kill TERM => $server) {
        local $?;
        waitpid $server, 0;
    }
}

# Runs a sub in a child each; what they return, in their order.
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

# ---- one keep-alive connection, without a library between it and the clock ----

sub dial {
    return IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Timeout => 20)
        // die "connect: $!";
}

# A status and a body. Dials again, into $_[0], where the server closes.
sub roundtrip {
    my (undef, $host, $method, $path, $body) = @_;
    my $socket = $_[0] //= dial();
    my $type = defined $body ? "Content-Type: application/json\r\n" : '';
    $body //= '';
    print {$socket} "$method $path HTTP/1.1\r\nHost: $host\r\nX-User: x\r\n${type}"
        . 'Content-Length: ' . length($body) . "\r\n\r\n$body" or return;
    my ($buffer, $status, $length) = ('');
    until ($buffer =~ /\r\n\r\n/) {
        sysread($socket, $buffer, 65536, length $buffer) or return;
    }
    my ($head, $rest) = split /\r\n\r\n/, $buffer, 2;
    ($status) = $head =~ m{^HTTP/1\.1 (\d+)};
    $length = $head =~ /^Content-Length: (\d+)/mi ? $1 : 0;
    while (length $rest < $length) {
        sysread($socket, $rest, 65536, length $rest) or return;
    }
    $_[0] = undef if $head =~ /^Connection: close/mi;
    return ($status, $rest);
}

# Writes its row and reads it, over two routes: "WRITES READS STALE", the last one as text.
sub write_and_read {
    my ($host, $client) = @_;
    my ($socket, $end, $n, $reads) = (undef, time + $seconds, 0, 0);
    while (time < $end) {
        my ($status) = roundtrip($socket, $host, POST => "/own/$client", qq({"n":@{[$n + 1]}}));
        return "$n $reads no answer to a write" unless defined $status;
        next if $status == 503; # a busy database wrote nothing
        return "$n $reads a write is $status" if $status != 204;
        $n++;
        for my $path ("/own/$client", '/all') {
            my ($status, $body) = roundtrip($socket, $host, GET => $path);
            return "$n $reads no answer to a read" unless defined $status;
            return "$n $reads $path is $status" if $status != 200;
            my ($read) = $body =~ /"client":$client,"n":(\d+)/;
            return "$n $reads stale: $path says $read behind $n" if $read != $n;
            $reads++;
        }
    }
    return "$n $reads ";
}

$port = $event ? start_server() : port();
for my $host (@hosts) {
    my @results = in_parallel(32, sub { write_and_read($host, $_[0]) });
    my ($writes, $reads) = (0, 0);
    my @wrong;
    for (@results) {
        my ($n, $r, $what) = split / /, $_, 3;
        $writes += $n;
        $reads += $r;
        push @wrong, $what if $what ne '';
    }
    is_deeply \@wrong, [], "$host: everybody reads what they wrote";
    cmp_ok $reads, '>', 64, '... often enough to tell';
    diag "$host: $writes writes, $reads reads" if $ENV{MOUSE_TEST_SOAK};
}

# ---- who shares with whom ----

for my $host (@hosts) {
    my @answers = in_parallel(12, sub {
        my ($n) = @_;
        my @seen;
        for (1 .. 40) {
            my $r = request($host, GET => '/whoami',
                {headers => ['X-User' => 'u' . $n % 3, 'X-Asked' => 'a' . $n % 4], port => $port});
            push @seen, join ' ', $r->code, json($r)->{who}, $r->header('X-Asked');
        }
        my %distinct = map { $_ => 1 } @seen;
        return join ',', sort keys %distinct;
    });
    is_deeply \@answers, [map { '200 u' . $_ % 3 . ' a' . $_ % 4 } 1 .. 12],
        "$host: what a model or a template reads is told apart";
    is request($host, GET => '/whoami', {port => $port})->code, 200, 'and may be absent';
}

SKIP: {
    skip 'MariaDB is not there', 1 unless $mysql;
    my $dbh = DBI->connect("dbi:MariaDB:database=mouse_http;mariadb_socket=$mysql", 'root', '',
        {RaiseError => 1});
    my $executed = sub {
        my (undef, $count) =
            $dbh->selectrow_array(q{SHOW GLOBAL STATUS LIKE 'Com_stmt_execute'});
        return $count;
    };
    my $running = sub {
        my ($count) = $dbh->selectrow_array(q{SELECT COUNT(*) FROM information_schema.processlist
            WHERE info LIKE 'SELECT n, %SLEEP(%' AND command <> 'Sleep'});
        return $count;
    };
    my $until_running = sub {
        my ($count) = @_;
        my $end = time + 5;
        sleep 0.01 until $running->() == $count || time > $end;
        return $running->();
    };
    my $slow = sub {
        my ($seconds, %more) = @_;
        my $pid = open(my $reader, '-|') // die "fork: $!";
        if ($pid == 0) {
            my $r = request('shared-maria.test', GET => "/slow?seconds=$seconds",
                {headers => [%more], port => $port});
            print join ' ', $r->code, $r->header('X-Tag') // '-', $r->content;
            close STDOUT;
            POSIX::_exit(0);
        }
        return $reader;
    };

    my $r = request('shared-maria.test', GET => '/slow?seconds=0', {port => $port});
    my $tag = $r->header('ETag');
    like $tag, qr/^"/, 'a shared route has its ETag';
    is request('shared-maria.test', GET => '/slow?seconds=0',
        {headers => ['If-None-Match' => $tag], port => $port})->code, 304, '... and 304';

    SKIP: {
        skip 'a child of prefork has one request', 1 unless $event;
        my $before = $executed->();
        my $first = $slow->('0.6');
        is $until_running->(1), 1, 'one runs';
        my @others = map { $slow->('0.6', $_ == 3 ? ('If-None-Match' => '"other"') : ()) } 1 .. 6;
        my @texts = map { my $reader = $_; scalar <$reader> } $first, @others;
        is_deeply \@texts, [('200 a {"n":0,"slept":0}') x 7], 'all have the same answer';
        my $count = $executed->() - $before;
        cmp_ok $count, '>', 1, 'nobody joined what was running already';
        cmp_ok $count, '<', 5, 'and the others ran together';

        # A second run, with a leader and somebody who follows; then either client leaves.
        for my $leaver (0, 1) {
            $before = $executed->();
            $first = $slow->('0.8');
            is $until_running->(1), 1, 'one runs again';
            my @sockets = map { dial() } 0, 1;
            for (@sockets) {
                print {$_} "GET /slow?seconds=0.8 HTTP/1.1\r\nHost: shared-maria.test\r\n"
                    . "Connection: close\r\n\r\n";
                sleep 0.1;
            }
            readline $first;
            is $until_running->(1), 1, 'the next one runs for two';
            close $sockets[$leaver];
            my $stays = $sockets[1 - $leaver];
            local $/;
            like scalar(<$stays>), qr/\r\n\r\n\{"n":0,"slept":0\}$/,
                'whoever stays has the whole answer';
            is $executed->() - $before, 2, '... of the same run';
        }
    }
}
done_testing;
