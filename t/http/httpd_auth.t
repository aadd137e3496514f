# httpd's own authentication is context: request.user and env.NAME, on every database.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use MIME::Base64 qw(encode_base64);
use Test::More;
use MouseTest qw(hosts request json);

sub get {
    my ($host, $path, $user, @headers) = @_;
    push @headers, Authorization => 'Basic ' . encode_base64($user, '') if $user;
    return request($host, GET => $path, {headers => \@headers});
}

for my $host (map { s/\./.auth./r } hosts()) {
    is_deeply json(get($host, '/open')), {user => undef, tenant => undef}, "$host: nobody";
    is_deeply json(get($host, '/open', 'ann:pa')), {user => undef, tenant => undef},
        "$host: whom httpd did not ask is nobody";
    is_deeply json(get($host, '/open', undef, 'X-Tenant' => 'blue')),
        {user => undef, tenant => 'blue'}, "$host: the environment";
    is get($host, '/who')->code, 401, "$host: httpd asks";
    is get($host, '/who', 'ann:no')->code, 401, "$host: and checks";
    my $who = get($host, '/who', 'ann:pa');
    is json($who)->{user}, 'ann', "$host: its user in SQL";
    is $who->header('X-User'), 'ann', "$host: and in templates";
    is get($host, '/member', 'ann:pa')->code, 200, "$host: a lookup by httpd's user";
    is get($host, '/member', 'eve:pe')->code, 403, "$host: denies another";
    is get($host, '/root', 'eve:pe')->code, 200, "$host: an expression on httpd's user";
    is get($host, '/root', 'ann:pa')->code, 403, "$host: denies another";
}

done_testing;
