package MouseTest;

# What the .t files share: requests to a virtual host, JSON back, and the list of hosts.
use strict;
use warnings FATAL => 'all';

use Exporter qw(import);
use HTTP::Request ();
use IO::Socket::INET ();
use JSON ();
use LWP::UserAgent ();

use Apache::TestConfig ();
use Apache::TestRequest ();

our @EXPORT_OK = qw(hosts request json raw port);

sub port {
    return Apache::Test::config()->{vars}{port};
}

# The virtual hosts with a database: lite.test always, maria.test where MariaDB runs.
sub hosts {
    my $conf = Apache::Test::config()->{vars}{t_conf};
    return grep { -f "$conf/" . (split /\./)[0] . '.db.conf' } qw(lite.test maria.test);
}

# request('lite.test', GET => '/path', {json => ..., body => ..., headers => [...], port => ...})
sub request {
    my ($host, $method, $path, $more) = @_;
    my $agent = LWP::UserAgent->new(max_redirect => 0, timeout => 60);
    my $request = HTTP::Request->new($method, 'http://127.0.0.1:' . ($more->{port} || port()) . $path,
        [Host => $host, @{ $more->{headers} || [] }]);
    if (exists $more->{json}) {
        $request->header('Content-Type' => 'application/json');
        $request->content(JSON->new->utf8->allow_nonref->encode($more->{json}));
    } elsif (exists $more->{body}) {
        $request->content($more->{body});
    }
    $request->header('Content-Length' => length $request->content)
        if length $request->content;
    return $agent->request($request);
}

sub json {
    my ($response) = @_;
    return JSON->new->utf8->allow_nonref->decode($response->content);
}

# Sends bytes as they are and returns all that comes back.
sub raw {
    my ($bytes) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => port(), Timeout => 10)
        or die "connect: $!";
    print $socket $bytes;
    local $/;
    return scalar <$socket>;
}

1;
