# mouse add: routes, models of tables, guards; kept only when all is still well.
use strict;
use warnings FATAL => 'all';

use Test::More;
use Mouse qw(mouse serve stop output ask json wait_for slurp spew change);

mouse('new', 'an app');
chdir 'an app' or die $!;
my ($server, $url) = serve();

my ($status, $out, $err) = mouse(qw(add route GET /api/todos/{id:int}));
is $status, 0, 'a route' or diag $out, $err;
like $out, qr{^app\.conf: MouseRoute GET  /\{id:int\}|^app\.conf: MouseRoute GET  /todos/\{id:int\} sql todos/by_id$}m, '... is said';
like slurp('app.conf'), qr{^    MouseRoute POST /todos .*\n    MouseRoute GET  /todos/\{id:int\} sql todos/by_id\n</MouseGroup>}m,
    '... stands in its group, behind its last route';
like slurp('models/todos.sql'), qr{^-- name: by_id :one\n-- column: done bool\nSELECT id, title, done, created_at FROM todos WHERE id = :id;\n\z}m,
    '... with the model of its table';
for my $add ([qw(patch /api/todos/{id:int})], [qw(DELETE /api/todos/{id:int})]) {
    is mouse('add', 'route', @$add), 0, "@$add";
}
like slurp('models/todos.sql'), qr{^-- param: title string\(\.\.1000\) optional\n-- param: done bool optional\n}m,
    '... whose parameters are what the columns may be';
ok wait_for(sub { ask(DELETE => "$url/api/todos/2")->code == 204 }), 'served at once: DELETE';
is ask(DELETE => "$url/api/todos/2")->code, 404, '... once';
my $r = ask(PATCH => "$url/api/todos/1", {done => JSON::true()});
is $r->code, 200, 'PATCH';
is_deeply [@{ json($r) }{qw(title done)}], ['Make an app', JSON::true()], '... changes what was sent';
is json(ask(GET => "$url/api/todos/1"))->{id}, 1, 'GET';

my ($conf, $models) = (slurp('app.conf'), slurp('models/todos.sql'));
($status, $out) = mouse(qw(add route GET /api/todos/{id:int} todos/by_id));
is $status, 0, 'a route that is there';
like $out, qr/already/, '... is said to be';
is mouse(qw(add model todos/by_id)), 0, 'so is a model';
($status, $out, $err) = mouse(qw(add route GET /api/todos/{id:int} todos/other));
is $status, 1, 'another one on that path is refused';
is mouse(qw(add model todos/strange)), 1, 'a model that no table says';
($status, $out, $err) = mouse(qw(add model todos/by_id --kind one --sql), 'SELECT 1');
is $status, 1, 'nor is the SQL of a model changed that is there';
like $err, qr{change it in models/todos\.sql}, '... and it is said where to';
($status, $out, $err) = mouse(qw(add route GET /docs docs /openapi.json /nowhere));
is $status, 2, 'a route of another action';
like $err, qr{is a line of app\.conf: MouseRoute GET /docs docs /openapi\.json /nowhere;}, '... is said to be for app.conf';
($status, $out, $err) = mouse(qw(add route GET /unknown todos/unknown --kind one --sql), 'SELECT id FROM todos WHERE id = :given_nowhere');
is $status, 1, 'a value that nobody gives';
like $err, qr{given_nowhere.* app\.conf:\d+\)|given_nowhere.*at app\.conf}, '... is told with the route in app.conf';
unlike $err, qr{at /}, '... and not in the copy';
is mouse(qw(add model nothing/list)), 1, 'a table that is not there';
is mouse(qw(add route GET api/todos)), 2, 'a path without its slash';
is mouse(qw(add route LOOK /api/todos)), 2, 'a method that is not there';
is mouse(qw(add model ../x/list)), 2, 'a model outside of the app';
is mouse(qw(add)), 2, 'nothing to add';
($status, $out, $err) = mouse(qw(add route GET /api/open todos/open --kind many --sql), 'SELECT nonsense FROM todos');
is $status, 1, 'SQL that its database refuses';
like $err, qr{^error: models/todos\.sql:\d+:8\n.*\n.*\^~~~~~~~\n.*no such column: nonsense\n(?s:.*)nothing was changed}m, '... is shown';
is slurp('app.conf'), $conf, 'after all that app.conf is as before';
is slurp('models/todos.sql'), $models, '... and so are the models';

is mouse(qw(add route GET /api/open todos/open --kind many --sql), 'SELECT id FROM todos WHERE NOT done LIMIT 9'), 0,
    'SQL that it takes';
($status, $out, $err) = mouse(qw(add model tags/all --kind many --sql), 'SELECT DISTINCT title FROM todos LIMIT 9;');
is $status, 0, 'a file of its own' or diag $err;
like $out, qr{^nothing uses it yet: `mouse add route METHOD PATH tags/all`}m, '... that waits for a route';
is mouse(qw(add model tags/bad --kind many --sql), 'SELECT nonsense FROM todos'), 1, '... and is prepared before';
is mouse(qw(add route GET /tags sql tags/all)), 0, 'a route outside of the groups';
like slurp('app.conf'), qr{^MouseRoute GET  /tags sql tags/all\n\z}m, '... stands at the end';
ok wait_for(sub { ask(GET => "$url/tags")->code == 200 }), '... and is served';

($status, $out, $err) = mouse(qw(add guard calm rate-limit 100/1m key={request.ip}));
is $status, 0, 'a guard' or diag $err;
like slurp('app.conf'), qr{^MouseGuard    own same-origin\nMouseGuard    calm rate-limit 100/1m key=\{request\.ip\}\n}m,
    '... behind the others';
is mouse(qw(add guard calm rate-limit 100/1m key={request.ip})), 0, '... once';
is mouse(qw(add guard calm rate-limit 5/1m key={request.ip})), 1, 'another one of that name is refused';
is mouse(qw(add guard hasty rate-limit often)), 1, 'one that is wrong is, too';
is mouse('add', 'guard', 'small', 'expr', "%{HTTP_HOST} == 'a b'", 'else=403'), 0, 'a word with spaces';
is mouse(qw(add route PUT /api/todos/{id:int} todos/change use=calm status=202)), 0, 'a route with options';
ok wait_for(sub { ask(PUT => "$url/api/todos/1", {title => 'x'})->code == 202 }), '... is served with them';
is mouse('check'), 0, 'all is well';

spew('app.conf', slurp('app.conf') . <<'CONF');
<MouseGroup "/api/deep">
    <MouseGroup "/er">
    </MouseGroup>
</MouseGroup>
CONF
is mouse(qw(add route GET /api/deep/er/{id:int} todos/by_id)), 0, 'a path in nested groups';
is mouse(qw(add route GET /api/deep todos/list)), 0, '... and of a group itself';
like slurp('app.conf'), qr{^<MouseGroup "/api/deep">\n    <MouseGroup "/er">\n        MouseRoute GET  /\{id:int\} sql todos/by_id\n    </MouseGroup>\n    MouseRoute GET  "" sql todos/list\n</MouseGroup>}m,
    '... where they belong';
ok wait_for(sub { ask(GET => "$url/api/deep/er/1")->code == 200 && ask(GET => "$url/api/deep")->code == 200 }), '... served';

change('app.conf', 'MouseDatabase', 'MouseDatabank');
($status, $out, $err) = mouse(qw(add route GET /more todos/list));
is $status, 1, 'a mistake that was there before';
like $err, qr/mend this first/, '... is to be mended first';
stop($server);

done_testing;
