package Mouse;

# What the tests of the command share: run it, serve with it, ask over HTTP, wait.
use strict;
use warnings FATAL => 'all';

use Cwd qw(getcwd);
use Exporter qw(import);
use HTTP::Request ();
use JSON ();
use LWP::UserAgent ();
use Time::HiRes qw(sleep time);

# Each test works in a folder of its own.
(my $name = $0) =~ s{.*/|\.t$}{}g;
mkdir $name and chdir $name or die "$name: $!";

our @EXPORT_OK = qw(mouse serve stop output ask json wait_for slurp spew change);

my %pids; # of servers -> where their output is

# mouse(WORD...): exit status, standard output, standard error.
sub mouse {
    my @words = @_;
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        open STDOUT, '>', ".out.$$" and open STDERR, '>', ".err.$$" and open STDIN, '<', '/dev/null'
            or die "open: $!";
        exec $ENV{MOUSE_TEST_COMMAND}, @words or die "exec: $!";
    }
    waitpid $pid, 0;
    my ($status, $out, $err) = ($? >> 8, slurp(".out.$pid"), slurp(".err.$pid"));
    unlink ".out.$pid", ".err.$pid";
    return wantarray ? ($status, $out, $err) : $status;
}

# serve(WORD...): a running `mouse serve`, as (pid, URL).
sub serve {
    my @words = @_;
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        setpgrp;
        open STDOUT, '>', ".serve.$$" and open STDERR, '>&', \*STDOUT and open STDIN, '<', '/dev/null'
            or die "open: $!";
        exec $ENV{MOUSE_TEST_COMMAND}, 'serve', @words or die "exec: $!";
    }
    $pids{$pid} = getcwd() . "/.serve.$pid";
    my $url = wait_for(sub { output($pid) =~ m{(http://127\.0\.0\.1:\d+)/} && $1 });
    die "mouse serve: " . output($pid) unless $url;
    return ($pid, $url);
}

sub output {
    my ($pid) = @_;
    return -f $pids{$pid} ? slurp($pids{$pid}) : '';
}

# Ends a server by a signal, as Ctrl-C or kill would; its exit status.
sub stop {
    my ($pid, $signal) = @_;
    kill $signal // 'TERM', $pid;
    waitpid $pid, 0;
    my $status = $? >> 8;
    unlink delete $pids{$pid};
    return $status;
}

sub ask {
    my ($method, $url, $data, @headers) = @_;
    my $request = HTTP::Request->new($method, $url, [@headers]);
    if (defined $data) {
        $request->header('Content-Type' => 'application/json');
        $request->content(ref $data ? JSON->new->utf8->encode($data) : $data);
    }
    $request->header('Content-Length' => length $request->content) if length $request->content;
    return LWP::UserAgent->new(timeout => 30, max_redirect => 0)->request($request);
}

sub json {
    my ($text) = @_;
    return JSON->new->utf8->allow_nonref->decode(ref $text ? $text->content : $text);
}

# Calls a function until it is true, for at most 60 seconds; what it returned.
sub wait_for {
    my ($try) = @_;
    my ($end, $got) = (time + 60);
    until ($got = eval { $try->() }) {
        return if time > $end;
        sleep 0.1;
    }
    return $got;
}

sub slurp {
    my ($file) = @_;
    open my $fh, '<', $file or die "$file: $!";
    local $/;
    return scalar(<$fh>) // '';
}

sub spew {
    my ($file, $text) = @_;
    open my $fh, '>', $file or die "$file: $!";
    print $fh $text;
    close $fh or die "$file: $!";
}

# change(FILE, FROM, TO): as an editor does, by another file of the name.
sub change {
    my ($file, $from, $to) = @_;
    my $text = slurp($file);
    $text =~ s/\Q$from\E/$to/ or die "$file does not say $from";
    spew("$file.new", $text);
    rename "$file.new", $file or die "$file: $!";
}

END {
    my $status = $?;
    for my $pid (keys %pids) {
        kill TERM => $pid;
        waitpid $pid, 0;
    }
    $? = $status;
}

1;
