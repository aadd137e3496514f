# The usage lines of docs/reference/command.md: the command knows each word and option of them, and
# so does the completion; what the completion offers stands there.
use strict;
use warnings FATAL => 'all';

use Test::More;
use Mouse qw(mouse serve slurp);
use Page ();

my $text = slurp("$ENV{MOUSE_TEST_DOCS}/reference/command.md");
my %usage; # of each command: its lines
for my $block (Page::blocks($text)) {
    my ($name) = $block->{words} =~ /\A## mouse (\w+)\z/;
    ok $name && $block->{kind} eq 'sh', "line $block->{line}: a block is the usage of its section" or next;
    my @lines = split /\n/, $block->{body};
    is scalar(grep { !/^mouse $name(?: |\z)/ } @lines), 0, "mouse $name: nothing but usage";
    $usage{$name} = \@lines;
}
is_deeply [sort keys %usage], [sort $text =~ /^## mouse (\w+)$/mg], 'each section has its usage';

# What the words of a usage line stand for; there is no app in this folder.
my %value = (METHOD => 'GET', PATH => '/nothing', 'FILE/NAME' => 'notes/all', 'FILE.t' => 'no.t');

sub words_of {
    my ($line) = @_;
    $line =~ s/\[[^\]]*\](?:\.\.\.)?//g; # what may be left out
    my (undef, @words) = split ' ', $line;
    return map { $value{$_} // (/^[A-Z]/ ? "no-\L$_" : $_) } @words;
}

# --db sqlite|mysql, --as GUARD.FIELD=VALUE: (option, value or undef)
sub options_of {
    my ($line) = @_;
    my @options;
    while ($line =~ /(?<=[\[ ])(--?[a-z]+)(?: ([^\s\]]+))?/g) {
        my ($option, $value) = ($1, $2);
        push @options, [$option, defined $value && $value !~ /^-/ ? $value =~ s/\|.*//r : undef];
    }
    return @options;
}

sub complete {
    my (@words) = @_;
    open my $bash, '-|', 'bash', '-c', '. "$0"; COMP_WORDS=(mouse "$@"); COMP_CWORD=$#;
        _mouse; printf "%s\n" "${COMPREPLY[@]}"', "$ENV{MOUSE_TEST_SHARE}/../completion", @words or die $!;
    chomp(my @offered = <$bash>);
    return @offered;
}

# `mouse call` looks at its options where an app is served.
mouse('new', 'app');
my ($server) = serve('app');
sub mouse_there {
    my (@words) = @_;
    chdir 'app' or die $! if $words[0] eq 'call';
    my @got = mouse(@words);
    chdir '..' or die $! if $words[0] eq 'call';
    return @got;
}

my %completed = map { $_ => 1 } complete('');
for my $name (sort keys %usage) {
    ok $completed{$name}, "mouse $name is completed";
    my %offered = map { $_ => 1 } map { complete($name, @$_, '-') } [], ['x'], ['x', 'x'];
    my %shown;
    for my $line (@{ $usage{$name} }) {
        my @words = words_of($line);
        my ($status, undef, $err) = mouse_there(@words, '--of-no-command');
        is $status, 2, "@words: an unknown option" or diag $err;
        (my $unknown = $err) =~ s/--of-no-command/OPTION/g;
        for (options_of($line)) {
            my ($option, $value) = @$_;
            $shown{$option} = 1;
            (undef, undef, $err) = mouse_there(@words, $option, $value // ());
            isnt $err =~ s/\Q$option\E\b/OPTION/gr, $unknown, "@words: $option is known";
            ok $offered{$option}, '... and completed';
        }
    }
    my ($section) = $text =~ /^## mouse $name$(.*?)(?=^## )/ms;
    ok $shown{$_} || $section =~ /`$_\b/, "mouse $name $_: completed, and in the section" for sort keys %offered;
}
for my $name (sort keys %completed) {
    ok $usage{$name} || $name =~ /\A(?:help|version)\z/, "mouse $name: completed, and on the page";
    isnt((mouse($name, '--help'))[0], 2, '... and known') if $usage{$name};
}

# The words behind an option, and behind `add`.
is_deeply [complete('new', 'x', '--db', '')], [split /\|/, $usage{new}[0] =~ s/.*--db ([\w|]+).*/$1/r], '--db';
is_deeply [sort grep { !-e } complete('add', '')], [sort map { /^mouse add (\w+)/ } @{ $usage{add} }], 'what to add';

done_testing;
