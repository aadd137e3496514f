#!/bin/sh
# Every link of a page to a file, and to a heading of it, finds it.
cd "$(dirname "$0")/../.." || exit 1
find README.md docs -name '*.md' | sort | xargs perl -e '
    use strict;
    use warnings;
    use File::Basename qw(dirname);

    my $bad = 0;

    sub slurp {
        my ($file) = @_;
        open my $in, "<", $file or die "$file: $!\n";
        local $/;
        return <$in>;
    }

    # As GitHub names headings.
    sub headings {
        my ($file) = @_;
        my $text = slurp($file);
        $text =~ s/^```.*?^```//gms;
        my %names;
        while ($text =~ /^#+ (.*)/gm) {
            my $name = lc $1;
            $name =~ s/[^\w -]//g;
            $name =~ tr/ /-/;
            $names{$name} = 1;
        }
        return \%names;
    }

    for my $page (@ARGV) {
        my $text = slurp($page);
        $text =~ s/^```.*?^```//gms;
        $text =~ s/`[^`\n]*`//g;
        while ($text =~ /\]\(([^)\s]+)\)/g) {
            my ($file, $heading) = split /#/, $1, 2;
            next if $file =~ /^\w+:/;
            my $target = $file eq "" ? $page : dirname($page) . "/$file";
            if (!-e $target) {
                print "$page: no $file\n";
                $bad = 1;
            } elsif (defined $heading && !headings($target)->{$heading}) {
                print "$page: no #$heading in $target\n";
                $bad = 1;
            }
        }
    }
    exit $bad;
'
