package Debian;

# The httpd of a Debian below a folder, for who runs the tests: /etc/apache2 as the package
# apache2 leaves it, a2enmod and apachectl for it, and curl whose ports 80 and 443 are its own.
use strict;
use warnings FATAL => 'all';

use File::Path qw(make_path);
use IO::Socket::INET ();

use Mouse qw(wait_for slurp spew);

# What `apt install apache2` enables.
my @enabled = qw(access_compat alias auth_basic authn_core authn_file authz_core authz_host
    authz_user autoindex deflate dir env filter mime mpm_event negotiation reqtimeout setenvif
    status);

sub new {
    my ($class, $dir) = @_;
    my $self = bless {dir => $dir, root => "$dir/root"}, $class;
    my @sockets = map { IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1') or die $! } 1, 2;
    ($self->{http}, $self->{https}) = map { $_->sockport } @sockets;
    my $etc = "$self->{root}/etc/apache2";
    make_path("$dir/bin", map({ "$self->{root}/$_" } qw(run/apache2 srv var/log/apache2 var/lib
        var/www/html etc/ssl/certs etc/ssl/private)),
        map { ("$etc/$_-available", "$etc/$_-enabled") } qw(mods conf sites));
    spew("$etc/apache2.conf", slurp("$ENV{MOUSE_TEST_RIG}/debian/apache2.conf"));
    spew("$etc/ports.conf", $self->here("Listen *:80\n<IfModule ssl_module>\n    Listen *:443\n</IfModule>\n"));
    spew("$etc/sites-enabled/000-default.conf",
        $self->here("<VirtualHost *:80>\n    DocumentRoot /var/www/html\n</VirtualHost>\n"));
    $self->make_modules($etc);
    $self->make_commands();
    spew("$dir/.curlrc", join '', "noproxy = *\n",
        map { "connect-to = \":$_->[0]:127.0.0.1:$_->[1]\"\n" } [80 => $self->{http}], [443 => $self->{https}]);
    return $self;
}

sub make_modules {
    my ($self, $etc) = @_;
    for my $so (glob "$ENV{HTTPD_MODULES}/mod_*.so") {
        my ($name) = $so =~ /mod_(\w+)\.so$/;
        spew("$etc/mods-available/$name.load", "LoadModule ${name}_module $so\n") if $name ne 'mouse';
    }
    for my $file (glob "$ENV{MOUSE_TEST_RIG}/debian/mods/*.conf") {
        spew("$etc/mods-available/" . $file =~ s{.*/}{}r, slurp($file));
    }
    spew("$etc/mods-available/mouse.load", slurp("$ENV{MOUSE_TEST_MODS}/mouse.load")
        =~ s{\S+/mod_mouse\.so}{$ENV{MOUSE_MODULE}}r);
    spew("$etc/mods-available/mouse.conf", $self->here(slurp("$ENV{MOUSE_TEST_MODS}/mouse.conf")));
    for my $name (@enabled) {
        for my $file (grep { -f "$etc/mods-available/$_" } "$name.load", "$name.conf") {
            symlink "../mods-available/$file", "$etc/mods-enabled/$file" or die "$file: $!";
        }
    }
}

# One script does what a2enmod, a2dissite and so on do, by its name.
sub make_commands {
    my ($self) = @_;
    my %from = map { ("a2$_" => 'a2enmod') } qw(enmod dismod ensite dissite enconf disconf);
    %from = (%from, apachectl => 'apachectl', systemctl => 'systemctl');
    $from{chown} = 'chown' if $> != 0;
    for my $name (keys %from) {
        symlink "$ENV{MOUSE_TEST_RIG}/debian/$from{$name}", "$self->{dir}/bin/$name" or die "$name: $!";
    }
}

# A text with this Debian's paths and ports, and back.
sub here {
    my ($self, $text) = @_;
    $text =~ s{(?<![\w./\$\}-])/usr/local/share/mod_mouse\b}{$ENV{MOUSE_TEST_SHARE}}g;
    $text =~ s{(?<![\w./\$\}-])/(etc|srv|var|run)(?=/)}{$self->{root}/$1}g;
    $text =~ s{(?<!\S)(<VirtualHost |Listen )\*:80\b}{${1}127.0.0.1:$self->{http}}g;
    $text =~ s{(?<!\S)(<VirtualHost |Listen )\*:443\b}{${1}127.0.0.1:$self->{https}}g;
    return $text;
}

sub there {
    my ($self, $text) = @_;
    $text =~ s{\Q$self->{root}\E}{}g;
    $text =~ s{\Q$ENV{MOUSE_TEST_SHARE}\E}{/usr/local/share/mod_mouse}g;
    return $text;
}

sub conf { return $_[0]{root} . '/etc/apache2/apache2.conf' }

# Calls a function with the environment that this Debian's commands need.
sub env {
    my ($self, $do) = @_;
    my $root = $self->{root};
    local @ENV{qw(DEBIAN_ROOT CURL_HOME PATH)} = ($root, $self->{dir}, "$self->{dir}/bin:$ENV{PATH}");
    local @ENV{qw(APACHE_RUN_USER APACHE_RUN_GROUP APACHE_RUN_DIR APACHE_LOG_DIR APACHE_PID_FILE)} =
        ('www-data', 'www-data', "$root/run/apache2", "$root/var/log/apache2", "$root/run/apache2/apache2.pid");
    return $do->();
}

sub stop {
    my ($self) = @_;
    my $file = "$self->{root}/run/apache2/apache2.pid";
    return unless -f $file && (my $pid = slurp($file) + 0);
    kill TERM => $pid;
    wait_for(sub { !kill 0, $pid });
}

1;
