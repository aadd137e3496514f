# The blocks of README and of docs/, but for its tutorials, how-tos and explanations (docs.t),
# configurations and SQL of the reference (reference.t), and usage lines (usage.t). Each is run here, or compared with what the server
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
    $text =~ s{ -i }{ -I '$docs/../include' } or fail '... installs'; # not into httpd's folders
    sh($text);
    ok -f "$here/mod_compute.la", '... makes the module';
}

# Does an answer say the same, and no more? "..." stands for any text.
sub says {
    my ($got, $shown) = @_;
    is_deeply [sort keys %$got], [sort keys %$shown], '... its members';
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

# A request, sent twice, and the answer to it.
my @repeated;

sub repeat {
    my ($text) = @_;
    my ($method, $path, $fields, $body) = $text =~ m{\A(\S+) (\S+) HTTP/1\.1\n(.*?)\n\n(.*)\n\z}s;
    @repeated = map { ask($method => "$url$path", $body, map { split /: /, $_, 2 } split /\n/, $fields) } 1, 2;
    is $repeated[0]->header('Idempotency-Replayed'), undef, '... is new';
    is $repeated[1]->content, $repeated[0]->content, '... and answered again by the same';
}

sub repeated {
    my ($text) = @_;
    my ($status, $fields, $body) = $text =~ m{\AHTTP/1\.1 ([^\n]+)\n(.*?)\n\n(.*)\n\z}s;
    is $repeated[1]->status_line, $status, '... the status';
    is $repeated[1]->header($_->[0]), $_->[1], "... $_->[0]" for map { [split /: /, $_, 2] } split /\n/, $fields;
    my ($shown, $said) = map { s/^\{"id":\d+,/{"id":N,/r } $body, $repeated[1]->content;
    is $said, $shown, '... the body';
}

# Each metric of an expression is served, with the expression's labels.
sub query_metrics {
    my ($text) = @_;
    my $page = ask(GET => "$url/metrics")->content;
    for my $line (split /\n/, $text) {
        my %names = map { $_ => 1 } $line =~ /\b(mouse_\w+)/g;
        my @labels = ($line =~ /(\w+)="/g, map { split /, */ } $line =~ /\bby \(([\w, ]+)\)/g);
        cmp_ok scalar(keys %names), '>', 0, '... of metrics';
        for my $name (sort keys %names) {
            my ($series) = $page =~ /^$name\{(.*)\} /m;
            ok defined $series, "... such as $name" or next;
            like $series, qr/(?:^|,)$_="/, "... by $_" for @labels;
        }
        next unless ($ENV{PROMTOOL} // '') ne '' && -x $ENV{PROMTOOL};
        spew("$here/rules.yml", "groups:\n- name: page\n  rules:\n  - record: page:rule\n    expr: '$line'\n");
        sh("'$ENV{PROMTOOL}' check rules '$here/rules.yml'\n");
    }
}

# MariaDB's programs say which lines of their group they do not know.
sub option_file {
    my ($text) = @_;
    ok $text =~ s/^\[shop\]$/[client]/m, '... has the group';
    spew("$here/my.cnf", $text);
    like my $said = qx(mariadb --defaults-file='$here/my.cnf' --help 2>&1), qr/^ssl-ca +\S/m, '... is read';
    unlike $said, qr/unknown (?:variable|option)/, '... and known';
}

# ---- the pages

my %run = (
    'README.md'                         => [\&visit_shop, \&make_app, \&in_one_screen, \&in_orders],
    'reference/actions/controller.md'   => [\&make_module],
    'reference/actions/ready.md'        => [\&all_are_up, \&one_is_down],
    'reference/directives/MouseDatabase.md'     => [\&option_file],
    'reference/directives/MouseEnvelope.md'     => [\&envelope],
    'reference/directives/MouseServerTiming.md' => [\&timing],
    'reference/guards/hmac.md'          => [\&sign_in_shell, \&sign_in_node],
    'reference/guards/rate-limit.md'    => [\&limit],
    'reference/idempotency.md'          => [\&repeat, \&repeated],
    'reference/metrics.md'              => [\&query_metrics],
);

my $not_run = 0;
for my $page ('README.md', map { s{^\./}{}r } split /\n/, qx(cd '$docs' && find . -name '*.md' | sort)) {
    next if $page eq 'reference/command.md'; # usage.t
    next if $page =~ m{\A(?:tutorials|how-to|explanation)/[^/]+\z}; # docs.t
    my @steps = @{ delete $run{$page} // [] };
    for my $block (Page::blocks(slurp($page eq 'README.md' ? "$docs/../README.md" : "$docs/$page"))) {
        my $where = "$page:$block->{line}";
        next if $page =~ m{\Areference/} && $block->{kind} =~ /\A(?:apache|sql)\z/; # reference.t
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
