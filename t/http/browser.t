# The page of conf/examples/accounts in a real browser: registers, logs in, signs with
# WebCrypto, comes back by its cookie, logs out, is rate-limited.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use JSON ();
use Test::More;
use Time::HiRes qw(sleep time);
use Browser ();
use MouseTest qw(hosts port);

plan skip_all => 'chromium and chromedriver are not installed' unless Browser::programs();

my $browser = Browser->start("$ENV{MOUSE_TEST_DIR}/browser-$$");

# Clicks a button and waits for the answer to be on the page.
sub click {
    my ($id) = @_;
    my $calls = 'return Number(document.body.dataset.calls || 0)';
    my ($before, $end) = ($browser->run($calls), time + 20);
    $browser->click("#$id");
    while ($browser->run($calls) == $before) {
        BAIL_OUT("the button $id has no answer") if time > $end;
        sleep 0.05;
    }
    my $text = $browser->text('#answer');
    return ($browser->text('#status'), $text =~ /^[\[{]/ ? JSON->new->decode($text) : $text);
}

for my $host (map { s/\.test/.accounts.localhost/r } hosts()) {
    my $page = "http://$host:" . port() . '/';
    $browser->go($page);
    ok $browser->run('return window.isSecureContext'), "$host: a context with crypto.subtle";
    $browser->fill('#name', 'robin');
    $browser->fill('#password', 'correct horse');

    my ($status, $answer) = click('me');
    is $status, 401, "$host: nobody yet";
    ($status, $answer) = click('register');
    is $status, 201, "$host: registered";
    is $answer->{name}, 'robin', "$host: by this name";
    ($status) = click('register');
    is $status, 409, "$host: once";

    ($status, $answer) = click('login');
    is $status, 200, "$host: logged in";
    is_deeply $browser->cookies, [], "$host: without a cookie";
    ($status, $answer) = click('me');
    is "$status $answer->{name}", '200 robin', "$host: who am I?";
    ($status, $answer) = click('refresh');
    is $status, 200, "$host: refreshed";
    is((click('me'))[0], 200, "$host: with the new token");

    $browser->go($page);
    is((click('me'))[0], 401, "$host: a reload of the page forgets the token");
    is((click('reload'))[0], 401, "$host: and there is no cookie");

    $browser->fill('#name', 'robin');
    $browser->fill('#password', 'correct horse');
    $browser->click('#remember');
    is((click('login'))[0], 200, "$host: logged in to stay");
    my ($cookie) = @{ $browser->cookies };
    is $cookie->{name}, 'kli', "$host: a cookie";
    ok $cookie->{httpOnly} && $cookie->{secure}, "$host: not for scripts, nor for plain HTTP";
    is $cookie->{sameSite}, 'Lax', "$host: nor for other sites";
    is $browser->run('return document.cookie'), '', "$host: no script reads it";

    $browser->go($page);
    ($status, $answer) = click('reload');
    is $status, 200, "$host: back by the cookie";
    unlike $browser->text('#answer'), qr/$cookie->{value}/, "$host: which is in no answer";
    isnt $browser->cookies->[0]{value}, $cookie->{value}, "$host: and is good for once";
    ($status, $answer) = click('me');
    is "$status $answer->{name}", '200 robin', "$host: the same account";
    is((click('logout'))[0], 204, "$host: logged out");
    is_deeply $browser->cookies, [], "$host: the cookie is gone";
    is((click('reload'))[0], 401, "$host: so nobody comes back");
    is((click('me'))[0], 401, "$host: nobody is here");

    $browser->fill('#name', 'robin');
    $browser->fill('#password', 'correct horse');
    ($status, $answer) = click('mrpc-me');
    is "$status $answer->{data}{code}", '403 403', "$host: mRPC: the secret opens no session's route";
    ($status, $answer) = click('mrpc-login');
    is "$status $answer->{action}", '200 Login', "$host: mRPC: logged in";
    ($status, $answer) = click('mrpc-me');
    is "$status $answer->{data}{username}", '200 robin', "$host: mRPC: signed by WebCrypto";
    ($status, $answer) = click('mrpc-me');
    is "$status $answer->{data}{username}", '200 robin', "$host: mRPC: with a new seed";
    ($status, $answer) = click('mrpc-logout');
    is "$status $answer->{action}", '200 Logout', "$host: mRPC: logged out";

    $browser->fill('#password', 'wrong horse');
    my @statuses;
    while (@statuses < 30) {
        ($status, $answer) = click('login');
        push @statuses, $status;
        last if $status == 429;
    }
    is $statuses[-1], 429, "$host: a guesser is stopped";
    is_deeply [grep { $_ != 401 && $_ != 429 } @statuses], [], "$host: and told nothing before";
    is $answer->{code}, 'rate-limited', "$host: says so";
    like $browser->text('#retry'), qr/^[1-9][0-9]*$/, "$host: and when to come back";
}

$browser->stop;
done_testing;
