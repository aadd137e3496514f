# As much of JSON Schema as descriptions of answers use: what of a value is not as described.
package Schema;
use strict;
use warnings FATAL => 'all';

use B ();
use Exporter qw(import);
use JSON ();

our @EXPORT_OK = qw(faults);

sub kind {
    my ($value) = @_;
    return 'null' unless defined $value;
    return 'boolean' if JSON::is_bool($value);
    return {HASH => 'object', ARRAY => 'array'}->{ ref $value } || 'number' if ref $value;
    my $flags = B::svref_2object(\$value)->FLAGS;
    return 'string' if $flags & B::SVp_POK || !($flags & (B::SVp_IOK | B::SVp_NOK));
    return $value =~ /^-?\d+$/ ? 'integer' : 'number';
}

sub is_of {
    my ($kind, $types) = @_;
    return scalar grep { $_ eq $kind || ($_ eq 'number' && $kind eq 'integer') } ref $types ? @$types : $types;
}

# faults($schema, $value, $where): one line for each.
sub faults {
    my ($schema, $value, $where) = @_;
    my $kind = kind($value);
    my @faults;
    push @faults, "$where: $kind" if $schema->{type} && !is_of($kind, $schema->{type});
    push @faults, "$where: is not $schema->{const}" if exists $schema->{const} && $value ne $schema->{const};
    push @faults, "$where: none of several"
        if $schema->{anyOf} && !grep { !faults($_, $value, $where) } @{ $schema->{anyOf} };
    if ($kind eq 'object') {
        push @faults, map { "$where/$_: missing" } grep { !exists $value->{$_} } @{ $schema->{required} || [] };
        if (my $properties = $schema->{properties}) {
            push @faults, map { "$where/$_: not described" } grep { !$properties->{$_} } sort keys %$value;
            push @faults, map { faults($properties->{$_}, $value->{$_}, "$where/$_") }
                grep { exists $value->{$_} } sort keys %$properties;
        }
    }
    if ($kind eq 'array' && $schema->{items}) {
        push @faults, map { faults($schema->{items}, $value->[$_], "$where/$_") } 0 .. $#$value;
    }
    return @faults;
}

1;
