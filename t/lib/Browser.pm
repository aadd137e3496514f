package Browser;

# A headless Chromium, driven by chromedriver in the words of WebDriver (W3C): HTTP and JSON.
# Both listen on 127.0.0.1 alone, resolve no name but *.localhost, and keep their files in a
# folder of the test, which is removed with them.
use strict;
use warnings FATAL => 'all';

use File::Path qw(remove_tree);
use HTTP::Request ();
use IO::Socket::INET ();
use JSON ();
use LWP::UserAgent ();
use MIME::Base64 qw(decode_base64);
use Time::HiRes qw(sleep time);

my $element = 'element-6066-11e4-a52e-4f735466cecf'; # the key of an element, section 12
# --no-sandbox: containers often forbid the namespaces that the sandbox is made of, and no page
# is opened but the tests' own.
my @switches = (
    qw(--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run
        --disable-background-networking --disable-component-update --disable-sync
        --disable-default-apps --disable-extensions),
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
);

sub find_program {
    my ($name) = @_;
    return (grep { -x } map { "$_/$name" } split /:/, $ENV{PATH})[0];
}

# Both programs, or undef.
sub programs {
    my @found = grep { defined } map { find_program($_) } qw(chromedriver chromium);
    return @found == 2 ? \@found : undef;
}

# Browser->start($folder): a new profile in $folder.
sub start {
    my ($class, $folder) = @_;
    my $socket = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1') or die "socket: $!";
    my $port = $socket->sockport;
    close $socket;
    my $self = bless {
        url => "http://127.0.0.1:$port", folder => $folder, owner => $$,
        agent => LWP::UserAgent->new(timeout => 60),
    }, $class;
    mkdir $folder or die "$folder: $!";
    $self->{pid} = fork // die "fork: $!";
    if (!$self->{pid}) {
        setpgrp;
        open STDOUT, '>', "$folder/log" and open STDERR, '>&', \*STDOUT or die "$folder/log: $!";
        $ENV{HOME} = $ENV{TMPDIR} = $folder;
        exec programs()->[0], "--port=$port" or die "exec: $!";
    }
    $self->open_session;
    return $self;
}

sub open_session {
    my ($self) = @_;
    my $end = time + 30;
    until ($self->{agent}->get("$self->{url}/status")->is_success) {
        die "chromedriver does not answer\n" if time > $end;
        sleep 0.1;
    }
    my $options = {binary => programs()->[1], args => [@switches, "--user-data-dir=$self->{folder}/profile"]};
    my $made = $self->ask(POST => '/session',
        {capabilities => {alwaysMatch => {browserName => 'chrome', 'goog:chromeOptions' => $options}}});
    $self->{session} = "/session/$made->{sessionId}";
    $self->{browser} = $made->{capabilities}{'goog:processID'};
    return;
}

# One command; dies of what the driver says is wrong.
sub ask {
    my ($self, $method, $path, $body) = @_;
    my $request = HTTP::Request->new($method, $self->{url} . $path, ['Content-Type' => 'application/json']);
    $request->content(JSON->new->utf8->encode($body)) if $body;
    my $response = $self->{agent}->request($request);
    my $value = eval { JSON->new->utf8->decode($response->content)->{value} };
    die "$method $path: ", $response->code, ' ', $response->content, "\n" unless $response->is_success;
    return $value;
}

sub go {
    my ($self, $url) = @_;
    return $self->ask(POST => "$self->{session}/url", {url => $url});
}

sub find {
    my ($self, $css) = @_;
    return "$self->{session}/element/"
        . $self->ask(POST => "$self->{session}/element", {using => 'css selector', value => $css})->{$element};
}

sub click {
    my ($self, $css) = @_;
    return $self->ask(POST => $self->find($css) . '/click', {});
}

# Types into a field, in place of what it held.
sub fill {
    my ($self, $css, $text) = @_;
    my $field = $self->find($css);
    $self->ask(POST => "$field/clear", {});
    return $self->ask(POST => "$field/value", {text => $text});
}

sub text {
    my ($self, $css) = @_;
    return $self->ask(GET => $self->find($css) . '/text');
}

# The value of a script's `return`.
sub run {
    my ($self, $script, @args) = @_;
    return $self->ask(POST => "$self->{session}/execute/sync", {script => $script, args => \@args});
}

# For people to look at, when MOUSE_PICTURES names a folder for them: the page as NAME.png, in a
# window of this width.
sub picture {
    my ($self, $name, $width) = @_;
    my $folder = $ENV{MOUSE_PICTURES} or return;
    $self->ask(POST => "$self->{session}/window/rect", {width => $width, height => 900});
    sleep 1;
    open my $fh, '>:raw', "$folder/$name.png" or die "$folder/$name.png: $!";
    print $fh decode_base64($self->ask(GET => "$self->{session}/screenshot"));
    close $fh or die "$folder/$name.png: $!";
    return;
}

# All cookies of the page, those that scripts cannot read, too.
sub cookies {
    my ($self) = @_;
    return $self->ask(GET => "$self->{session}/cookie");
}

# Ends the browser, then the driver with what it may have left, and waits for all of them.
sub stop {
    my ($self) = @_;
    my $pid = delete $self->{pid} or return;
    my @left = (-$pid, $self->{browser} || ());
    my $end = time + 10;
    eval { $self->ask(DELETE => $self->{session}) } if $self->{session};
    kill TERM => -$pid;
    waitpid $pid, 0;
    while (grep { kill 0 => $_ } @left) {
        kill KILL => @left if time > $end;
        sleep 0.05;
    }
    remove_tree($self->{folder});
    return;
}

sub DESTROY {
    my ($self) = @_;
    local ($?, $@);
    $self->stop if $self->{owner} == $$;
    return;
}

1;
