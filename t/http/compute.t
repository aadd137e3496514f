# A controller and a guard of another module, built against the installed mouse.h.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use Test::More;
use MouseTest qw(request json);

my $host = 'compute.test';

my $sum = request($host, GET => '/compute/1000');
is $sum->code, 200, 'the controller answers';
is $sum->content, '{"sum":21065.833110879048}', 'with the sum of 1000 square roots';
is $sum->content_type, 'application/json', 'as JSON';
is $sum->header('X-Limit'), '1000000', "the guard's header";
is $sum->header('X-Most'), '1000000', 'and its context';
is $sum->header('Cache-Control'), 'no-store', 'which is not stored';
is request($host, HEAD => '/compute/1000')->content, '', 'HEAD';
my $much = request($host, GET => '/compute/1000001');
is $much->code, 422, 'the guard denies';
is json($much)->{detail}, 'That is too much to compute.', 'in its own words';
is $much->header('X-Limit'), undef, 'and says no limit then';
is request($host, GET => '/asked')->code, 500, 'a controller fails by itself';
is request($host, GET => '/known/7', {headers => [Authorization => 'Bearer 4']})->content,
    '{"sum":10.83182209022494}', "another guard's context as an argument";
is request($host, GET => '/known/7', {headers => [Authorization => 'Bearer 6']})->code, 422,
    'decides';
is request($host, POST => '/body/3', {json => {n => '5'}})->code, 200, 'a body parameter';
is request($host, POST => '/body/3', {json => {n => 5}})->code, 422, 'of another type';

done_testing;
