# mouse deploy, rollback: a failing check changes nothing, a server there goes on without a gap.
use strict;
use warnings FATAL => 'all';

use Cwd ();
use IO::Socket::INET ();
use Test::More;
use Mouse qw(mouse ask json wait_for slurp spew change);

my $site = 'my sites/one';
mouse('new', 'app');
my ($status, $out, $err) = mouse('deploy', $site, 'app');
is $status, 0, 'the first release' or diag $out, $err;
like $out, qr/no server runs there: .* -k start/, '... and how to serve it';
like $out, qr/^its address is in the file: Listen 127\.0\.0\.1:8080$/m, '... and where';
my $first = readlink "$site/current";
like $first, qr{^releases/\d{8}-\d{6}$}, 'a link to it';
ok -f "$site/data/app.sqlite", 'the database lives outside of it';
ok !-e "$site/current/data", '... alone';
is((mouse('rollback', $site))[0], 1, 'there is nothing before the first');

my $port = do { IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1')->sockport };
change("$site/httpd.conf", '127.0.0.1:8080', "127.0.0.1:$port");
my @httpd = ($ENV{HTTPD}, '-f', Cwd::getcwd() . "/$site/httpd.conf");
is system(@httpd, '-k', 'start'), 0, 'the server that was named starts';
my $url = "http://127.0.0.1:$port";
ok wait_for(sub { ask(GET => "$url/api/todos")->code == 200 }), '... and serves';
is ask(GET => "$url/")->code, 200, '... the page, too';
my $pid = slurp("$site/httpd.pid") + 0;
is ask(POST => "$url/api/todos", {title => 'Kept'})->code, 201, 'something to keep';

my $asking = fork // die "fork: $!";
if (!$asking) {
    my $bad = 0;
    $SIG{TERM} = sub { require POSIX; POSIX::_exit($bad > 100 ? 100 : $bad) };
    while (1) { $bad++ if ask(GET => "$url/api/todos")->code != 200; select undef, undef, undef, 0.01 }
}
change('app/models/todos.sql', 'SELECT id, title, done, created_at', 'SELECT id, title AS what, done, created_at');
($status, $out) = mouse('deploy', $site, 'app');
is $status, 0, 'the second release' or diag $out;
like $out, qr/restarted gracefully/, '... restarts the server';
ok wait_for(sub { json(ask(GET => "$url/api/todos"))->[2]{what} eq 'Kept' }), '... which serves it, with the data';
my $second = readlink "$site/current";
isnt $second, $first, 'the link is another';

change('app/models/todos.sql', 'title AS what', 'titel AS what');
my @before = sort glob "'$site/releases/*'";
($status, $out, $err) = mouse('deploy', $site, 'app');
is $status, 1, 'a release with a mistake';
like $out, qr{^error: models/todos\.sql:\d+:12$}m, '... which is shown';
like $err, qr/nothing was deployed/, '... and not deployed';
is readlink "$site/current", $second, '... the link is as before';
is_deeply [sort glob "'$site/releases/*'"], \@before, '... and so are the releases';
ok !-e "$site/.deploying", '... and nothing is left over';
is json(ask(GET => "$url/api/todos"))->[0]{what}, 'Make an app', '... and served is what was';

($status, $out) = mouse('rollback', $site);
is $status, 0, 'a rollback' or diag $out;
is readlink "$site/current", $first, '... to the release before';
ok wait_for(sub { json(ask(GET => "$url/api/todos"))->[0]{title} }), '... is served';
is mouse('rollback', $site, '--to', $second =~ s{.*/}{}r), 0, '... or to one by its name';
is readlink "$site/current", $second, '... also forward';
($status, $out, $err) = mouse('rollback', $site, '--to', 'never');
is $status, 1, '... that there is';
like $err, qr/no release never in .*; there are \d{8}-\d{6}[.\d]* \d{8}-/, '... and which are';
kill TERM => $asking;
waitpid $asking, 0;
is $? >> 8, 0, 'whoever asked all the time always got an answer';

# A release that the database no longer fits.
change('app/models/todos.sql', 'titel AS what', 'title');
is mouse('deploy', $site, 'app', '--pid', "$site/httpd.pid"), 0, 'a third, by the pid file';
change("$site/$first/models/todos.sql", 'SELECT id, title, done', 'SELECT id, gone, done');
($status, $out, $err) = mouse('rollback', $site, '--to', $first =~ s{.*/}{}r);
is $status, 1, 'a rollback to what no longer fits the database';
like $err, qr/nothing was changed/, '... changes nothing';

for (1 .. 5) { is mouse('deploy', $site, 'app'), 0, "release after release" }
is scalar(my @kept = glob "'$site/releases/*'"), 5, 'five are kept';
ok -f "$site/current/app.conf", '... the one that is served among them';
mkdir "$site/.deploying" or die $!;
is((mouse('deploy', $site, 'app'))[0], 1, 'one deployment at a time');
rmdir "$site/.deploying" or die $!;
is((mouse('deploy', 'app/inside', 'app'))[0], 2, 'not into the app itself');
is((mouse('deploy'))[0], 2, 'nor into nowhere');

# The first deployment with a mistake leaves no database that a mended one would not make.
mouse('new', 'other');
change('other/app.conf', 'todos/list', 'todos/lost');
is((mouse('deploy', 'other site', 'other'))[0], 1, 'a first release with a mistake');
ok !glob("'other site/data/*'"), '... leaves no database';
ok !-l 'other site/current', '... and no link';

is system(@httpd, '-k', 'stop'), 0, 'the server ends';
ok wait_for(sub { !-e "$site/httpd.pid" }), '... itself';

END { my $status = $?; kill TERM => $pid if $pid && -e "$site/httpd.pid"; $? = $status }

done_testing;
