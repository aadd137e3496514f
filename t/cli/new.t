# mouse new, check, routes, test, help: an app from nothing, in a folder with a space.
use strict;
use warnings FATAL => 'all';

use Cwd ();
use Test::More;
use Mouse qw(mouse json slurp spew change);

my ($status, $out, $err) = mouse('new', 'my apps/to do');
is $status, 0, 'an app is made';
like $out, qr/mouse serve/, '... and what comes next is said';
ok -f "my apps/to do/$_", "... with $_"
    for qw(app.conf schema.sql models/todos.sql public/index.html tests/api.t README.md .gitignore);
unlike slurp('my apps/to do/README.md') . slurp('my apps/to do/app.conf'), qr/\@\w+\@/, '... all filled in';

spew('my apps/to do/README.md', 'mine');
is mouse('new', 'my apps/to do'), 1, 'what is there is not overwritten';
is slurp('my apps/to do/README.md'), 'mine', '... nor touched';
mkdir 'empty' or die $!;
is mouse('new', 'empty'), 1, '... not even an empty folder';
is mouse('new'), 2, 'a name is needed';
is mouse('new', 'x', '--db', 'oracle'), 2, 'and a database that there is';
is mouse('new', 'x', '--db'), 2, '... in words';
is mouse('new', "quo\"te"), 2, 'httpd could not read that path';
ok !-e $_, "... $_ is not made" for 'x', "quo\"te";

($status, $out, $err) = mouse('check', 'my apps/to do');
is $status, 0, 'the new app is without a mistake' or diag $out, $err;
like $out, qr/^all is well: 4 routes$/m, '... and without a warning';
unlike $out . $err, qr/\e/, '... without colour, because this is no terminal';
ok -f 'my apps/to do/data/to_do.sqlite', '... its database is there';

($status, $out) = mouse('routes', 'my apps/to do');
like $out, qr{^  GET   /api/todos +own  sql todos/list }m, 'its routes';
($status, $out) = mouse('routes', '--json', 'my apps/to do');
my $routes = json($out);
is scalar @$routes, 4, '... and for programs';
my ($post) = grep { $_->{method} eq 'POST' } @$routes;
is_deeply [@$post{qw(path model guards)}], ['/api/todos', 'todos/create', ['own']], '... with all there is to say';
like $post->{file}, qr{/to do/app\.conf$}, '... and where it stands';

my $models = 'my apps/to do/models/todos.sql';
change($models, 'SELECT id, title, done, created_at FROM', 'SELECT id, titel, done, created_at FROM');
($status, $out) = mouse('check', 'my apps/to do');
is $status, 1, 'a column that is not there is a mistake';
like $out, qr{^error: models/todos\.sql:\d+:12\n.*\| SELECT id, titel,.*\n       \|            \^~~~~\n.*titel}m,
    '... shown with file, line and caret';
($status, $out) = mouse('check', '--json', 'my apps/to do');
is $status, 1, '... for programs, too';
is json($out)->[0]{level}, 'error', '... as JSON';
change($models, 'titel', 'title');

change('my apps/to do/app.conf', 'todos/create', 'todos/crate');
($status, $out) = mouse('check', 'my apps/to do');
like $out, qr{^error: app\.conf:\d+:\d+\n.*todos/crate}m, 'a model that is not there: the line of the route';
change('my apps/to do/app.conf', 'todos/crate', 'todos/create');
change('my apps/to do/app.conf', 'MouseRoute GET  /health', 'MouseRoute GOT  /health');
($status, $out) = mouse('check', 'my apps/to do');
like $out, qr{^error: app\.conf:\d+:\d+\n.*MouseRoute GOT}m, 'a slip in a directive';
change('my apps/to do/app.conf', 'GOT', 'GET');

# Habits.
spew($models, slurp($models) . <<'SQL');

-- name: all :many
SELECT t.*, 1 FROM todos t;

-- name: own :many
SELECT id FROM todos WHERE title = :title;

-- name: both :object
-- answer: first :one
SELECT COUNT(*) AS n, 2 * 3 AS six FROM todos;
-- answer: rest :many
SELECT id FROM todos WHERE (:q IS NULL OR title = :q);

-- name: picked :many
SELECT id FROM todos WHERE id IN (:ids) AND title = :name AND done = :done AND title <> :name;
SQL
change($models, '-- name: own :many', "-- name: own :many\n-- param: title string");
change($models, '-- name: both :object', "-- name: both :object\n-- param: q string optional");
change($models, '-- name: picked :many', "-- name: picked :many\n-- param: ids int[] (1..9)");
change('my apps/to do/app.conf', '    MouseUse   own', '    MouseRoute POST /open sql todos/create without=all');
spew('my apps/to do/app.conf', slurp('my apps/to do/app.conf') . <<'CONF');
MouseRoute GET /all    sql todos/all
MouseRoute GET /own    sql todos/own
MouseRoute GET /both   sql todos/both
MouseRoute GET /page   docs /api/openapi.json "${APP}/page"
MouseRoute GET /lost   docs /openapi.json "${APP}/page"
CONF
mkdir 'my apps/to do/page' or die $!;
spew("my apps/to do/page/$_", '/* its part */') for qw(swagger-ui.css swagger-ui-bundle.js);
($status, $out) = mouse('check', 'my apps/to do', '--json');
is $status, 0, 'habits are no mistakes';
my @said = map { $_->{message} } @{ json($out) };
is scalar(grep { /\Qtodos\/all: "*"\E/ } @said), 1, 'SELECT * is a habit';
is_deeply [sort map { m{^(todos/\w+): as many rows} } @said], ['todos/all', 'todos/both'],
    'and rows without an end, but not those of a value';
is_deeply [map { m{nothing uses the model ([\w/]+)} } @said], ['todos/picked'], 'a model that nothing uses';
is scalar(grep { /give: \{name\}, \{done\}$/ } @said), 1, '... and what it does not declare, once';
my ($lost) = grep { $_->{message} =~ /^docs shows/ } @{ json($out) };
my @lines = split /\n/, slurp('my apps/to do/app.conf');
like $lines[$lost->{line} - 1], qr{^MouseRoute GET /lost }, 'a page of a document that nothing serves';
like $lost->{message}, qr{ document at /openapi\.json, }, '... which';
is_deeply [map { m{nothing uses the guard (\S+)} } @said], ['own'], 'a guard that nothing uses';
is_deeply [sort map { m{^POST (\S+) writes} } @said], ['/api/open', '/api/todos'], 'writing without a guard';
is scalar(@said), 8, 'and nothing else';

spew('error.log', <<'LOG');
[Tue Dec 01 05:43:34.123456 2026] [mpm_event:notice] [pid 1:tid 2] AH00489: Apache configured -- resuming normal operations
[Tue Dec 01 05:43:35.123456 2026] [mouse:error] [pid 1:tid 2] [client 127.0.0.1:5] mouse: database-error: no such table: x
[Tue Dec 01 05:43:36.123456 2026] [core:warn] [pid 1:tid 2] AH00098: pid file overwritten
LOG
is_deeply [(mouse('log', 'error.log'))[0, 1]], [0, <<'LOG'], 'a log, readable';
Tue Dec 01 05:43:35.123456 2026 error [client 127.0.0.1:5] mouse: database-error: no such table: x
Tue Dec 01 05:43:36.123456 2026 warning AH00098: pid file overwritten
LOG
is mouse('log', 'tested.log'), 2, 'one that is not there';

mouse('new', 'tested');
($status, $out, $err) = mouse('test', 'tested');
is $status, 0, 'the tests of a new app pass' or diag $out, $err;
like $out, qr/^All tests successful\.$/m, '... and say so';
change('tested/models/todos.sql', ':title);', "'always');");
change('tested/models/todos.sql', '-- param: title string(1..200)', '-- param: title string(1..200) optional');
ok((mouse('test', 'tested'))[0] != 0, 'and fail when the app is wrong');

($status, $out, $err) = mouse('test', 'tested', 'none.t');
is $status, 2, 'a test that is not there';
like $err, qr/there is no .*none\.t/, '... is named';
is mouse('test', 'tested', '--params', 'dbname=a_test'), 2, 'parameters are of no use to SQLite';
my $elsewhere = Cwd::getcwd() . '/elsewhere.sqlite';
mouse('new', 'apart');
change('apart/app.conf', '${DATA}/apart.sqlite', $elsewhere);
is mouse('check', 'apart'), 0, 'a database outside of the app';
($status, $out, $err) = mouse('test', 'apart');
is $status, 1, '... is not written into by tests';
like $err, qr/would write into \Q$elsewhere\E: /, '... and named';

($status, $out, $err) = mouse('new', '--empty', 'nothing');
is $status, 0, 'an app of nothing';
like $out, qr/schema\.sql.*\n  mouse add route GET /, '... says how to begin';
is_deeply [grep { -s $_ } glob 'nothing/{models,public,models/*,public/*}'], ['nothing/models', 'nothing/public'],
    '... without a model or a page';
unlike slurp("nothing/$_"), qr/todo|^\@/m, "... nor a to-do in $_" for qw(app.conf README.md schema.sql tests/api.t);
like((mouse('check', 'nothing'))[1], qr/^all is well: 0 routes$/m, '... nor a warning');
is((mouse('test', 'nothing'))[0], 0, '... and passes its tests');
ok -f 'nothing/data/nothing.sqlite', '... with a database that has nothing';
spew('nothing/schema.sql', slurp('nothing/schema.sql') . 'CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL);');
is mouse('add', 'route', $_, '/api/books', '--app', 'nothing'), 0, "... and takes a route for $_" for qw(GET POST);
like slurp('nothing/app.conf'), qr{    MouseUse   own\n    MouseRoute GET  /books .*\n    MouseRoute POST /books .*\n</MouseGroup>},
    '... in its group';
like((mouse('check', 'nothing'))[1], qr/^all is well: 2 routes$/m, '... without a warning');
is((mouse('test', 'nothing'))[0], 0, '... and its tests still pass');
spew('nothing/schema.sql', slurp('nothing/schema.sql') . 'CREATE TABLE authors (id INTEGER PRIMARY KEY);');
($status, $out, $err) = mouse(qw(add route GET /api/authors --app nothing));
is $status, 1, '... a table that schema.sql alone has';
like $err, qr/schema\.sql has a table authors, the database .* none: change it with sqlite3 /, '... and what to do';
is mouse(qw(new --empty --with accounts club)), 0, 'nothing but accounts';
like((mouse('check', 'club'))[1], qr/^all is well/m, '... without a warning');

($status, $out, $err) = mouse('new', 'members', '--with', 'accounts');
is $status, 0, 'an app with accounts';
($status, $out) = mouse('check', 'members');
is $status, 0, '... without a mistake' or diag $out;
like $out, qr/^all is well/m, '... and without a warning' or diag $out;
like((mouse('routes', 'members'))[1], qr{POST +/api/login }, '... where people log in');

($status, $out) = mouse('help');
is $status, 0, 'help';
unlike $out, qr/\]\(|:$/m, '... in whole sentences';
for my $command ($out =~ /^  (\w+) {2,}\S/mg) {
    ($status, $out) = mouse('help', $command);
    is $status, 0, "help $command";
    like $out, qr/^  mouse $command /m, '... says how to call it';
    unlike $out, qr/`|\]\(/, '... without marks';
}
is mouse('help', 'nonsense'), 2, 'no help for nonsense';
is mouse('nonsense'), 2, 'nor is it a command';
is mouse('check', '/nowhere'), 2, 'an app that is not there';
is mouse('check', '--yaml'), 2, 'an option that is not there';

done_testing;
