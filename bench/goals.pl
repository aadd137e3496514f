# The goals of the benchmarks, as a Markdown table, from what the suites recorded:
#
#   goals.pl RESULTS        lines of suite, case, server, figure, value, apart by tabs
#
# A row says pass, short, noisy (the runs of one side lay too far apart) or not measured.
use strict;
use warnings;

my %value;
while (<>) {
    chomp;
    my ($suite, $case, $server, $figure, $value) = split /\t/;
    $value{"$suite $case $server $figure"} = $value;
}
my @mpms = qw(event worker prefork);
my @peers = grep { defined figure("peers /hello $_ rate") } qw(php-fpm node go nginx-lua);

sub figure { return $value{ $_[0] } }

sub is_noisy {
    my ($case, @servers) = @_;
    return scalar grep { (figure("peers $case $_ spread") // 0) > 15 } @servers;
}

sub row {
    my ($goal, $wanted, $measured, $passes) = @_;
    printf "| %s | %s | %s | %s |\n", $goal, $wanted, $measured // '-',
        !defined $measured ? 'not measured' : $measured eq 'noisy' ? 'noisy' : $passes ? 'pass' : 'short';
}

sub at_least {
    my ($goal, $least, $measured) = @_;
    row($goal, ">= $least", $measured, defined $measured && $measured ne 'noisy' && $measured >= $least);
}

sub at_most {
    my ($goal, $most, $measured) = @_;
    row($goal, "<= $most", $measured, defined $measured && $measured ne 'noisy' && $measured <= $most);
}

# The rate of one server as a multiple of another's, or noisy.
sub multiple {
    my ($case, $server, $of) = @_;
    my ($a, $b) = map { figure("peers $case $_ rate") } $server, $of;
    return undef unless $a && $b;
    return 'noisy' if is_noisy($case, $server, $of);
    return sprintf '%.2f', $a / $b;
}

sub best_peer {
    my ($case) = @_;
    my @by_rate = sort { figure("peers $case $b rate") <=> figure("peers $case $a rate") }
        grep { defined figure("peers $case $_ rate") } @peers;
    return $by_rate[0] // 'none';
}

sub of_best {
    my ($number, $what, $case, $least, @servers) = @_;
    my $best = best_peer($case);
    at_least("$number. $what, $_, of the best peer ($best)", $least, multiple($case, $_, $best)) for @servers;
}

print "| goal | wanted | measured | |\n|---|---:|---:|---|\n";

of_best(1, 'Point query', '/users/7', 1.0, qw(worker prefork));
at_least('1. Point query, event, of worker', 0.9, multiple('/users/7', 'event', 'worker'));
at_most("1. Point query, $_, CPU us (Go's)", figure('peers /users/7 go cpu') // '-',
    defined figure('peers /users/7 go cpu') ? figure("peers /users/7 $_ cpu") : undef) for qw(worker prefork);
at_most("1. Point query, $_, context switches", 2, figure("peers /users/7 $_ switches")) for @mpms;

of_best(2, '100 users', '/users', 1.5, @mpms);
# A child of prefork has one request at a time, nothing to share.
of_best(2, '100 users coalesced', 'together', 4, qw(event worker));

for my $mpm (qw(event worker)) {
    at_least("3. 50 ms, pool 100, $mpm, req/s", 1950, figure("io /sleep/50,100 $mpm rate"));
    at_most("3. 50 ms, pool 100, $mpm, P99 ms", 60, figure("io /sleep/50,100 $mpm p99"));
    at_most("3. 50 ms, pool 20, $mpm, P99 ms", 320, figure("io /sleep/50,20 $mpm p99"));
}

at_least("4. Static, $_, of the bare handler", 0.97, figure("core hello $_ ratio")) for @mpms;
at_least('4. Static, event, of worker', 0.75, multiple('/hello', 'event', 'worker'));

for my $goal (['Static', '/hello', 7], ['Point query', '/users/7', 3.5], ['100 users', '/users', 3]) {
    my ($what, $case, $least) = @$goal;
    at_least("5. $what, $_, of PHP-FPM", $least, multiple($case, $_, 'php-fpm')) for @mpms;
}

at_most("6. Point query at 70 % of the most, open loop, $_, P99 ms", 10,
    figure("seeds /users/7 $_ p99 at 70%")) for qw(event worker);

at_least("7. SQLite point query, $_, of static", 0.75, figure("penalty SQLite $_ share")) for @mpms;

my ($requests) = map { /^memory (\d+) / ? $1 : () } sort keys %value;
for my $mpm (qw(event worker)) {
    my ($quarter, $all) = map { defined $requests ? figure("memory $requests $mpm $_") : undef } qw(quarter all);
    at_most("8. PSS, $mpm, MiB", 20, $all);
    at_most("8. PSS, $mpm, MiB more in the last three quarters", 0.5,
        defined $all ? sprintf('%.1f', $all - $quarter) : undef);
}
