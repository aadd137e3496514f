# The parts of configurations and model files in docs/reference: httpd takes each, beside what it
# takes for granted (reference/base.conf and models.sql). blocks.t runs the other kinds.
use strict;
use warnings FATAL => 'all';

use Cwd qw(getcwd);
use File::Path qw(make_path remove_tree);
use Test::More;

use Debian ();
use Mouse qw(slurp spew);
use Page ();

my $rig = "$ENV{MOUSE_TEST_RIG}/reference";
my $docs = "$ENV{MOUSE_TEST_DOCS}/reference";
my $debian = Debian->new(getcwd());
my $models = $debian->here('/srv/shop/models');
my $etc = $debian->here('/etc/apache2');
my $swagger = getcwd() . '/swagger-ui';

# What a guard stands before that its page does not show.
my %before = ('idempotency.md' => 'MouseUse user');

# Files that a configuration names, with what would do.
my %files = (
    'password-file' => "cheese\n",
    'keys-file'     => "reports 0123456789abcdef0123456789abcdef\n",
    'key-file'      => "0123456789abcdef0123456789abcdef\n",
    'secret-file'   => "0123456789abcdef0123456789abcdef\n",
    'MouseCallKey'  => "0123456789abcdef0123456789abcdef\n",
    'jwks-file'     => slurp("$rig/issuer.json"),
);

sub make_files {
    my ($conf) = @_;
    while ($conf =~ /\b((?:password|keys?|secret|jwks)-file|MouseCallKey)[= ]([^\s"]+)/g) {
        my ($kind, $file) = ($1, $2);
        $file = "$etc/$file" unless $file =~ m{^/};
        make_path($file =~ s{/[^/]+\z}{}r);
        spew($file, $files{$kind});
        chmod 0600, $file or die "$file: $!";
    }
}

# The models of models.sql, but where a page shows one of the same name; its others are in page.sql.
sub make_models {
    my @shown = map { split /^(?=-- name: )/m } grep { /^-- name: /m } @_;
    my %own = map { /^(-- name: \w+)/ ? ($1 => $_) : () } @shown;
    remove_tree($models);
    make_path($models);
    my (%text, %used, $file);
    for my $part (split /^(?=-- \w+$|-- name: )/m, slurp("$rig/models.sql")) {
        $file = $1 if $part =~ /^-- (\w+)$/m;
        next unless $part =~ /^(-- name: \w+)/;
        $used{$1} = 1 if $own{$1};
        $text{$file} .= "\n" . ($own{$1} // $part);
    }
    $text{page} = join "\n", map { $own{$_} } grep { !$used{$_} } sort keys %own;
    spew("$models/$_.sql", $text{$_}) for keys %text;
}

sub check {
    my ($page, $line, $conf) = @_;
    $conf = $debian->here($conf) =~ s{/usr/local/share/swagger-ui}{$swagger}r;
    make_files($conf);
    # The guards of MouseUse are looked at where there is a route.
    $conf .= "\nMouseRoute GET /of-the-test json '{}'";
    spew(getcwd() . '/part.conf', "<VirtualHost *:81>\n$conf\n</VirtualHost>\n");
    my $said = $debian->env(sub {
        qx("$ENV{HTTPD}" -t -f "@{[$debian->conf()]}" -c 'Include "@{[getcwd()]}/part.conf"' 2>&1);
    });
    is $?, 0, "$page:$line: httpd takes it" or diag $said, $conf;
}

is $debian->env(sub { system 'a2enmod mouse headers' }), 0, 'a2enmod';
make_path($debian->here('/srv/shop'), "$swagger/node_modules/swagger-ui-dist");
spew("$swagger/node_modules/swagger-ui-dist/$_", '/* its part */') for qw(swagger-ui.css swagger-ui-bundle.js);
spew("$etc/conf-enabled/base.conf", $debian->here(slurp("$rig/base.conf")
    . "MouseModels /srv/shop/models database=main\n"));

my ($parts, $not_run) = (0, 0);
for my $file (split /\n/, qx(cd '$docs' && find . -name '*.md' | sort)) {
    my $page = $file =~ s{^\./}{}r;
    my @blocks = grep { $_->{kind} =~ /\A(?:apache|sql)\z/ } Page::blocks(slurp("$docs/$page"));
    my @marked = grep { $_->{words} =~ /\A<!-- not run: .+ -->\z/s } @blocks;
    $not_run += @marked;
    my %marked = map { $_ => 1 } @marked;
    my @parts = grep { !$marked{$_} } @blocks;
    next unless @parts;
    for my $part (grep { $_->{kind} eq 'sql' && $_->{body} !~ /^-- name: /m } @parts) {
        fail("$page:$part->{line}: lines that are no model");
    }
    make_models(map { $_->{body} } grep { $_->{kind} eq 'sql' } @parts);
    my @confs = grep { $_->{kind} eq 'apache' } @parts;
    check($page, $_->{line}, join "\n", $before{$page} // '', $_->{body}) for @confs;
    check($page, $parts[0]{line}, '') unless @confs;
    $parts += @parts;
}
cmp_ok $parts, '>', 40, "$parts parts, $not_run not run";

done_testing;
