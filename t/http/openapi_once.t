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

# How many connections wait for the table, to change or to prepare a statement on it.
sub waiting {
    my ($user) = @_;
    my ($count) = $other->selectrow_array(q{SELECT COUNT(*) FROM information_schema.processlist
        WHERE state = 'Waiting for table metadata lock' AND user = ?}, undef, $user);
    return $count;
}

# Asks many times at once, while a reader holds up a change of the table and that holds up all
# others; how many connections asked the database at the same time, and the answers.
sub ask {
    my ($change) = @_;
    $dbh->begin_work;
    $dbh->selectall_arrayref('SELECT id FROM once');
    $changer->do($change, {mariadb_async => 1});
    my $end = time + 10;
    sleep 0.02 until waiting('root') || time > $end;
    my @readers = map {
        my $pid = open(my $reader, '-|') // die "fork: $!";
        if ($pid == 0) {
            my $r = request('once.test', GET => '/openapi.json');
            print $r->code, ' ', $r->content;
            close STDOUT;
            POSIX::_exit(0);
        }
        $reader;
    } 1 .. $many;
    my $most = 0;
    $end = time + 2;
    while ($most < $many && time < $end) {
        my $now = waiting('mouse');
        $most = $now if $now > $most;
        sleep 0.02;
    }
    $dbh->commit;
    $changer->mariadb_async_result;
    return ($most, map { local $/; scalar readline $_ } @readers);
}

$dbh->do('DROP TABLE IF EXISTS once');
make_table();
my ($most, @answers) = ask('DROP TABLE once');
is $most, 1, 'one request asks the database';
is scalar(grep { /^500 .*"database-error"/ } @answers), $many, '... and all meet what it meets';

make_table();
($most, @answers) = ask('TRUNCATE TABLE once');
is $most, 1, 'the next ones try again, one of them';
is scalar(grep { /^200 / } @answers), $many, '... and all have the document';
is scalar(grep { $_ eq $answers[0] } @answers), $many, '... which is the same';

$dbh->do('DROP TABLE once');
is request('once.test', GET => '/openapi.json')->code, 200, 'it stays';

done_testing;
