# The guard expr: httpd's expressions on what guards and clients give.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use Test::More;
use MouseTest qw(request json);

sub code {
    my ($path, @headers) = @_;
    return request('expr.test', GET => $path, {headers => \@headers})->code;
}

is code('/admin', Authorization => 'Bearer admin'), 200, 'context decides';
is code('/admin', Authorization => 'Bearer user'), 403, 'and denies';
is code('/admin'), 403, 'null is no admin';
is code('/other'), 200, 'null is the empty text';
is code('/other', Authorization => 'Bearer banned'), 404, 'with a status of its own';
is code('/trace', 'X-Trace' => '0123abcd'), 200, "httpd's own variables";
is code('/trace', 'X-Trace' => 'x'), 400, 'and patterns';
is code('/one/1'), 200, 'a path parameter';
is code('/one/2'), 403, 'another';
is code('/name?name=eve'), 200, 'a query parameter';
is code('/name?name=root'), 403, 'by its value';
is code('/name?name=eve%00'), 403, 'NUL is not cut off';
is code('/name?name=a&name=b'), 403, 'twice is no value';
is request('expr.test', POST => '/name', {json => {name => 'root'}})->code, 403, 'in the body';
is request('expr.test', POST => '/name', {json => {name => 'eve'}})->code, 200, 'another';
is request('expr.test', POST => '/name', {json => {name => 7}})->code, 403, 'not of that type';

done_testing;
