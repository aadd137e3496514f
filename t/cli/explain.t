# mouse explain and call, and an app on MariaDB where one runs.
use strict;
use warnings FATAL => 'all';

use Cwd ();
use Test::More;
use Mouse qw(mouse serve stop output ask json wait_for slurp spew change);

# What holds on both databases; the plans differ.
sub look {
    my ($name, %plan) = @_;
    my ($status, $out, $err) = mouse(qw(explain get /api/todos/7?x=1));
    is $status, 0, "$name: a request is explained" or diag $out, $err;
    like $out, qr{^route GET /api/todos/\{id:int\} \(app\.conf:\d+\)\n  id = 7\nguard own: same-origin \(app\.conf:\d+\)\naction sql todos/by_id\n  parameters: id path int\n  statement \(models/todos\.sql:\d+\)\n    SELECT id, title, done, created_at FROM todos WHERE id = \?\n    plan: $plan{key}}m,
        "$name: ... with route, chain, SQL and plan";
    ($status, $out) = mouse(qw(explain GET /api/todos));
    like $out, qr{^    plan: $plan{scan}}m, "$name: ... a scan is told";
    ($status, $out) = mouse(qw(explain POST /api/todos));
    is scalar(my @statements = $out =~ /^  statement /mg), 2, "$name: each statement of a write";
    like $out, qr{^    INSERT INTO todos \(title\) VALUES \(\?\)$}m, "$name: ... with its text";
}

# The same for programs.
sub look_at_json {
    my ($name, %plan) = @_;
    my ($status, $out, $err) = mouse(qw(explain GET /api/todos/7 --json));
    is $status, 0, "$name: a request is explained to programs" or diag $out, $err;
    my $told = json($out);
    my $app = Cwd::getcwd();
    my $route = $told->{route};
    like delete $route->{line}, qr/^\d+$/, "$name: ... with the route's line";
    is_deeply $route, {method => 'GET', path => '/api/todos/{id:int}', host => undef, values => {id => 7},
        file => "$app/app.conf"}, "$name: ... and what it is";
    my $guard = $told->{guards}[0];
    like delete $guard->{line}, qr/^\d+$/, "$name: ... guards";
    is_deeply $told->{guards}, [{name => 'own', provider => 'same-origin', file => "$app/app.conf",
        statements => []}], "$name: ... as they are";
    is_deeply $told->{action}, {name => 'sql', model => 'todos/by_id'}, "$name: ... the action";
    is $told->{parameters}, 'id path int', "$name: ... its parameters";
    my ($statement, @more) = @{ $told->{statements} };
    is_deeply \@more, [], "$name: ... one statement";
    is $statement->{text}, 'SELECT id, title, done, created_at FROM todos WHERE id = ?', "$name: ... its text";
    is $statement->{file}, "$app/models/todos.sql", "$name: ... its file";
    like slurp($statement->{file}), qr/\A(?:.*\n){@{[$statement->{line} - 1]}}SELECT id, title/, "$name: ... and line";
    like $statement->{plan}[0], qr/^$plan{key}/, "$name: ... its plan";
    is $statement->{trouble}, undef, "$name: ... and no trouble";
    $told = json((mouse(qw(explain POST /api/todos --json)))[1]);
    is scalar @{ $told->{statements} }, 2, "$name: ... each statement of a write";
    ($status, $out) = mouse(qw(explain GET /api/whoami --json));
    my ($user) = grep { $_->{name} eq 'user' } @{ json($out)->{guards} };
    like $user->{statements}[0]{text}, qr/^SELECT id, title AS name FROM todos/, "$name: ... and what a guard asks";
}

sub describe {
    my ($name, $title) = @_;
    my ($status, $out, $err) = mouse('openapi');
    is $status, 0, "$name: there is an OpenAPI document" or diag $out, $err;
    my $document = json($out);
    is $document->{info}{title}, $title, "$name: ... of this app";
    my $schema = $document->{paths}{'/api/todos'}{get}{responses}{200}{content}{'application/json'}{schema};
    is_deeply $schema->{items}{properties}{done}, {type => 'boolean'}, "$name: ... with the types of columns";
    my $served = mouse(qw(call GET /api/openapi.json));
    is $served, 0, "$name: ... which is served, too";
}

# A route for somebody known.
sub add_whoami {
    spew('models/people.sql', <<'END');
-- name: by_key :one
-- param: key string from header.x_key
SELECT id, title AS name FROM todos WHERE title = :key LIMIT 1;
-- name: whoami :one
SELECT :user.id AS id, :user.name AS name;
END
    spew('app.conf', slurp('app.conf') . <<'END');
MouseGuard user lookup people/by_key else=401
MouseRoute GET /api/whoami sql people/whoami use=user
END
}

sub call {
    my ($name) = @_;
    my ($status, $out, $err) = mouse(qw(call GET /api/todos limit=1));
    is $status, 0, "$name: a call" or diag $out, $err;
    is scalar @{ json($out) }, 1, "$name: ... with a query";
    like $err, qr{^HTTP/1\.1 200 OK\n}, "$name: ... its head apart";
    ($status, $out) = mouse(qw(call POST /api/todos), 'title=With "quotes" & signs');
    is $status, 0, "$name: a body";
    is json($out)->{title}, 'With "quotes" & signs', "$name: ... of a string";
    my $id = json($out)->{id};
    ($status, $out) = mouse('call', 'PATCH', "/api/todos/$id", 'done:=true');
    is $status, 0, "$name: ... of JSON";
    ok json($out)->{done}, "$name: ... as it is";
    ($status, $out, $err) = mouse(qw(call POST /api/todos title=x Sec-Fetch-Site:cross-site));
    is $status, 1, "$name: a header, and an answer of 4xx";
    is json($out)->{status}, 403, "$name: ... which is printed";
    is mouse('call', 'DELETE', "/api/todos/$id"), 0, "$name: DELETE";
    ($status, $out) = mouse(qw(call GET /api/todos limit:=1));
    is scalar @{ json($out) }, 1, "$name: JSON in a query";
    ($status, $out, $err) = mouse(qw(call HEAD /api/todos));
    is "$status$out", '0', "$name: HEAD has no body";
    like $err, qr/^Content-Length: [1-9]/m, "$name: ... but its length";
    ($status, $out) = mouse(qw(call GET /api/whoami));
    is json($out)->{status}, 401, "$name: who nobody knows";
    ($status, $out) = mouse(qw(call GET /api/whoami --as), "user.name=\x{c3}\x{84}nn \"q\" \\", '--as=user.id:=7');
    is $status, 0, "$name: context by hand" or diag $out;
    is_deeply json($out), {id => 7, name => "\x{c4}nn \"q\" \\"}, "$name: ... a number and a text";
    ($status, $out) = mouse(qw(call GET /api/whoami --as user.id:=7));
    like json($out)->{detail}, qr/user\.name is read/, "$name: ... what is missing is said";
    is mouse(qw(call GET /api/whoami --as), $_), 2, "$name: wrong usage: --as $_" for 'user', 'id=7', 'user.id', '';
    is mouse(qw(call GET /api/whoami --as)), 2, "$name: --as wants a field";
}

mouse('new', 'lite app');
chdir 'lite app' or die $!;
is mouse(qw(call GET /api/todos)), 1, 'nothing is served yet';
mouse(qw(add route), @$_) for [qw(GET /api/todos/{id:int})], [qw(PATCH /api/todos/{id:int})], [qw(DELETE /api/todos/{id:int})];
add_whoami();
look('sqlite', key => 'SEARCH todos USING INTEGER PRIMARY KEY', scan => 'SCAN todos$');
look_at_json('sqlite', key => 'SEARCH todos USING INTEGER PRIMARY KEY');
my ($server, $url) = serve();
call('sqlite');
describe('sqlite', 'lite_app');
stop($server);
my ($status, $out) = mouse(qw(explain PUT /api/todos));
is $status, 1, 'a method that is not there';
like $out, qr/^no route: .* GET POST .*405$/, '... which are';
($status, $out) = mouse(qw(explain PUT /api/todos --json));
is $status, 1, '... and is none for programs';
is_deeply json($out), {route => undef, why => 'the path has GET POST alone, so the answer is 405'}, '... which are told why';
is mouse(qw(explain GET /api/todos --yaml)), 2, 'an option that is not there';
like((mouse(qw(explain GET /api/none)))[1], qr/404/, 'a path inside of a group');
like((mouse(qw(explain GET /none)))[1], qr/file/, 'a path outside');
my $conf = slurp('app.conf');
mkdir 'far' or die $!;
spew('far/far.sql', "-- name: one :one\nSELECT 1 AS n;\n");
spew('app.conf', $conf . <<'END');
MouseDatabase far mysql "sock=/nowhere/mysqld.sock,user=nobody"
MouseModels "${APP}/far" database=far
MouseRoute GET /far sql far/one
END
($status, $out) = mouse(qw(explain GET /far --json));
is $status, 0, 'a database that is not there';
my $far = json($out)->{statements}[0];
is $far->{plan}, undef, '... has no plan';
like $far->{trouble}, qr/^the database far cannot be asked: ./, '... which is said';
like((mouse(qw(explain GET /far)))[1], qr/^  the database far cannot be asked: .*\n  statement \(far\/far\.sql:2\)\n    SELECT 1/m,
    '... to people, too');
spew('app.conf', $conf);
is mouse(qw(explain GET none)), 2, 'a path needs its slash';
is mouse('call', 'GET'), 2, 'and a call a path';
chdir '..' or die $!;

# Tests get a database of their own; the app's stays as it is.
sub test_on_mariadb {
    my ($socket, $name, @client) = @_;
    my $rows = sub { my ($n) = `@client -N -e 'SELECT COUNT(*) FROM $_[0].todos'` =~ /(\d+)/; return $n };
    my $params = "sock=$socket,user=root,dbname";
    my $before = $rows->($name);
    my ($status, $out, $err) = mouse('test');
    is $status, 1, 'tests do not write into the database of the app';
    like $err, qr/would write into .* --params "PARAMETERS,dbname=NAME_test"/, '... and it is said what to do';
    is mouse('test', '--params', "$params=$name"), 2, '... nor when it is named';
    is mouse('test', '--params'), 2, 'parameters are needed';
    for my $run (1, 2) {
        ($status, $out, $err) = mouse('test', '--params', "$params=${name}_test");
        is $status, 0, "the tests pass on a database of theirs, run $run" or diag $out, $err;
    }
    is $rows->("${name}_test"), 3, '... made anew for each run';
    is $rows->($name), $before, '... and the app has the rows it had';

    # With a password, and a directive over two lines.
    my $conf = slurp('app.conf');
    system @client, '-e', "CREATE OR REPLACE USER mouse_cli\@localhost IDENTIFIED BY \"it's\"; "
        . "GRANT ALL ON ${name}_test.* TO mouse_cli\@localhost";
    my $pw = Cwd::getcwd() =~ s{[^/]+\z}{pw}r;
    spew($pw, "it's\n");
    chmod 0600, $pw or die $!;
    spew('app.conf', $conf =~ s{^(MouseDatabase main mysql) (.*)$}{$1 \\\n    $2 "password-file=$pw"}mr);
    ($status, $out, $err) = mouse('test', '--params', "sock=$socket,user=mouse_cli,dbname=${name}_test");
    is $status, 0, 'with a password, too' or diag $out, $err;
    system @client, '-e', 'DROP USER mouse_cli@localhost';
    spew('app.conf', $conf . qq{MouseDatabase other mysql "$params=$name"\n});
    is mouse('test', '--params', "$params=${name}_test"), 1, 'not with two of them';
    spew('app.conf', $conf);
}

SKIP: {
    my $socket = $ENV{MOUSE_TEST_MYSQL_SOCKET} or skip 'no MariaDB: run below t/with-mariadb', 1;
    my @client = ('mariadb', '--no-defaults', '-uroot', '-S', $socket);
    my $name = "mouse_cli_$>";
    is system(@client, '-e', "DROP DATABASE IF EXISTS $name; CREATE DATABASE $name"), 0, 'a database';
    ($status, $out) = mouse('new', 'maria app', '--db', 'mysql', '--params', "sock=$socket,user=root,dbname=$name");
    like $out, qr/CREATE DATABASE $name .*\n  mariadb $name < /, 'an app on MariaDB says what to do first';
    chdir 'maria app' or die $!;
    is mouse('check'), 1, '... and is checked against it';
    is system("mariadb --no-defaults -uroot -S '$socket' $name < schema.sql"), 0, 'its tables';
    ($status, $out, my $err) = mouse('check');
    is $status, 0, 'it is without a mistake' or diag $out, $err;
    like $out, qr/^all is well/m, '... and without a warning' or diag $out;
    ok !mouse(qw(add route), @$_), "... a model of a table: @$_" for [qw(GET /api/todos/{id:int})], [qw(PATCH /api/todos/{id:int})];
    is mouse(qw(add route DELETE /api/todos/{id:int} --kind exec --sql), 'DELETE FROM todos WHERE id = :id'), 0, '... of SQL';
    system @client, $name, '-e', "CREATE TABLE parts (id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
        name VARCHAR(40) NOT NULL, kind ENUM('new','old') NOT NULL DEFAULT 'new', odd ENUM('a b'), weight DECIMAL(8,2),
        made YEAR, tested BOOL NOT NULL DEFAULT 0, at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP)";
    is mouse(qw(add route POST /api/parts)), 0, '... of columns of many types';
    my $parts = slurp('models/parts.sql');
    like $parts, qr/^-- param: name string\(\.\.40\)$/m, '... what must be given';
    like $parts, qr/^-- param: odd string\(\.\.1000\) optional nullable$/m, '... what need not';
    like $parts, qr/^-- param: weight number optional nullable\n-- param: made int optional nullable$/m, '... numbers';
    unlike $parts, qr/param: (?:id|kind|tested|at) /, '... not what the database gives';
    is mouse(qw(add route PATCH /api/parts/{id:int})), 0, '... and to change them';
    like slurp('models/parts.sql'), qr/^-- param: kind string in\(new,old\) optional$/m, '... with the words of an ENUM';
    like slurp('models/parts.sql'), qr/^-- column: tested bool$/m, '... and what is true or false';
    is mouse(qw(add route GET /api/nothing)), 1, 'a table that is not there';
    add_whoami();
    look('mariadb', key => 'id=1 select_type=SIMPLE', scan => 'id=1 .*type=(?:ALL|index) ');
    look_at_json('mariadb', key => 'id=1 select_type=SIMPLE');
    ($server, $url) = serve();
    call('mariadb');
    describe('mariadb', 'maria_app');
    stop($server);
    test_on_mariadb($socket, $name, @client);
    system @client, '-e', "DROP DATABASE $name; DROP DATABASE IF EXISTS ${name}_test";
}

done_testing;
