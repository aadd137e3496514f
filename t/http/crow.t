# CrowPHP's sample: a greeting, the first 100 users, and a pool that stays small under load.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use DBI ();
use Test::More;
use MouseTest qw(request json port);

my $vars = Apache::Test::config()->{vars};
plan skip_all => 'MariaDB is not there' unless -f "$vars->{t_conf}/crow.db.conf";

my $host = 'crow.test';
is request($host, GET => '/')->content, '{"message":"Hello World"}', 'hello';
my $r = request($host, GET => '/users');
my $users = json($r);
is scalar @$users, 100, 'the first 100';
is_deeply $users->[0],
    {userId => 0, name => 'Rhett Purdy', email => 'user0@example.org'}, 'a user';
like $r->content, qr/^\[\{"userId":0,"name":"Rhett Purdy","email":/, 'in the order of the columns';

SKIP: {
    skip 'under prefork each child has a pool of one', 3
        if Apache::Test::config()->httpd_mpm eq 'prefork';
    my $dbh = DBI->connect("dbi:MariaDB:mariadb_socket=$ENV{MOUSE_TEST_MYSQL_SOCKET}", 'root', '',
        {RaiseError => 1});
    my $ab = open(my $out, '-|', 'ab', '-q', '-n', 100000, '-c', 30, '-k', '-H', "Host: $host",
        'http://127.0.0.1:' . port() . '/users') or die "ab: $!";
    my $most = 0;
    my $select = q{SELECT COUNT(*) FROM information_schema.processlist WHERE db = 'mouse_crow'};
    for (1 .. 40) {
        my ($now) = $dbh->selectrow_array($select);
        $most = $now if $now > $most;
        select undef, undef, undef, 0.2;
    }
    my $report = do { local $/; <$out> };
    close $out;
    like $report, qr/Complete requests:\s+100000/, 'all requests are answered';
    unlike $report, qr/Non-2xx/, '... well';
    cmp_ok $most, '<=', 13, 'never more than 12 connections, and the one for cancelling';
}
done_testing;
