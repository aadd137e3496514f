# Models over HTTP, the same on every database: parameters, kinds, formats, headers.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use Test::More;
use JSON ();
use MouseTest qw(hosts request json);

for my $host (hosts()) {
    my $r = request($host, GET => '/t/echo?i=9223372036854775807&s=h%C3%A9&b=true&d=2026-02-28');
    is $r->code, 200, "$host: echo";
    like $r->content, qr/"i":9223372036854775807,/, "$host: int64 keeps its digits";
    is json($r)->{s}, "h\x{e9}", "$host: UTF-8";
    is json($r)->{d}, '2026-02-28', "$host: a date";
    is json($r)->{page}, 1, "$host: a default";
    is json($r)->{n}, undef, "$host: absent is NULL";

    $r = request($host, POST => '/t/echo', {json => {s => "a\0b", i => 5}});
    is json($r)->{s}, "a\0b", "$host: NUL stays in a string";

    $r = request($host, GET => '/t/echo?i=x&page=0&b=maybe');
    is $r->code, 422, "$host: violations";
    is_deeply [sort map { $_->{parameter} } @{ json($r)->{errors} }], [qw(b i page)],
        "$host: all at once";
    is request($host, GET => '/t/echo?i=1&i=2')->code, 422, "$host: a name twice";
    is request($host, POST => '/t/echo', {json => {i => '5'}})->code, 422,
        "$host: a string is no int";
    is request($host, POST => '/t/echo', {body => '{"i":1', headers => ['Content-Type' => 'application/json']})->code,
        400, "$host: bad JSON";
    is request($host, POST => '/t/echo', {body => 'i=1', headers => ['Content-Type' => 'text/plain']})->code,
        415, "$host: a type that is not taken";
    is request($host, POST => '/t/form', {body => 'i=1&s=x+y', headers => ['Content-Type' => 'application/x-www-form-urlencoded']})->code,
        200, "$host: a form where accepted";
    is request($host, POST => '/t/small', {json => {s => 'x' x 100}})->code, 413, "$host: max-body";
    is request($host, POST => '/t/strict', {json => {zzz => 1}})->code, 422, "$host: strict";
    is_deeply [map { request($host, POST => '/t/bare', $_)->code }
            ({}, {json => {}}, {json => {zzz => 1}}, {json => [1]}, {json => 5}, {body => '{}'})],
        [200, 200, 422, 422, 422, 415], "$host: strict without a parameter in the body";

    is_deeply [map { $_->{id} } @{ json(request($host, GET => '/t/in?ids=1&ids=3&ids=77')) }],
        [1, 3], "$host: IN";
    is_deeply json(request($host, GET => '/t/in')), [], "$host: an empty list";

    is request($host, GET => '/t/none/999')->code, 404, "$host: no row";
    is request($host, GET => '/t/none/abc')->code, 404, "$host: a typed segment";

    $r = request($host, GET => '/t/many', {headers => [Accept => 'text/csv']});
    like $r->header('Content-Type'), qr{^text/csv}, "$host: CSV by Accept";
    is((split /\r\n/, $r->content)[0], 'id,name,description', "$host: its header line");
    like $r->header('Vary'), qr/Accept/, "$host: Vary";
    is request($host, GET => '/t/csv')->content, $r->content, "$host: as=csv";
    $r = request($host, GET => '/t/many', {headers => [Accept => 'application/x-ndjson']});
    is scalar(split /\n/, $r->content), 3, "$host: NDJSON";

    $r = request($host, POST => '/t/notes', {json => {title => 'first'}});
    is $r->code, 201, "$host: created";
    my $id = json($r)->{id};
    is $r->header('Location'), "/t/notes/$id", "$host: Location";
    is $r->header('Set-Cookie'), "last=$id; HttpOnly", "$host: Set-Cookie";
    $r = request($host, GET => "/t/notes/$id");
    my $etag = $r->header('ETag');
    ok $etag, "$host: ETag";
    is request($host, GET => "/t/notes/$id", {headers => ['If-None-Match' => $etag]})->code, 304,
        "$host: 304";
    is json(request($host, PATCH => "/t/notes/$id", {json => {}}))->{title}, 'first',
        "$host: PATCH leaves what was not sent";
    is json(request($host, PATCH => "/t/notes/$id", {json => {title => 'second'}}))->{title},
        'second', "$host: PATCH changes what was sent";
    $r = request($host, PATCH => "/t/notes/$id", {json => {title => undef}});
    is $r->code, 422, "$host: NOT NULL";
    is json(request($host, PUT => "/t/notes/$id/n", {json => {n => 7}}))->{affected}, 1,
        "$host: affected";
    is json(request($host, PUT => "/t/notes/$id/n", {json => {n => 7}}))->{affected}, 1,
        "$host: found rows count";
    $r = request($host, PUT => "/t/notes/$id/n", {json => {n => 13}});
    is $r->code, 422, "$host: CHECK";
    is json($r)->{code}, 'check', "$host: ... by name";
    $r = request($host, GET => "/t/notes/$id/many");
    is $r->code, 200, "$host: a template reads what only a guard reads of the path";
    is $r->header('X-Note'), $id, "$host: as the path has it";

    is request($host, DELETE => "/t/notes/$id")->code, 204, "$host: exec";
    is request($host, DELETE => "/t/notes/$id")->code, 404, "$host: expect";

    is scalar @{ json(request($host, GET => '/t/big')) }, 900, "$host: an answer through a file";
    is request($host, GET => '/t/huge')->code, 500, "$host: above MouseMaxAnswer";
}
done_testing;
