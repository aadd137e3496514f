# TLS to MariaDB: it is what was asked for or nothing, and waiting is no other than in plain text.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use DBI ();
use IO::Select ();
use IO::Socket::INET ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);
use MouseTest qw(request json port);

my $vars = Apache::Test::config()->{vars};

sub slurp {
    my ($path) = @_;
    open my $fh, '<', $path or die "$path: $!";
    local $/;
    return scalar <$fh>;
}

sub until_true {
    my ($seconds, $ask) = @_;
    my $end = time + $seconds;
    sleep 0.05 until $ask->() || time > $end;
    return $ask->();
}

# Capabilities stand behind the version's name, the session's number and the first salt.
sub strip_tls {
    my ($greeting) = @_;
    vec($greeting, index($greeting, "\0", 5) + 1 + 4 + 8 + 1 + 1, 8) &= ~0x08;
    return $greeting;
}

# 'strip': greets as a server without TLS, or somebody on the way, would. 'pause': when much comes
# it rests, so that what comes next has to wait.
sub run_proxy {
    my ($listener, $to, $does) = @_;
    while (my $client = $listener->accept) {
        my $server = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $to) or next;
        if (!fork()) {
            my $select = IO::Select->new($client, $server);
            while (my @ready = $select->can_read(20)) {
                for my $from (@ready) {
                    sysread($from, my $bytes, 65536) or POSIX::_exit(0);
                    if ($does eq 'strip' && $from == $server) {
                        $bytes = strip_tls($bytes);
                        $does = '';
                    } elsif ($does eq 'pause' && length $bytes > 16_384) {
                        sleep 0.5;
                        $does = '';
                    }
                    syswrite $from == $client ? $server : $client, $bytes;
                }
            }
            POSIX::_exit(0);
        }
        close $client;
        close $server;
    }
}

my $socket = $ENV{MOUSE_TEST_MYSQL_SOCKET}
    or plan skip_all => 'MariaDB is not there';
my $dbh = DBI->connect("dbi:MariaDB:database=mouse_http;mariadb_socket=$socket", 'root', '',
    {RaiseError => 1});

sub start_proxy {
    my ($define, $does) = @_;
    my ($port) = slurp("$vars->{t_conf}/tls.db.conf") =~ /$define (\d+)/;
    my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 5,
        ReuseAddr => 1) or die "listen: $!";
    my $proxy = fork() // die "fork: $!";
    return $proxy if $proxy;
    $SIG{CHLD} = 'IGNORE';
    run_proxy($listener, $ENV{MOUSE_TEST_MYSQL_PORT}, $does);
    POSIX::_exit(0);
}
my @proxies = (start_proxy('TLS_STRIPPED', 'strip'), start_proxy('TLS_PAUSED', 'pause'));

# ---- what was asked for, or nothing ----

sub cipher {
    my ($name) = @_;
    my $r = request("$name.tls.test", GET => '/cipher');
    return $r->code == 200 ? json($r)->{cipher} : $r->code;
}

# The last thing that the log says of this host's database.
sub reason {
    my ($name) = @_;
    my @said = slurp("$vars->{t_logs}/error_log") =~ /database tls_$name cannot be opened: (.*)/g;
    return $said[-1] // '';
}

like cipher('right'), qr/^TLS_|SHA/, 'the right server is spoken to by TLS';
like cipher('unnamed'), qr/^TLS_|SHA/, 'ssl-ca alone asks no name';
is cipher('plain'), '', 'who does not ask for TLS speaks in plain text';
for (
    [wrong => qr/certificate/, 'a certificate of somebody else'],
    [name => qr/certificate/, 'a certificate of another name'],
    [stripped => qr/SSL is required|offers none/, 'a server without TLS, with tls=required'],
    [downgraded => qr/offers none/, '... or an ssl-ca alone'],
    [enforced => qr/offers none/, '... or ssl-enforce'],
    [unchecked => qr/ssl-verify-server-cert=1/, 'a name that is not checked, with tls=required'],
    [nowhere => qr/ssl-ca/, 'a group that is nowhere, with tls=required'],
) {
    my ($name, $why, $what) = @$_;
    is cipher($name), 503, "$what is refused";
    like reason($name), $why, '... and why is in the log';
}
my ($asked) = $dbh->selectrow_array(q{SELECT COUNT(*) FROM information_schema.processlist
    WHERE user = 'mouse' AND host LIKE '127.0.0.1:%' AND command <> 'Sleep'});
is $asked, 0, 'nobody stays who was refused';

# ---- as in plain text ----

is length json(request('right.tls.test', GET => '/long'))->{text}, 3_000_000, 'many bytes come';
is json(request('paused.tls.test', POST => '/length', {json => {text => 'x' x 7_000_000}}))->{bytes},
    7_000_000, '... and go, even when they have to wait';

sub running {
    my ($count) = $dbh->selectrow_array(q{SELECT COUNT(*) FROM information_schema.processlist
        WHERE info LIKE 'SELECT SLEEP(60)%' AND command <> 'Sleep'});
    return $count;
}

my $client = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => port()) or die "connect: $!";
print $client "GET /sleep HTTP/1.1\r\nHost: right.tls.test\r\n\r\n";
ok until_true(10, \&running), 'a statement runs';
close $client;
ok until_true(10, sub { !running() }), '... and ends when its client leaves';

# A connection that is lost is no reason for the next one, in the same thread, to be.
for (1 .. 5) {
    my $killed = 0;
    for my $id (@{ $dbh->selectcol_arrayref(q{SELECT id FROM information_schema.processlist
        WHERE user = 'mouse' AND command = 'Sleep' AND db = 'mouse_http'}) }) {
        $killed += eval { local $dbh->{PrintError} = 0; $dbh->do("KILL $id"); 1 } ? 1 : 0;
    }
    ok $killed, 'connections are killed';
    like cipher('right'), qr/^TLS_|SHA/, '... and others take their place';
}

for my $proxy (@proxies) {
    kill TERM => $proxy;
    waitpid $proxy, 0;
}
done_testing;
