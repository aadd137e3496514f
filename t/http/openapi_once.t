# The first requests for an OpenAPI document, all at once: one of them makes it.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use DBI ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);
use MouseTest qw(request json);

my $socket = $ENV{MOUSE_TEST_MYSQL_SOCKET}
    or plan skip_all => 'MariaDB is not there';
plan skip_all => 'a process of prefork has one request at a time'
    if Apache::Test::config()->httpd_mpm eq 'prefork';

my $dbh = DBI->connect("dbi:MariaDB:database=mouse_http;mariadb_socket=$socket", 'root', '',
    {RaiseError => 1});
my $changer = $dbh->clone;
my $other = $dbh->clone;
my $many = 8;

sub make_table {
    $dbh->do('CREATE TABLE once (id INT PRIMARY KEY, title VARCHAR(9) NOT NULL)');
}

# The connections that wait for the table, to change it or to prepare a statement on it.
sub waiting {
    my ($user) = @_;
    return @{ $other->selectcol_arrayref(q{SELECT id FROM information_schema.processlist
        WHERE state = 'Waiting for table metadata lock' AND user = ?}, undef, $user) };
}

sub start_reader {
    my $pid = open(my $reader, '-|') // die "fork: $!";
    return {pid => $pid, from => $reader} if $pid;
    my $r = request('once.test', GET => '/openapi.json');
    print $r->code, ' ', $r->content;
    close STDOUT;
    POSIX::_exit(0);
}

sub until_true {
    my ($seconds, $ask) = @_;
    my $end = time + $seconds;
    sleep 0.02 until $ask->() || time > $end;
}

# Asks many times at once, while a reader holds up a change of the table and that holds up all
# others. With `leaves` the client whose request came first goes. How many connections asked the
# database at the same time, and the answers.
sub ask {
    my ($change, $leaves) = @_;
    $dbh->begin_work;
    $dbh->selectall_arrayref('SELECT id FROM once');
    $changer->do($change, {mariadb_async => 1});
    until_true(10, sub { waiting('root') });
    my @readers = start_reader();
    until_true(10, sub { waiting('mouse') });
    push @readers, start_reader() for 2 .. $many;
    my $most = 0;
    until_true(2, sub {
        my $now = () = waiting('mouse');
        $most = $now if $now > $most;
        return $most == $many;
    });
    if ($leaves) {
        my ($first) = waiting('mouse');
        my $leaver = shift @readers;
        kill KILL => $leaver->{pid};
        close $leaver->{from};
        until_true(10, sub { grep { $_ != $first } waiting('mouse') });
        ok scalar(grep { $_ != $first } waiting('mouse')), 'when its client leaves another one asks';
    }
    $dbh->commit;
    $changer->mariadb_async_result;
    return ($most, map { local $/; readline $_->{from} } @readers);
}

$dbh->do('DROP TABLE IF EXISTS once');
make_table();
my ($most, @answers) = ask('DROP TABLE once');
is $most, 1, 'one request asks the database';
is scalar(grep { /^500 .*"database-error"/ } @answers), $many, '... and all meet what it meets';

make_table();
($most, @answers) = ask('DROP TABLE once', 'leaves');
is scalar(grep { /^500 .*"database-error"/ } @answers), $many - 1, '... for all that are left';

make_table();
($most, @answers) = ask('TRUNCATE TABLE once');
is $most, 1, 'the next ones try again, one of them';
is scalar(grep { /^200 / } @answers), $many, '... and all have the document';
is scalar(grep { $_ eq $answers[0] } @answers), $many, '... which is the same';

$dbh->do('DROP TABLE once');
is request('once.test', GET => '/openapi.json')->code, 200, 'it stays';

done_testing;
