# MouseStay: a thread stays with its connection, and nothing else is different: pipelines,
# slow and leaving clients, crowds, graceful restarts.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use IO::Socket::INET ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);
use MouseTest qw(request raw port);

my $event = Apache::Test::config()->httpd_mpm eq 'event';
my $logs = Apache::Test::config()->{vars}{t_logs};
my $body = '{"is":"fixed"}';

sub message {
    my ($line, @headers) = @_;
    return join "\r\n", "$line HTTP/1.1", 'Host: stay.test', @headers, '', '';
}

sub connection {
    return IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => port(), Timeout => 10)
        || die "connect: $!";
}

# The next answer on a connection, by its Content-Length; '' when the connection ends before
# its first byte.
sub answer {
    my ($socket) = @_;
    my $bytes = '';
    until ($bytes =~ /\r\n\r\n/ && $bytes =~ /^Content-Length: (\d+)/mi
        && length $bytes >= $+[0] + $1 && length($bytes) == index($bytes, "\r\n\r\n") + 4 + $1) {
        sysread $socket, $bytes, 4096, length $bytes or last;
    }
    return $bytes;
}

sub ask {
    my ($socket, @headers) = @_;
    local $SIG{PIPE} = 'IGNORE';
    syswrite $socket, message('GET /fixed', @headers);
    return answer($socket);
}

# The threads that answered the last requests, oldest first.
sub threads {
    my ($count) = @_;
    open my $log, '<', "$logs/stay_log" or die "stay_log: $!";
    chomp(my @ids = <$log>);
    return @ids[-$count .. -1];
}

# How many of 60 requests in a row on one connection the thread of the one before answered.
sub stayed {
    my $socket = connection();
    ask($socket) for 1 .. 60;
    close $socket;
    sleep 0.2;    # an answer is logged when it is sent
    my @threads = threads(60);
    return scalar grep { $threads[$_] eq $threads[ $_ - 1 ] } 1 .. 59;
}

# A machine with other work to do may pause us for longer than a thread waits.
sub stays {
    for (1 .. 5) {
        return 1 if stayed() >= 50;
    }
    return 0;
}

SKIP: {
    skip 'the other MPMs always stay', 1 unless $event;
    ok stays(), 'a thread stays with its connection';
}

# ---- one connection ----

{
    my $socket = connection();
    my @answers = map { ask($socket) } 1 .. 5;
    is scalar(grep { /^HTTP.1.1 200 .*\Q$body\E\z/s } @answers), 5, 'each answer is whole';
    sleep 0.3;
    like ask($socket), qr/\Q$body\E\z/, '... after a pause, too';
    ask($socket);
    like ask($socket, 'Connection: close'), qr/^Connection: close/mi, 'the last one';
    is answer($socket), '', '... ends the connection';
}
{
    my @lines = ('GET /fixed', 'GET /fixed', 'GET /closed', 'GET /nothing', 'GET /fixed');
    my $socket = connection();
    my $rest = message('GET /fixed', 'Connection: close');
    ask($socket) for 1 .. 3;
    syswrite $socket, join('', map { message($_) } @lines) . "\r\n\r\n" . $rest;
    my $all = do { local $/; <$socket> };
    is_deeply [$all =~ m{HTTP/1\.1 (\d+)}g], [200, 200, 403, 404, 200, 200],
        'a pipeline, with blank lines';
}
{
    my $socket = connection();
    ask($socket) for 1 .. 3;
    for my $byte (split //, message('GET /fixed')) {
        syswrite $socket, $byte;
        sleep 0.005;
    }
    like answer($socket), qr/\Q$body\E\z/, 'a request in single bytes';
    syswrite $socket, "\r\n";
    sleep 0.02;
    like ask($socket), qr/\Q$body\E\z/, 'a blank line alone is no request';
    my $post = message('POST /fixed', 'Content-Length: 5');
    for my $part ($post, 'ne', 'ver', message('GET /fixed', 'Connection: close')) {
        syswrite $socket, $part;
        sleep 0.02;
    }
    my $all = do { local $/; <$socket> };
    is_deeply [$all =~ m/"is":"(\w+)"/g], [qw(posted fixed)], 'an unread body in parts';
}

# ---- many ----

# More connections than threads may stay with, all of them left open; others are served.
{
    my $count = $event ? 100 : 20;
    my @sockets = map { connection() } 1 .. $count;
    my $whole = 0;
    for (1 .. 4) {
        for my $socket (@sockets) {
            $whole++ if ask($socket) =~ /\Q$body\E\z/;
        }
    }
    is $whole, 4 * $count, 'many connections';
    is request('stay.test', GET => '/fixed')->code, 200, '... and one more';
    is request('stay-off.test', GET => '/fixed')->code, 200, '... of another host';
}
for (1 .. 200) {
    my $socket = connection();
    ask($socket) for 1 .. 3;
    syswrite $socket, 'GET /fix' if $_ % 2;
}
SKIP: {
    skip 'the other MPMs always stay', 1 unless $event;
    ok stays(), 'clients that left in the wait hold no thread';
}

# ---- graceful restarts ----

# Asks until told to stop; a connection may end between two answers, never within one, nor
# may a new one.
sub hammer {
    my ($until) = @_;
    my ($answers, $broken, $socket, $fresh) = (0, 0);
    while (time < $until) {
        ($socket, $fresh) = (connection(), 1) unless $socket;
        my $answer = ask($socket);
        if ($answer =~ /^HTTP.1.1 200 .*\Q$body\E\z/s) {
            $answers++;
        } elsif ($answer ne '' || $fresh) {
            $broken++;
        }
        $fresh = 0;
        undef $socket if $answer eq '' || $answer =~ /^Connection: close/mi;
    }
    return "$answers $broken";
}
{
    my $restarts = sub {
        open my $lines, '<', "$logs/error_log" or die "error_log: $!";
        return scalar grep { /resuming normal operations/ } <$lines>;
    };
    open my $file, '<', Apache::Test::config()->{vars}{t_pid_file} or die "pid: $!";
    chomp(my $httpd = <$file>);
    my $until = time + 6;
    my @readers = map {
        my $pid = open(my $reader, '-|') // die "fork: $!";
        if ($pid == 0) {
            print hammer($until);
            close STDOUT;
            POSIX::_exit(0);
        }
        $reader;
    } 1 .. 4;
    for (1 .. 3) {
        my ($begun, $patience) = ($restarts->(), time + 10);
        sleep 0.5;
        kill USR1 => $httpd;
        sleep 0.05 while $restarts->() == $begun && time < $patience;
        cmp_ok $restarts->(), '>', $begun, 'a graceful restart under load';
    }
    my ($answers, $broken) = (0, 0);
    for my $reader (@readers) {
        my ($more, $bad) = split / /, do { local $/; <$reader> };
        $answers += $more;
        $broken += $bad;
        close $reader;
    }
    cmp_ok $answers, '>', 100, '... and clients go on';
    is $broken, 0, '... no answer is cut, no new connection refused';
}
done_testing;
