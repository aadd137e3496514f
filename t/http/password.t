# The guard password: who gets in, and that all others get one answer.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use Test::More;
use MouseTest qw(hosts request json);

# What a client can tell an answer by: all but what differs for every request.
sub face {
    my ($r) = @_;
    my $problem = json($r);
    delete $problem->{request_id};
    my %headers = map { $_ => $r->header($_) } grep { !/^(Date|Client-.*)$/ } $r->header_field_names;
    delete $headers{'Content-Length'};
    return {status => $r->code, problem => $problem, headers => \%headers};
}

for my $host (map { "password-$_" } hosts()) {
    my $login = sub { request($host, POST => '/api/login', {json => $_[0]}) };
    is $login->({name => 'ada', password => 'secret'})->code, 200, "$host: yescrypt";
    is $login->({name => 'bob', password => 'secret'})->code, 200, "$host: bcrypt";

    my $wrong = $login->({name => 'ada', password => 'Secret'});
    is $wrong->code, 401, "$host: a wrong password";
    is json($wrong)->{code}, 'denied', "$host: ... is denied";
    ok $wrong->header('WWW-Authenticate'), "$host: ... with a challenge";
    my %others = (
        'an unknown user' => {name => 'eve', password => 'secret'},
        'a NUL' => {name => 'ada', password => "secret\0"},
        'a long value' => {name => 'ada', password => 'x' x 600},
        'an empty value' => {name => 'ada', password => ''},
        '73 bytes for bcrypt' => {name => 'bob', password => 'x' x 73},
    );
    for my $what (sort keys %others) {
        is_deeply face($login->($others{$what})), face($wrong), "$host: $what looks the same";
    }

    my $absent = $login->({name => 'ada'});
    is $absent->code, 422, "$host: no password";
    is_deeply json($absent)->{errors},
        [{parameter => 'password', source => 'body', rule => 'required',
            detail => 'The value is missing.'}], "$host: ... is a missing parameter";
    is $login->({name => 'ada', password => ['secret']})->code, 422, "$host: a list is no password";

    my $twice = request($host, POST => '/api/login?password=secret&name=ada',
        {json => {name => 'ada', password => 'wrong'}});
    is $twice->code, 401, "$host: the query does not stand for the body";
    my $form = request($host, POST => '/api/login', {body => 'name=ada&password=secret&password=x',
        headers => ['Content-Type' => 'application/x-www-form-urlencoded']});
    is $form->code, 422, "$host: a form with two passwords";

    my $same = sub { request($host, POST => '/api/same', {json => {secret => $_[0], password => $_[1]}}) };
    is $same->('correct horse', 'correct horse')->code, 200, "$host: what hash(yescrypt) made";
    is $same->('correct horse', 'correct horsf')->code, 403, "$host: ... and not another";
    is $same->("p\x{e4}ss", "p\x{e4}ss")->code, 200, "$host: UTF-8";
}
done_testing;
