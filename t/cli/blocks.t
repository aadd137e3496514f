# The blocks of README and of docs/reference, but for configurations and SQL of the reference
# (reference.t) and usage lines (usage.t). Each is run here, or compared with what the server
# answers, or marked in its page as not run. A block that is neither fails.
use strict;
use warnings FATAL => 'all';

use Cwd qw(getcwd);
use Digest::SHA qw(hmac_sha256_hex);
use File::Copy qw(copy);
use File::Path qw(make_path);
use HTTP::Request ();
use Test::More;
use Time::HiRes qw(time);

use Mouse qw(mouse serve stop ask json slurp spew);
use Page ();

my $docs = $ENV{MOUSE_TEST_DOCS};
my $conf = "$docs/../conf"; # beside it in the rig, as in a clone
my $rig = "$ENV{MOUSE_TEST_RIG}/reference";
my $key = '0123456789abcdef0123456789abcdef';
my $here = getcwd();

# ---- apps that answer

# app(NAME, CONFIGURATION, SCHEMA, {FILE => TEXT}): its URL.
sub app {
    my ($name, $text, $schema, %files) = @_;
    make_path("$name/models", "$name/public");
    spew("$name/app.conf", $text);
    spew("$name/schema.sql", $schema);
    for my $file (keys %files) {
        make_path("$name/$file" =~ s{/[^/]+\z}{}r);
        spew("$name/$file", $files{$file});
        chmod 0600, "$name/$file" or die $!;
    }
    return (serve($name))[1];
}

my %shop = map { (m{([^/]+)\z})[0] => slurp($_) } glob "$conf/examples/shop/models/*.sql";
%shop = map { ("models/$_" => $shop{$_}) } keys %shop;
my $schema = slurp("$conf/examples/shop/schema.sqlite.sql");
my $url = app('served', slurp("$rig/served.conf"), $schema . slurp("$conf/idempotency/sqlite.sql")
        . 'CREATE TABLE seeds (user_id INT, seed TEXT, UNIQUE (user_id, seed));',
    %shop, 'hmac.keys' => "k1 $key\n", 'mrpc.secret' => "$key\n",
    'models/mrpc.sql' => "-- name: seed :exec\n-- param: user_id int\n-- param: seed string\n"
        . "INSERT INTO seeds (user_id, seed) VALUES (:user_id, :seed);\n");

# ---- what is done with a block: functions of its text

sub sh {
    my ($text) = @_;
    spew("$here/block.sh", "set -e\n$text");
    my $said = qx(sh '$here/block.sh' 2>&1);
    is $?, 0, '... runs' or diag $said;
    return $said;
}

# The curl lines, against the shop of ./bootstrap run.
sub visit_shop {
    my ($text) = @_;
    my $shop = app('shop', qq{MouseDatabase main sqlite3 "\${DATA}/shop.sqlite"\n}
        . qq{MouseModels "\${APP}/models" database=main\n} . slurp("$conf/examples/shop/shop.conf"), $schema, %shop);
    is $text =~ s{http://127\.0\.0\.1:8080}{$shop}g, 3, '... three requests';
    is_deeply [sh($text) =~ m{^HTTP/1\.1 (\d+)}mg], [200, 200, 201], '... are answered';
}

sub make_app {
    my ($text) = @_;
    ok $text =~ s/^mouse serve(?: +#.*)?\n\z//m, '... ends with mouse serve';
    sh($text);
    ok +(serve('todo'))[1], '... which serves it';
}

# Where t/conf/check.sh looks for it.
sub in_one_screen {
    my (undef, $block) = @_;
    is $block->{words}, '## One screen', '... is read by httpd -t in check.sh';
}

sub in_orders {
    my ($text) = @_;
    ok index(Page::squeezed($shop{'models/orders.sql'}), Page::squeezed($text =~ s/^-- orders\.sql\n//r)) >= 0,
        '... stands in the shop';
}

sub make_module {
    my ($text) = @_;
    copy("$conf/examples/compute/mod_compute.c", "$here/mod_compute.c") or die $!;
    $text =~ s/ -i / / and $text =~ s{INCLUDEDIR}{$docs/../include} or fail '... names INCLUDEDIR, installs';
    sh($text);
    ok -f "$here/mod_compute.la", '... makes the module';
}

# Does an answer say the same? "..." stands for any text.
sub says {
    my ($got, $shown) = @_;
    for my $name (keys %$shown) {
        ref $shown->{$name} || $shown->{$name} ne '...'
            ? is_deeply($got->{$name}, $shown->{$name}, "... $name") : ok(length $got->{$name}, "... $name");
    }
}

sub all_are_up {
    my ($text) = @_;
    my $ready = app('ready', slurp("$rig/twins.conf") =~ s/^.*\blog\b.*\n|^.*\/two.*\n//gmr, 'CREATE TABLE t (x);',
        'models/some.sql' => "-- name: one :one\nSELECT 1 AS n;\n");
    my $answer = ask(GET => "$ready/ready");
    is $answer->code, 200, '... 200';
    is $answer->content, $text =~ s/\n\z//r, '... as it is';
}

sub one_is_down {
    my ($text) = @_;
    make_path('twins/data');
    system 'sqlite3', 'twins/data/log.sqlite', 'CREATE TABLE t (x)';
    my $twins = app('twins', slurp("$rig/twins.conf"), 'CREATE TABLE t (x);',
        'models/some.sql' => "-- name: one :one\nSELECT 1 AS n;\n", 'log/other.sql' => "-- name: two :one\nSELECT 2 AS n;\n");
    rename 'twins/data/twins.sqlite', 'twins/data/gone' or die $!;
    my $answer = ask(GET => "$twins/ready");
    is $answer->code, 503, '... 503';
    says(json($answer), json($text));
}

# An answer in its envelope, of a request in one.
sub envelope {
    my ($text) = @_;
    my $seed = 'seed-' . time;
    my $answer = ask(POST => "$url/enveloped/seven", {user_id => 0, version => '1', request_tag => '...',
        timestamp => int(1000 * time), seed => $seed, data => {}, auth => hmac_sha256_hex("[]$seed", $key)});
    is $answer->code, 200, '... 200' or diag $answer->content;
    my ($shown, $said) = map { s/\s*\n\s*//gr =~ s/"[0-9a-f]{64}"/"64 hex digits"/gr =~ s/(?<="timestamp":)\d{13}/MILLISECONDS/r }
        $text, $answer->content;
    is $said, $shown, '... member by member';
}

sub timing {
    my ($text) = @_;
    my %session = ('X-Session' => 'demo');
    my $made = ask(POST => "$url/api/orders", {items => [{product_id => 2, qty => 1}]}, %session);
    my $answer = ask(GET => "$url/orders/" . json($made)->{id}, undef, %session);
    my ($shown, $said) = map { s/\d+\.\d+/N/gr } $text, 'Server-Timing: ' . $answer->header('Server-Timing') . "\n";
    is $said, $shown, '... entry by entry';
}

sub limit {
    my ($text) = @_;
    my $answer = ask(GET => "$url/limited");
    is join('', map { "$_: " . $answer->header($_) . "\n" } qw(RateLimit-Policy RateLimit)), $text, '... field by field';
}

sub sign_in_shell {
    my ($text) = @_;
    spew("$here/sign.sh", $text);
    is sh("sh sign.sh k1 $key $url/signed '{\"n\":1}'\n"), '{"signed":true}', '... and its request passes';
}

sub sign_in_node {
    my ($text) = @_;
    SKIP: {
        skip 'no node', 2 if system 'command -v node >/dev/null';
        spew("$here/sign.mjs", $text . 'const [url, secret] = process.argv.slice(2);'
            . q[process.stdout.write(await (await signedPost('k1', secret, url, '{"n":1}')).text());]);
        is sh("node sign.mjs $url/signed $key\n"), '{"signed":true}', '... and its request passes';
    }
}

# A head of a request: with a session and a body, sent twice.
sub repeat {
    my ($text) = @_;
    my ($method, $path, @fields) = $text =~ m{^(\S+) (\S+) HTTP/1\.1$|^(\S+): (.*)$}mg;
    ($method, $path, @fields) = grep { defined } $method, $path, @fields;
    my @answers = map { ask($method => "$url$path", '{"items":[{"product_id":1,"qty":1}]}', @fields, 'X-Session' => 'demo') } 1, 2;
    is_deeply [map { $_->code } @answers], [201, 201], '... is answered, again, too' or diag $answers[0]->content;
    is $answers[1]->content, $answers[0]->content, '... by the same';
}

sub query_metrics {
    my ($text) = @_;
    my $page = ask(GET => "$url/metrics")->content;
    my %names = map { $_ => 1 } $text =~ /\b(mouse_\w+)/g;
    cmp_ok scalar(keys %names), '>', 1, '... of metrics';
    like $page, qr/^$_\{/m, "... such as $_" for sort keys %names;
}

# ---- the pages

my %run = (
    'README.md'                         => [\&visit_shop, \&make_app, \&in_one_screen, \&in_orders],
    'reference/actions/controller.md'   => [\&make_module],
    'reference/actions/ready.md'        => [\&all_are_up, \&one_is_down],
    'reference/directives/MouseEnvelope.md'     => [\&envelope],
    'reference/directives/MouseServerTiming.md' => [\&timing],
    'reference/guards/hmac.md'          => [\&sign_in_shell, \&sign_in_node],
    'reference/guards/rate-limit.md'    => [\&limit],
    'reference/idempotency.md'          => [\&repeat],
    'reference/metrics.md'              => [\&query_metrics],
);

my $not_run = 0;
for my $page ('README.md', map { s{^\./}{reference/}r } split /\n/, qx(cd '$docs/reference' && find . -name '*.md' | sort)) {
    next if $page eq 'reference/command.md'; # usage.t
    my @steps = @{ delete $run{$page} // [] };
    for my $block (Page::blocks(slurp($page eq 'README.md' ? "$docs/../README.md" : "$docs/$page"))) {
        my $where = "$page:$block->{line}";
        next if $page ne 'README.md' && $block->{kind} =~ /\A(?:apache|sql)\z/; # reference.t
        if (defined(my $why = Page::not_run($block))) {
            $not_run++;
            pass("$where: not run: $why");
        } elsif (my $step = shift @steps) {
            pass("$where: " . ($block->{kind} || 'of no kind'));
            $step->($block->{body}, $block);
        } else {
            fail("$where: a block that nothing runs: " . ($block->{kind} || 'of no kind'));
        }
    }
    is scalar @steps, 0, "$page has all its blocks";
}
is_deeply [keys %run], [], 'every page is there';
cmp_ok $not_run, '<=', 5, "$not_run not run";

done_testing;
