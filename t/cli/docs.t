# The pages of docs/ as their readers follow them, each on a Debian of its own. DOCS_PAGES names
# some of them, apart by spaces. reference.t has those of reference/.
use strict;
use warnings FATAL => 'all';

use Test::More;
use Mouse qw();
use Page ();

my $docs = $ENV{MOUSE_TEST_DOCS};
my @pages = split ' ', $ENV{DOCS_PAGES} // '';
# tutorial.t looks closer at one.
@pages = grep { $_ ne 'tutorials/todo.md' } map { s{^\Q$docs\E/}{}r }
    map { glob "$docs/$_/*.md" } qw(tutorials how-to explanation) unless @pages;
for my $file (@pages) {
    subtest $file => sub {
        my $page = Page->new($file)->run();
        note "$file: $page->{run} run, $page->{not_run} not run";
        ok !$page->{run} || $page->{not_run} <= $page->{run}, 'most of it is run';
        done_testing;
    };
}

done_testing;
