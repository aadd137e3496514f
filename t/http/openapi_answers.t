# What an OpenAPI document promises of answers, held against the answers themselves.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use JSON ();
use Test::More;
use MouseTest qw(hosts request json);
use Schema qw(faults);

my @asks = (
    [GET => '/api/health'], [GET => '/api/products'], [GET => '/api/products', 'q=a&sort=price&limit=2&tags=new'],
    [GET => '/api/products/{id}', undef, {id => 1}], [GET => '/api/products/{id}', undef, {id => 2}],
    [GET => '/t/echo'], [GET => '/t/echo', 'i=5&n=1.50&s=x&b=true&d=2026-01-02&t=2026-01-02T03:04:05Z'],
    [POST => '/t/echo', {i => 7, s => 'x', b => JSON::false}], [GET => '/t/in', 'ids=1&ids=2'], [GET => '/t/in'],
    [GET => '/t/many'], [GET => '/t/big'], [GET => '/t/none/{id}', undef, {id => 1}],
    [POST => '/t/notes', {title => 'described'}], [GET => '/doubts/united'], [GET => '/doubts/largest'],
    [GET => '/doubts/quoted'], [GET => '/doubts/joined'], [GET => '/doubts/inner'],
    [GET => '/doubts/echoed', 'q=x&n=5&x=1.25'], [GET => '/doubts/echoed', 'q=5&n=-1&x=2'], [GET => '/doubts/none'],
    [GET => '/doubts/first'], [GET => '/doubts/accepted'], [GET => '/doubts/odd'], [GET => '/doubts/mixed'],
    [POST => '/doubts/enveloped/touch'], [GET => '/doubts/enveloped/none'],
);

# The answer that was promised for this status.
sub promised {
    my ($operation, $status) = @_;
    my $responses = $operation->{responses};
    return $responses->{$status} || $responses->{ substr($status, 0, 1) . 'XX' };
}

for my $host (hosts()) {
    my $paths = json(request($host, GET => '/openapi.json'))->{paths};
    for (@asks) {
        my ($method, $path, $given, $values) = @$_;
        my $real = $path =~ s/\{(\w+)\}/$values->{$1}/gr;
        my $is_body = ref $given;
        my $r = request($host, $method => $real . ($given && !$is_body ? "?$given" : ''),
            $is_body ? {json => $given} : {});
        my $what = "$host: $method $real" . ($given && !$is_body ? "?$given" : '');
        my $response = promised($paths->{$path}{ lc $method }, $r->code);
        ok $response, "$what answers a status that it promised" or diag $r->code, ' ', $r->content;
        my $schema = $response->{content}{'application/json'}{schema};
        ok $schema, '... with a body' or next;
        is_deeply [faults($schema, json($r), '')], [], '... as it was described' or diag $r->content;
    }
    my $columns = $paths->{'/doubts/echoed'}{get}{responses}{200}{content}{'application/json'}{schema}{items}{properties};
    is $columns->{id}{type}, 'integer', "$host: what values do not change is described";
    is request($host, GET => '/doubts/twice')->code, 500, 'two columns of one name are no answer';
}

done_testing;
