# Where requests' time goes: Server-Timing, notes, the JSON log, traceparent.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use JSON ();
use Test::More;
use Time::HiRes qw(sleep time);
use MouseTest qw(request json raw);

my $logs = Apache::Test::config()->{vars}{t_logs};

sub lines {
    my ($name, $count) = @_;
    my ($end, @lines) = time + 5;
    do {
        sleep 0.05;
        if (open my $fh, '<', "$logs/$name") {
            @lines = <$fh>;
        }
    } until @lines >= $count || time > $end;
    return @lines;
}

# "route;desc="..";dur=1, sql;dur=2" as a list of [name, {..}]
sub entries {
    my ($text) = @_;
    my @entries;
    while ($text =~ /\G([!#\$%&'*+.^_`|~0-9A-Za-z-]+)((?:;\w+=(?:"(?:[^"\\]|\\.)*"|[^",;\s]+))*)(?:, |$)/gc) {
        my ($name, $rest) = ($1, $2);
        my %parameters;
        while ($rest =~ /;(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^";,]+))/g) {
            my ($key, $quoted, $plain) = ($1, $2, $3);
            $parameters{$key} = defined $quoted ? $quoted =~ s/\\(.)/$1/gr : $plain;
        }
        push @entries, [$name, \%parameters];
    }
    is pos($text) // 0, length $text, 'Server-Timing can be read';
    return @entries;
}

my $host = 'timing.test';
my $r = request($host, GET => '/api/rows/1000?x=secret', {headers =>
    [traceparent => '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01']});
is $r->code, 200, 'a timed route answers';
my @entries = entries($r->header('Server-Timing'));
is_deeply [map { $_->[0] } @entries], [qw(route guard-someone wait sql json)],
    'the route, its guard, the wait, the database and the JSON have a time each';
is $entries[0][1]{desc}, '/api/rows/{n:int}', '... the route by its pattern';
my %ms = map { $_->[0] => $_->[1]{dur} } @entries;
cmp_ok $_->[1]{dur}, '>=', 0, "... $_->[0] is a number" for @entries;
cmp_ok $ms{sql}, '>', 0, '... a statement takes time';
cmp_ok $ms{json}, '>', 0, '... and so do a thousand rows';
cmp_ok $ms{wait} + $ms{sql} + $ms{json}, '<=', $ms{route} + 0.01,
    '... all of it within the whole';

$r = request($host, GET => '/api/closed');
is $r->code, 403, 'a denial';
is_deeply [map { $_->[0] } entries($r->header('Server-Timing'))],
    [qw(route guard-someone guard-closed wait sql json)], '... has times, too';
$r = request($host, GET => '/api/a%5C%22b');
is $r->code, 200, 'a route of quotes';
is +(entries($r->header('Server-Timing')))[0][1]{desc}, '/api/a\\"b', '... is quoted';
is +(entries(request($host, GET => '/api/nothing')->header('Server-Timing')))[0][1]{desc}, '-',
    'no route, no name';
raw("GET /api/bad%zz HTTP/1.0\r\nHost: $host\r\n\r\n");
raw("GET /api/fixed HTTP/1.0\r\nHost: $host\r\ntraceparent: 00-xyz\"-01\r\n\r\n");
request($host, GET => "/api/\xc3\xa9%22%01");
request($host, GET => '/api/shut');

my @log = map { JSON->new->utf8->decode($_) } lines('timing.json', 8);
is @log, 8, 'every request has its line of JSON';
# Lines are written behind the answers: their order is not that of the requests.
my %of = map { ($_->{path} // $_->{status}) => $_ } @log;
my %line = %{ $of{'/api/rows/1000'} };
is $line{route}, '/api/rows/{n:int}', 'the route';
is $line{path}, '/api/rows/1000', '... the path, without its query';
is $line{rows}, 1001, '... the rows, those of guards included';
is $line{status}, 200, '... the status';
is $line{trace}, '4bf92f3577b34da6a3ce929d0e0e4736', '... the trace';
is $line{span}, '00f067aa0ba902b7', '... and span that called';
like $line{$_}, qr/^\d+$/, "... $_" for qw(us guard_us wait_us sql_us json_us bytes);
like $line{time}, qr/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$/, '... the time';
is $of{'/api/closed'}{code}, 'denied', 'the code of a problem';
is $of{'/api/nothing'}{code}, 'no-route', '... also without a route';
is scalar(grep { $_->{status} == 400 } @log), 1, 'what httpd refuses is there, too';
is $of{'/api/fixed'}{trace}, '-', 'what is no traceparent is not taken';
is_deeply [@{ $of{403} }{qw(status code path route)}], [403, 'http', undef, undef],
    'what Require refuses has its code and no notes';
ok $of{'/api/%c3%a9%22%01'}, 'a path of any bytes is plain text';

$r = request('untimed.test', GET => '/rows/3', {headers =>
    [traceparent => '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01']});
is $r->header('Server-Timing'), undef, 'off by default';
request('untimed.test', GET => '/none');
my @untimed = sort { length $b <=> length $a } lines('untimed.log', 2);
is $untimed[0], "/rows/{n:int} - - -\n", '... and so are the notes, but for the route';
is $untimed[1], "/none - - no-row\n", '... and the code of a problem';

done_testing;
