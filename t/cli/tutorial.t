# docs/tutorials/todo.md as its readers type it.
use strict;
use warnings FATAL => 'all';

use Test::More;
use Mouse qw();
use Page ();

my $page = Page->new('tutorials/todo.md')->run();
like $page->said(), qr/^error: models\/todos\.sql:\d+:\d+$/m, 'the mistake was shown where it is served';
ok -f "$page->{dir}/work/todo-site/current/app.conf", 'the release';

done_testing;
