package Page;

# A page of docs/ as its readers follow it: every block is run, in turn, by one shell and on files
# below a folder of the page's own. What a page has to keep to:
#
#   sh               runs. A block of text or json right behind it is what it prints; a line `...`
#                    there stands for any lines. `mouse serve`, at its end, goes on in the background.
#   other kinds      belong to the file that the paragraph before names last. A model takes the
#                    place of the one of its name. Where the paragraph says that the file gets the
#                    block, it comes to the end, or to the end of its virtual host; else it is the
#                    whole file.
#   apache           without a file is a part of a configuration: httpd -t must take it beside
#                    what is there already.
#   <!-- from: FILE -->    right before a block: it stands in that file of the source.
#   <!-- not run: WHY -->  right before a block: counted, and not run.
#   <!-- after: PAGE -->   the blocks of that page come first.
#
# Absolute paths, a2enmod, apachectl and the ports 80 and 443 are those of Debian.pm.
use strict;
use warnings FATAL => 'all';

use Cwd qw(getcwd);
use File::Basename qw(basename dirname);
use File::Path qw(make_path);
use IPC::Open2 qw(open2);
use Test::More;

use Debian ();
use Mouse qw(mouse serve stop output slurp spew);

# A page below docs/, in a folder of its name below this one.
sub new {
    my ($class, $file) = @_;
    my $dir = getcwd() . '/' . basename($file, '.md');
    make_path("$dir/work");
    my $self = bless {file => $file, cwd => "$dir/work", dir => $dir, run => 0, not_run => 0}, $class;
    symlink "$ENV{MOUSE_TEST_RIG}/../conf", "$dir/work/conf" or die "conf: $!"; # as in a clone
    $self->{debian} = Debian->new($dir);
    return $self;
}

# All blocks, those of the pages that come first included.
sub run {
    my ($self) = @_;
    $self->start_shell();
    $self->follow($self->{file});
    close $self->{in};
    waitpid $self->{shell}, 0;
    $self->{debian}->stop();
    return $self;
}

# What `mouse serve` has said; it ends.
sub said {
    my ($self) = @_;
    return $self->{said} //= do {
        my $said = output($self->{server});
        stop($self->{server});
        $said;
    };
}

sub follow {
    my ($self, $file) = @_;
    my $text = slurp("$ENV{MOUSE_TEST_DOCS}/$file");
    $self->follow(dirname($file) . "/$1") if $text =~ /^<!-- after: (\S+) -->$/m;
    my @blocks = blocks($text);
    while (my $block = shift @blocks) {
        my ($words, $kind, $body) = @$block{qw(words kind body)};
        my $where = "$file:$block->{line}";
        if (defined(my $why = not_run($block))) {
            $self->{not_run}++;
            pass("$where: not run: $why");
        } elsif ($words =~ /\A<!-- from: (\S+) -->\z/) {
            $self->{run}++;
            ok index(squeezed(slurp("$self->{dir}/work/$1")), squeezed($body)) >= 0, "$where: stands in $1";
        } elsif ($kind eq 'sh') {
            my $next = $blocks[0];
            my $shown = $next && $next->{words} eq '' && $next->{kind} =~ /\A(?:text|json)\z/
                ? shift(@blocks)->{body} : undef;
            $self->{run}++;
            $self->run_block($where, $body, $shown);
        } elsif ($words =~ /.*`([\w.\/-]+\.\w+)`/s && $kind !~ /\A(?:|text)\z/) {
            $self->{run}++;
            $self->write_block($where, $1, $words, $body);
        } elsif ($kind eq 'apache') {
            $self->{run}++;
            $self->try_part($where, $body);
        } else {
            fail("$where: a block that nothing runs: " . ($kind || 'of no kind'));
        }
    }
}

# The blocks of a page: line, kind, body, and the paragraph before, '' right behind a block. Dies
# of fences that it cannot read: nothing would run what they hold.
sub blocks {
    my ($text) = @_;
    my @blocks;
    while ($text =~ /\G(.*?)^```(\w*)\n(.*?)^```$/gcms) {
        my ($words, $kind, $body, $end) = ($1, $2, $3, pos $text);
        $words =~ s/\A\s+|\s+\z//g;
        $words =~ s/.*\n\n//s;
        my $line = 1 + (substr($text, 0, $end) =~ tr/\n//) - ($body =~ tr/\n//);
        push @blocks, {words => $words, kind => $kind, body => $body, line => $line};
    }
    pos($text) = 0;
    my $fences = () = $text =~ /^\s*(?:```|~~~)/mg;
    die "$fences fences, but " . @blocks . " blocks\n" if $fences != 2 * @blocks;
    return @blocks;
}

# Why a block is not run, where its mark says so.
sub not_run {
    my ($block) = @_;
    return $block->{words} =~ /\A<!-- not run: (.+) -->\z/s ? $1 : undef;
}

sub squeezed { return join ' ', split ' ', $_[0] }

# ---- files

sub path {
    my ($self, $name) = @_;
    my $path = $self->{debian}->here($name);
    return $path =~ m{^/} ? $path : "$self->{cwd}/$path";
}

sub write_block {
    my ($self, $where, $name, $words, $body) = @_;
    my $path = $self->path($name);
    my $block = $self->{debian}->here($body);
    my $old = -f $path ? slurp($path) : '';
    if ($name =~ /\.sql$/ && $block =~ /^-- name: /m) {
        for my $model (split /^(?=-- name: )/m, $block) {
            my ($title) = $model =~ /^(-- name: \w+)/;
            $model =~ s/\n*\z/\n\n/;
            $old =~ s/^\Q$title\E .*?(?=^-- name:|\z)/$model/ms or $old .= $model;
        }
    } elsif ($words =~ /\bgets\b/) {
        isnt $old, '', "$where: $name is there";
        $old =~ s{(?=</VirtualHost>\s*\z)}{$block} or $old .= "\n$block";
    } else {
        $old = $block;
    }
    make_path(dirname($path));
    spew($path, $old);
    pass("$where: $name");
    $self->settle();
}

# A part of a configuration, beside the one that is there.
sub try_part {
    my ($self, $where, $body) = @_;
    my $part = "$self->{dir}/part.conf";
    spew($part, $self->{debian}->here($body));
    my $conf = "$self->{cwd}/.mouse/httpd.conf";
    $conf = $self->{debian}->conf() unless -f $conf;
    my $said = $self->{debian}->env(sub { qx("$ENV{HTTPD}" -t -f "$conf" -c 'Include "$part"' 2>&1) });
    is $?, 0, "$where: httpd takes it" or diag $said;
}

# ---- commands

sub start_shell {
    my ($self) = @_;
    $self->{debian}->env(sub { $self->{shell} = open2($self->{out}, $self->{in}, 'sh') });
    print { $self->{in} } "cd '$self->{cwd}'\n";
    $self->{in}->autoflush(1);
}

sub run_block {
    my ($self, $where, $block, $shown) = @_;
    if ($block =~ s/^mouse serve(?: +#.*)?\n\z//m) {
        ok +($self->shell($block))[0], "$where: runs: $block" if $block ne '';
        $self->{app} = $self->{cwd};
        ($self->{server}, $self->{url}) = in_folder($self->{app}, \&serve);
        ok $self->{url}, "$where: mouse serve";
        return;
    }
    my ($done, $said) = $self->shell($block);
    # Readers type slower than httpd starts anew.
    for (1 .. 20) {
        last if !$done || !defined $shown || $self->fits($said, $shown) || writes($block);
        select undef, undef, undef, 0.5;
        ($done, $said) = $self->shell($block);
    }
    $self->{printed} .= $said;
    ok $done, "$where: runs: $block" or diag $said, slurp("$self->{dir}/err.log");
    if (defined $shown) {
        ok $self->fits($said, $shown), "$where: ... and says what the page shows"
            or is $self->plain($said), $self->plain($shown), 'said and shown';
    }
    $self->settle();
}

sub writes {
    my ($block) = @_;
    return $block !~ /^(?:curl|mouse call GET)/ || $block =~ /\s(?:-d|-X|POST|PUT|PATCH|DELETE)\s/;
}

# A block in the shell, which keeps folder and variables: (did it run, what it printed).
sub shell {
    my ($self, $block) = @_;
    my $dir = $self->{dir};
    $block =~ s{http://127\.0\.0\.1:8080}{$self->{url}}g if $self->{url};
    spew("$dir/block.sh", 'set -e' . "\n" . $self->{debian}->here($block) . "\nset +e\n");
    print { $self->{in} } ". '$dir/block.sh' </dev/null >'$dir/out.log' 2>'$dir/err.log'; pwd\n";
    my $cwd = readline $self->{out};
    if (defined $cwd) {
        chomp($self->{cwd} = $cwd);
    } else { # the block has ended it
        waitpid $self->{shell}, 0;
        $self->start_shell();
    }
    return (defined $cwd, slurp("$dir/out.log"));
}

# Does a text say what the page shows?
sub fits {
    my ($self, $said, $shown) = @_;
    my $want = join '', map { $_ eq "...\n" ? '(?:.*\n)*?' : quotemeta } split /^/, $self->plain($shown);
    return $self->plain($said) =~ /\A$want\z/;
}

# Without what differs from run to run.
sub plain {
    my ($self, $text) = @_;
    $text = $self->{debian}->there($text);
    $text =~ s/\r//g;
    $text =~ s/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/TIME/g;
    $text =~ s/\b\d{8}-\d{6}(?:\.1)*\b/RELEASE/g;
    $text =~ s/"request_id":"[^"]*"/"request_id":"ID"/g;
    $text =~ s/\b[0-9a-f]{64}\b/HEX/g;
    $text =~ s/\n*\z/\n/;
    $text =~ s{http://127\.0\.0\.1:\d+}{URL}g;
    return $text;
}

# Waits until `mouse serve` has taken in what was written.
sub settle {
    my ($self) = @_;
    return unless $self->{server} && !defined $self->{said};
    in_folder($self->{app}, sub { mouse('call', GET => '/.mouse/version.json') });
}

sub in_folder {
    my ($dir, $do) = @_;
    my $back = getcwd();
    chdir $dir or die "$dir: $!";
    my @got = $do->();
    chdir $back or die "$back: $!";
    return @got;
}

1;
