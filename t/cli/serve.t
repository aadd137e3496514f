# mouse serve: a change is served without a gap, a mistake is shown and changes nothing.
use strict;
use warnings FATAL => 'all';

use Test::More;
use Time::HiRes qw(sleep);
use Cwd ();
use IO::Socket::INET ();
use Mouse qw(mouse serve stop output ask json wait_for slurp spew change);
use Browser ();

my $app = 'my apps/to do';
is mouse('new', $app), 0, 'an app';
my ($server, $url) = serve($app);
ok wait_for(sub { output($server) =~ m{^  POST +/api/todos}m }), 'the routes are shown';
is ask(GET => "$url/api/health")->code, 200, 'it answers';
is scalar @{ json(ask(GET => "$url/api/todos")) }, 2, 'with what schema.sql says';
is ask(POST => "$url/api/todos", {title => 'Mend it'})->code, 201, 'and takes';
is ask(GET => "$url/api/todos/9")->code, 404, 'a path that is no route';
is mouse('call', 'GET', '/api/todos?limit=1', $app), 2, 'a call takes no app';
chdir $app or die $!;
is mouse('call', 'GET', '/api/todos?limit=1'), 0, 'a call';
chdir '../..' or die $!;
ok wait_for(sub { output($server) =~ m{^GET +/api/todos\?limit=1 +200 +\d+\.\d+ ms \(guards}m }), '... is a line, too';
is +(stat "$app/.mouse/call.key")[2] & 0777, 0600, '... whose key is private';
is ask(POST => "$url/.mouse/call", undef, 'Mouse-Call' => '{"key":"","method":"GET","target":"/api/todos"}')->code, 403,
    '... and asked for';
is ask(GET => "$url/.mouse/call.key")->code, 404, '... and served to nobody';
ok wait_for(sub { output($server) =~ m{^POST +/api/todos +201 +\d+\.\d+ ms \(guards \d+\.\d+, sql \d+\.\d+, json \d+\.\d+\)$}m }), 'a line per request';
is((ask(GET => "$url/"))->code, 200, 'a folder');
ok wait_for(sub { output($server) =~ m{^GET +/ +200 }m }), '... is named as it was asked for';
my ($mode) = (stat "$app/.mouse")[2] & 0777;
is $mode & 0066, 0, 'the run folder is private';

my $page = ask(GET => "$url/");
is $page->code, 200, 'its page';
like $page->content, qr{<script src=/\.mouse/reload\.js></script></body>}, '... loads itself again';
unlike slurp("$app/public/index.html"), qr/reload/, '... though its file says nothing of it';
is ask(GET => "$url/.mouse/$_")->code, 404, "not for everybody: $_" for qw(error.log httpd.conf ../app.conf);
my $version = ask(GET => "$url/.mouse/version.json");
is ask(GET => "$url/.mouse/version.json", undef, 'If-None-Match' => $version->header('ETag'))->code, 304,
    'pages ask cheaply';

my ($status, $out, $err) = mouse('serve', $app);
is $status, 1, 'an app is served once';
like $err, qr/\Q$url\E/, '... and it is said where';

# Somebody asks all the time while the model changes.
my $asking = fork // die "fork: $!";
if (!$asking) {
    my $bad = 0;
    $SIG{TERM} = sub { require POSIX; POSIX::_exit($bad > 100 ? 100 : $bad) };
    while (1) { $bad++ if ask(GET => "$url/api/todos")->code != 200; sleep 0.01 }
}
my $model = "$app/models/todos.sql";
change($model, "SELECT id, title, done, created_at\n", "SELECT id, title AS what, done, created_at\n");
ok wait_for(sub { json(ask(GET => "$url/api/todos"))->[0]{what} }), 'a changed model is served';
ok wait_for(sub { output($server) =~ /^reloaded$/m }), '... and said to be';
ok wait_for(sub { json(ask(GET => "$url/.mouse/version.json"))->{generation} ne json($version)->{generation} }),
    '... to pages, too';

change($model, 'title AS what', 'titel AS what');
ok wait_for(sub { output($server) =~ /^error: models\/todos\.sql:\d+:12$/m }), 'a mistake is shown';
like output($server), qr/\| SELECT id, titel AS what.*\n +\| +\^~~~~\n  todos\/list: no such column: titel\n/,
    '... with its line and a caret';
ok wait_for(sub { output($server) =~ /^the version before keeps serving$/m }), '... and what becomes of it';
like json(ask(GET => "$url/.mouse/version.json"))->{problem}, qr/no such column: titel/, '... to pages, too';
unlike json(ask(GET => "$url/.mouse/version.json"))->{problem}, qr/\e/, '... without colours';
is json(ask(GET => "$url/api/todos"))->[0]{what}, 'Make an app', 'what was served is served on';

change($model, 'titel AS what', 'title AS name');
ok wait_for(sub { json(ask(GET => "$url/api/todos"))->[0]{name} }), 'a mended one is served';
ok wait_for(sub { json(ask(GET => "$url/.mouse/version.json"))->{problem} eq '' }), '... and the mistake is gone';
kill TERM => $asking;
waitpid $asking, 0;
is $? >> 8, 0, 'whoever asked all the time always got an answer';

change("$app/app.conf", 'MouseGroup "/api"', 'MouseGroup /api"');
ok wait_for(sub { output($server) =~ /^error: app\.conf:\d+/m }), 'a mistake in app.conf';
is ask(GET => "$url/api/health")->code, 200, '... changes nothing';
change("$app/app.conf", 'MouseGroup /api"', 'MouseGroup "/api/v2"');
ok wait_for(sub { ask(GET => "$url/api/v2/health")->code == 200 }), 'other paths, at once';
change("$app/app.conf", '"/api/v2"', '"/api"');
ok wait_for(sub { ask(GET => "$url/api/health")->code == 200 }), '... and back';

spew("$app/schema.sql", slurp("$app/schema.sql") . "-- more\n");
ok wait_for(sub { output($server) =~ /^schema\.sql makes new databases;.* sqlite3 '.*to_do\.sqlite'/m }), 'what a changed schema does not do is said';

mkdir "$app/models/deep" or die $!;
spew("$app/models/deep/more.sql", "-- name: one :one\nSELECT 1 AS one;\n");
spew("$app/app.conf", slurp("$app/app.conf") . "MouseRoute GET /one sql deep/more/one\n");
ok wait_for(sub { ask(GET => "$url/one")->code == 200 }), 'a new file in a new folder';

SKIP: {
    skip 'chromium and chromedriver are not installed', 4 unless Browser::programs();
    my $browser = Browser->start(Cwd::getcwd() . '/browser');
    change($model, 'title AS name', 'title');
    $browser->go("$url/");
    ok wait_for(sub { $browser->text('#todos') =~ /Mend it/ }), 'the page shows what is to do'
        or diag $browser->text('#todos');
    $browser->run('window.before = true');
    change("$app/public/index.html", '<h1>', '<h1>All of ');
    ok wait_for(sub { $browser->text('h1') =~ /^All of/ }), 'an open page loads itself again';
    change($model, 'SELECT id, title,', 'SELECT id, titel,');
    ok wait_for(sub { $browser->text('#mouse-problem') =~ /titel/ }), '... and shows a mistake';
    change($model, 'SELECT id, titel,', 'SELECT id, title,');
    ok wait_for(sub { !$browser->run('return !!document.getElementById("mouse-problem")') }), '... until it is mended';
    undef $browser;
}

mouse(qw(new --empty later));
my ($later, $there) = serve('later');
spew('later/schema.sql', "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL);\nINSERT INTO notes (text) VALUES ('first');\n");
is mouse(qw(add route GET /api/notes --app later)), 0, 'a table for a database that had none, while it is served';
ok wait_for(sub { my $r = ask(GET => "$there/api/notes"); $r->code == 200 && json($r)->[0]{text} eq 'first' }),
    '... is there at once';
unlike output($later), qr/stays as it is/, '... and nothing is said of one that stays';
stop($later);

my $pid = slurp("$app/.mouse/httpd.pid") + 0;
ok kill(0, $pid) || $!{EPERM}, 'httpd runs';
is stop($server, 'INT'), 0, 'Ctrl-C ends it';
ok !(kill(0, $pid) || $!{EPERM}), '... and httpd';
ok !grep({ -d } glob "$ENV{TMPDIR}/mouse.??????"), '... and leaves no temporary folder';

# A port of one's own, one that is taken, and a mistake at the start.
my $socket = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1') or die $!;
my $port = $socket->sockport;
($status, $out, $err) = mouse('serve', $app, '--port', $port);
is $status, 1, 'a port that is taken';
like $err, qr/port $port is taken/, '... is said to be';
close $socket;
($server, $url) = serve($app, '--port', $port);
like $url, qr/:$port$/, 'a port of one\'s own';
is scalar @{ json(ask(GET => "$url/api/todos")) }, 3, 'the data are kept';
($status, $out) = mouse('log', $app);
is $status, 0, 'its log';
stop($server);
change("$app/app.conf", 'todos/create', 'todos/crate');
($status, $out, $err) = mouse('serve', $app);
is $status, 1, 'a mistake at the start ends it';
like $out, qr/^error: app\.conf/m, '... and is shown';

done_testing;
