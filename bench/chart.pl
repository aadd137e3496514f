# Charts of what the suites recorded, as SVG that reads on light and on dark pages:
#
#   chart.pl RESULTS FOLDER     writes FOLDER/benchmarks-NAME.svg
use strict;
use warnings;

my ($results, $folder) = @ARGV;
my (%value, %sweep);
open my $in, '<', $results or die "$results: $!\n";
while (<$in>) {
    chomp;
    my ($suite, $case, $server, $figure, $value) = split /\t/;
    $value{"$suite $case $server $figure"} = $value;
    $sweep{$case}{$server}{$figure} = $value if $suite eq 'sweep';
}
close $in;

my @mouse = qw(event worker prefork);
my @servers = (@mouse, qw(php-fpm node go nginx-lua));
my %name = map { $_ => "mod_mouse, $_" } @mouse;

sub write_svg {
    my ($name, $width, $height, $body) = @_;
    open my $out, '>', "$folder/benchmarks-$name.svg" or die "$folder: $!\n";
    print $out <<SVG;
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $width $height" width="$width" height="$height" font-family="sans-serif" font-size="13">
<style>
text { fill: #24292f } .mouse { fill: #1a7f37 } .peer { fill: #8c959f } .axis { stroke: #8c959f; fill: none }
.l0 { stroke: #1a7f37 } .l1 { stroke: #0969da } .l2 { stroke: #bc4c00 } .l3 { stroke: #8250df } .l4 { stroke: #6e7781 }
polyline { fill: none; stroke-width: 2 }
\@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .mouse { fill: #3fb950 } .peer { fill: #6e7681 } .axis { stroke: #6e7681 }
.l0 { stroke: #3fb950 } .l1 { stroke: #58a6ff } .l2 { stroke: #f0883e } .l3 { stroke: #bc8cff } .l4 { stroke: #8b949e }
}
</style>
$body</svg>
SVG
    close $out;
}

sub with_commas {
    my $text = sprintf '%.0f', $_[0];
    1 while $text =~ s/^(\d+)(\d{3})/$1,$2/;
    return $text;
}

# Bars: a server a line.
sub bars {
    my ($name, $title, $case, $figure) = @_;
    my @rows = grep { defined $value{"peers $case $_ $figure"} } @servers or return;
    my $most = 0;
    for (@rows) { my $v = $value{"peers $case $_ $figure"}; $most = $v if $v > $most }
    return if $most <= 0;
    my $body = qq(<text x="10" y="20" font-weight="bold">$title</text>\n);
    my $y = 34;
    for my $server (@rows) {
        my $v = $value{"peers $case $server $figure"};
        my $wide = sprintf '%.1f', 400 * $v / $most;
        my $class = $name{$server} ? 'mouse' : 'peer';
        $body .= sprintf qq(<text x="140" y="%d" text-anchor="end">%s</text>), $y + 14, $name{$server} // $server;
        $body .= qq(<rect class="$class" x="148" y="$y" width="$wide" height="18"/>);
        $body .= sprintf qq(<text x="%.1f" y="%d">%s</text>\n), 154 + $wide, $y + 14, with_commas($v);
        $y += 24;
    }
    write_svg($name, 640, $y + 6, $body);
}

sub log_of { return log($_[0]) / log(10) }

# Lines: P99 over the rate, both logarithmic, a server a line.
sub lines {
    my ($name, $title, $case) = @_;
    my @rows = grep { $sweep{$case}{$_} } @servers or return;
    my $x_of = sub { 60 + 540 * (log_of($_[0] < 100 ? 100 : $_[0]) - 2) / 3 };    # to 100,000/s
    my $y_of = sub { 300 - 260 * (log_of($_[0] < 0.1 ? 0.1 : $_[0] > 1000 ? 1000 : $_[0]) + 1) / 4 };
    my $body = qq(<text x="10" y="20" font-weight="bold">$title</text>\n);
    for my $rate (100, 1000, 10000, 100000) {
        my $x = $x_of->($rate);
        $body .= qq(<path class="axis" stroke-dasharray="2 4" d="M$x 40V300"/>);
        $body .= sprintf qq(<text x="%.1f" y="318" text-anchor="middle">%s/s</text>\n), $x, with_commas($rate);
    }
    for my $ms (0.1, 1, 10, 100, 1000) {
        my $y = $y_of->($ms);
        $body .= qq(<path class="axis" stroke-dasharray="2 4" d="M60 ${y}H600"/>);
        $body .= sprintf qq(<text x="54" y="%.1f" text-anchor="end">%s ms</text>\n), $y + 4, $ms;
    }
    for my $i (0 .. $#rows) {
        my %at = %{ $sweep{$case}{ $rows[$i] } };
        my $points = join ' ', map { sprintf '%.1f,%.1f', $x_of->($_), $y_of->($at{$_}) } sort { $a <=> $b } keys %at;
        $body .= qq(<polyline class="l$i" points="$points"/>);
        my $y = 340 + 18 * $i;
        $body .= qq(<polyline class="l$i" points="60,$y 90,$y"/>);
        $body .= sprintf qq(<text x="98" y="%d">%s</text>\n), $y + 4, $name{ $rows[$i] } // $rows[$i];
    }
    write_svg($name, 640, 340 + 18 * @rows, $body);
}

bars('static', 'Static route, requests/s', '/hello', 'rate');
bars('point', 'Point query, requests/s', '/users/7', 'rate');
bars('users', '100 users, requests/s', '/users', 'rate');
bars('cpu', 'Point query, CPU of the server by request, us', '/users/7', 'cpu');
lines('sweep-static', 'Static route, open loop: P99 over the rate', '/hello');
lines('sweep-point', 'Point query, open loop: P99 over the rate', '/users/7');
