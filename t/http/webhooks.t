# Webhooks as Stripe, GitHub and Slack sign them; the signatures are Digest::SHA's.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use Digest::SHA qw(hmac_sha256_hex sha256_hex);
use Test::More;
use MouseTest qw(request json raw);

my $host = 'webhooks.test';
my $github = "It's a Secret to Everybody";

sub send_to {
    my ($path, $body, @headers) = @_;
    return request($host, POST => "/hooks/$path", {body => $body, headers => \@headers});
}

sub stripe {
    my ($body, $t, $key) = @_;
    return "t=$t,v1=" . hmac_sha256_hex("$t.$body", $key);
}

my $now = time;
my $body = qq({"id": "evt_1",\n  "n": 1.0, "name": "\xc3\xa4"}\n);
for my $key (qw(whsec_old whsec_new)) {
    my $signed = stripe($body, $now, $key);
    my $r = send_to(stripe => $body, 'Stripe-Signature' => $signed);
    is $r->code, 200, "Stripe with $key";
    is $r->header('X-Signed'), sha256_hex("$now.$body") . " $now", '... its digest and time are context';
    is $r->header('Cache-Control'), 'no-store', '... and the answer is not kept';
}
my $good = stripe($body, $now, 'whsec_new');
my %refused = (
    'no header' => [$body],
    'another body' => [qq({"id": "evt_2"}), 'Stripe-Signature' => $good],
    'a body with a byte more' => ["$body ", 'Stripe-Signature' => $good],
    'no body' => ['', 'Stripe-Signature' => $good],
    'another key' => [$body, 'Stripe-Signature' => stripe($body, $now, 'whsec_none')],
    'an empty key' => [$body, 'Stripe-Signature' => stripe($body, $now, '')],
    'both keys as one' => [$body, 'Stripe-Signature' => stripe($body, $now, "whsec_old\nwhsec_new\n")],
    'an old message' => [$body, 'Stripe-Signature' => stripe($body, $now - 310, 'whsec_new')],
    'a message of tomorrow' => [$body, 'Stripe-Signature' => stripe($body, $now + 320, 'whsec_new')],
    'a time that nobody signed' => [$body, 'Stripe-Signature' => $good =~ s/t=\d+/'t=' . ($now - 1)/er],
    'v0 alone' => [$body, 'Stripe-Signature' => $good =~ s/v1=/v0=/r],
    'half a signature' => [$body, 'Stripe-Signature' => substr $good, 0, -32],
    'two headers' => [$body, 'Stripe-Signature' => $good, 'Stripe-Signature' => $good],
    'GitHub\'s' => [$body, 'X-Hub-Signature-256' => 'sha256=' . hmac_sha256_hex($body, 'whsec_new')],
);
my $face;
for my $what (sort keys %refused) {
    my $r = send_to(stripe => @{ $refused{$what} });
    is $r->code, 401, "$what is refused";
    is $r->header('WWW-Authenticate'), 'Signature', '... with a challenge';
    my $problem = json($r);
    delete $problem->{request_id};
    $face ||= $problem;
    is_deeply $problem, $face, '... in the same words';
}

my $hub = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
is send_to(github => 'Hello, World!', 'X-Hub-Signature-256' => $hub)->code, 200, "GitHub's own example";
is send_to(github => 'Hello, World?', 'X-Hub-Signature-256' => $hub)->code, 401, '... changed';
is send_to(github => 'Hello, World!', 'X-Hub-Signature' => $hub)->code, 401, '... in the old header';
for my $bytes ("\0\r\n\xff\xfe" x 1000, '') {
    my $r = send_to(github => $bytes,
        'X-Hub-Signature-256' => 'sha256=' . hmac_sha256_hex($bytes, $github));
    is $r->code, 200, length($bytes) . ' bytes as they are';
}
is request($host, GET => '/hooks/github',
    {headers => ['X-Hub-Signature-256' => 'sha256=' . hmac_sha256_hex('', $github)]})->code, 200,
    'GET signs an empty body';

my $large = 'x' x (3 << 20);
my $slack = sub {
    my ($body, $t) = @_;
    return ('X-Slack-Signature' => 'v0=' . hmac_sha256_hex("v0:$t:$body", $github),
        'X-Slack-Request-Timestamp' => $t);
};
is send_to(slack => $large, $slack->($large, $now))->code, 200, 'Slack, with 3 MiB';
is send_to(slack => 'a=b', $slack->('a=b', $now - 310))->code, 403, '... old';
my %split = $slack->('a=b', $now);
is send_to(slack => 'a=b', %split, 'X-Slack-Request-Timestamp' => $now - 1)->code, 403,
    '... with another time';
is send_to(slack => "1:a=b", 'X-Slack-Request-Timestamp' => 1,
    'X-Slack-Signature' => $split{'X-Slack-Signature'})->code, 403, '... with the time moved';

is send_to(small => 'Hello, World!', 'X-Hub-Signature-256' => $hub)->code, 413,
    'a body above the limit is not signed for';
# a stale or unsigned request is answered before its body is sent
my $answer = raw("POST /hooks/stripe HTTP/1.1\r\nHost: $host\r\nContent-Length: 1000000\r\n"
    . "Expect: 100-continue\r\nConnection: close\r\nStripe-Signature: t=1,v1=00\r\n\r\n");
like $answer, qr{^HTTP/1.1 401 }, 'a stale request need not send its body';
done_testing;
