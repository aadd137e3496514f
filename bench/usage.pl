# What a process and all below it have used and hold, from /proc:
#
#   usage.pl cpu PID    milliseconds of CPU (user and system), context switches
#   usage.pl pss PID    KiB, shared pages by their part
#   usage.pl pids PID   the processes, the oldest first
use strict;
use warnings;
use POSIX 'sysconf';

my ($what, $root) = @ARGV;

sub first_line {
    my ($file) = @_;
    open my $in, '<', $file or return;
    return scalar <$in>;
}

# Behind the command's name in brackets: state is field 0, the parent 1, utime 11, stime 12.
sub stat_of {
    my $line = first_line("/proc/$_[0]/stat") or return;
    $line =~ s/.*\) //s;
    return split ' ', $line;
}

sub tree {
    my ($root) = @_;
    my %children;
    for my $pid (map { m{/proc/(\d+)} } glob '/proc/[0-9]*') {
        my @stat = stat_of($pid) or next;
        push @{ $children{ $stat[1] } }, $pid;
    }
    my @all = my @next = $root;
    while (@next) {
        @next = map { @{ $children{$_} || [] } } @next;
        push @all, @next;
    }
    return @all;
}

sub sum_of {
    my ($pattern, @files) = @_;
    my $sum = 0;
    for my $file (@files) {
        open my $in, '<', $file or next;
        while (<$in>) { $sum += $1 if /$pattern/ }
    }
    return $sum;
}

my @pids = tree($root);
if ($what eq 'pids') {
    print "@pids\n";
} elsif ($what eq 'pss') {
    print sum_of(qr/^Pss: +(\d+)/, map { "/proc/$_/smaps_rollup" } @pids), "\n";
} else {
    my $ticks = 0;
    for my $pid (@pids) {
        my @stat = stat_of($pid) or next;
        $ticks += $stat[11] + $stat[12];
    }
    printf "%d %d\n", 1000 * $ticks / sysconf(&POSIX::_SC_CLK_TCK),
        sum_of(qr/^(?:non)?voluntary_ctxt_switches:\s+(\d+)/, map { glob "/proc/$_/task/*/status" } @pids);
}
