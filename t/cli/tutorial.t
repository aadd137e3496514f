# docs/tutorials/todo.md as its readers type it: every block of commands is run in turn, and what
# the page shows behind one is what it prints.
use strict;
use warnings FATAL => 'all';

use Test::More;
use Mouse qw(serve stop output ask wait_for slurp spew);

my $page = slurp("$ENV{MOUSE_TEST_DOCS}/tutorials/todo.md");
my ($server, $url, $generation);
my @kept; # what a shell remembers: cd, variables

# What differs from run to run.
sub plain {
    my ($text) = @_;
    $text =~ s/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/TIME/g;
    $text =~ s/"request_id":"[^"]*"/"request_id":"ID"/g;
    $text =~ s/\n*\z/\n/;
    $text =~ s{http://127\.0\.0\.1:\d+}{URL}g;
    return $text;
}

# The server's version, when it has settled.
sub settle {
    return unless $server;
    my $before = $generation;
    wait_for(sub {
        $generation = ask(GET => "$url/.mouse/version.json")->content;
        select undef, undef, undef, 0.7;
        $generation eq ask(GET => "$url/.mouse/version.json")->content;
    });
}

sub run {
    my ($block, $shown) = @_;
    $block =~ s{http://127\.0\.0\.1:8080}{$url} if $url;
    spew('block.sh', join '', map { "$_\n" } 'set -e', @kept, $block);
    my $said = qx(sh block.sh 2>err.log);
    # Readers type slower than httpd starts anew.
    for (1 .. 60) {
        last if !defined $shown || $block !~ /^(?:curl|mouse call)/ || plain($said) eq plain($shown);
        select undef, undef, undef, 0.5;
        $said = qx(sh block.sh 2>err.log);
    }
    is $?, 0, "runs: $block" or diag $said, slurp('err.log');
    is plain($said), plain($shown), "... and says what the page shows" if defined $shown;
    push @kept, grep { /^(?:cd |\w+=)/ } split /\n/, $block;
    settle();
}

# A block of a file: a model of the same name is replaced, anything else is added.
sub write_block {
    my ($file, $block) = @_;
    my $text = -f $file ? slurp($file) : '';
    my ($model) = $block =~ /^-- name: (\w+)/;
    if ($model && $text =~ s/^-- name: \Q$model\E .*?(?=^-- name:|\z)/$block\n/ms) {
        spew($file, $text);
    } else {
        spew($file, $text . $block);
    }
    settle();
}

my $file;
while ($page =~ /\G(.*?)^```(\w+)\n(.*?)^```\n/gcms) {
    my ($words, $kind, $block) = ($1, $2, $3);
    ($file) = $words =~ /.*`((?:models|tests)\/\w+\.\w+)`/s if $words =~ /`(?:models|tests)\//;
    if ($kind eq 'sh') {
        my $shown = $page =~ /\G\n```(?:text|json)\n(.*?)^```\n/gcms ? $1 : undef;
        if ($block =~ /^mouse serve$/) {
            my ($dir) = map { /^cd (\S+)/ } @kept;
            ($server, $url) = serve($dir);
            ok $url, 'mouse serve';
        } else {
            run($block, $shown);
        }
    } elsif ($kind eq 'sql' || $kind eq 'perl') {
        ok $file, "the page says where this belongs: $file";
        write_block("todo/$file", $block);
    } else {
        fail "a block that nothing runs: $kind";
    }
}
like substr($page, pos($page) // 0), qr/^[^`]*Next:/m, 'the page was read to its end';
like output($server), qr/^error: models\/todos\.sql:\d+:\d+$/m, 'the mistake was shown where it is served';
stop($server);
ok -f 'todo-site/current/app.conf', 'the release';

done_testing;
