# mouse.conf as installed: httpd takes it as it is, and with each of its settings switched on;
# and the values it shows are the defaults that the reference tells.
use strict;
use warnings FATAL => 'all';

use Cwd qw(getcwd);
use File::Path qw(make_path);
use Test::More;

use Debian ();
use Mouse qw(slurp spew);

my $debian = Debian->new(getcwd());
my $conf = getcwd() . '/root/etc/apache2/mods-available/mouse.conf';
my $text = slurp($conf);

sub check {
    my ($name) = @_;
    my $said = $debian->env(sub { qx(apachectl -t 2>&1) });
    is $?, 0, "httpd takes it $name" or diag $said;
    unlike $said, qr/mouse\.conf/, '... without a warning' or diag $said;
}

is $debian->env(sub { system 'a2enmod', 'mouse' }), 0, 'a2enmod';
check('as it is installed');
unlike $text, qr/\@\w+\@/, 'it is filled in';
is_deeply [grep { !/^#|^$/ } split /\n/, $text], [], 'nothing is set in it';

# Comments are indented or have a space; a setting follows its # at once.
my $settings = $text =~ s/^#(?=[<A-Z]|    [A-Z]\w+ )//gmr;
$settings =~ s{^(Include +)\S+(?=/mouse-log\.conf$)}{$1$ENV{MOUSE_TEST_SHARE}}m; # wherever it will be
make_path(map { $debian->here($_) } qw(/etc/mouse /srv/shop/models /var/lib/shop));
spew($debian->here('/etc/mouse/shop.pw'), "cheese\n");
spew($debian->here('/etc/mouse/call.key'), "cheese, and much of it\n");
chmod 0600, $debian->here("/etc/mouse/$_") or die $! for qw(shop.pw call.key);
spew($debian->here('/var/lib/shop/shop.sqlite'), '');
spew($conf, $settings);
my @set = grep { /^\s*<?[A-Z]/ } split /\n/, $settings;
cmp_ok scalar(@set), '>', 20, 'its settings';
check('with all of them');

# What has a default is shown with it.
my %shown = map { /^(Mouse\w+)\s+(.*)/ ? ($1 => $2) : () } @set;
my $pages = "$ENV{MOUSE_TEST_DOCS}/reference/directives";
for my $page (glob "$pages/*.md") {
    my ($name) = $page =~ m{(\w+)\.md$};
    my ($default) = slurp($page) =~ /^\| Default \| `([^`]+)` \|$/m;
    next unless defined $default;
    ok defined $shown{$name}, "$name is shown" or next;
    like $shown{$name}, qr/(?:^|\s)\Q$default\E$/, '... with its default';
}

done_testing;
