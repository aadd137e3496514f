# The example shop, on every database.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Apache::Test ();
use Test::More;
use MouseTest qw(hosts request json);

my @user = (headers => ['X-Session' => 'demo']);

sub stock {
    my ($host, $id) = @_;
    return json(request($host, GET => "/api/products/$id"))->{product}{stock};
}

for my $host (hosts()) {
    my $page = json(request($host, GET => '/api/products?sort=price&limit=2'));
    is_deeply [map { $_->{id} } @{ $page->{items} }], [4, 3], "$host: sorted and paged";
    is $page->{total}, 4, "$host: the total";
    is json(request($host, GET => '/api/products?tags=device&tags=food'))->{total}, 3,
        "$host: filtered by tags";
    is json(request($host, GET => '/api/products?q=mous'))->{items}[0]{name}, 'Mouse',
        "$host: found by name";
    is request($host, GET => '/api/products?sort=id;DROP')->code, 422, "$host: sort is whitelisted";
    is_deeply json(request($host, GET => '/api/products/1'))->{tags},
        [{tag => 'animal'}, {tag => 'device'}], "$host: tags";

    is request($host, GET => '/api/me/orders')->header('WWW-Authenticate'), 'Session',
        "$host: how to authenticate";
    is request($host, GET => '/api/me/orders')->code, 401, "$host: no session";
    is request($host, GET => '/api/me/orders', {headers => ['X-Session' => 'wrong']})->code, 401,
        "$host: a wrong session";

    my $r = request($host, POST => '/api/admin/products',
        {json => {name => 'Hole', price => 5, stock => 3, tags => ['food', 'new']}, @user});
    is $r->code, 201, "$host: a product with tags";
    my $hole = json($r)->{id};
    is $r->header('Location'), "/api/products/$hole", "$host: where it is";
    $r = request($host, POST => '/api/admin/products', {json => {name => 'Hole', price => 5}, @user});
    is $r->code, 409, "$host: a name twice";
    is json($r)->{detail}, 'A product of this name exists.', "$host: in the model's words";
    is json(request($host, PATCH => "/api/admin/products/$hole", {json => {price => 6}, @user}))->{stock},
        3, "$host: PATCH";

    my $before = stock($host, 1);
    $r = request($host, POST => '/api/me/orders',
        {json => {items => [{product_id => 1, qty => 2}, {product_id => $hole, qty => 3}]}, @user});
    is $r->code, 201, "$host: an order";
    my $order = json($r);
    is $order->{total}, 2 * 1250 + 3 * 6, "$host: its total";
    is stock($host, 1), $before - 2, "$host: the stock went down";
    $r = request($host, POST => '/api/me/orders',
        {json => {items => [{product_id => 1, qty => 2}, {product_id => $hole, qty => 1}]}, @user});
    is $r->code, 409, "$host: out of stock";
    like json($r)->{detail}, qr/Out of stock/, "$host: says so";
    like $r->content, qr/items\[1\]/, "$host: names the item";
    is stock($host, 1), $before - 2, "$host: and changes nothing";

    is request($host, GET => "/api/me/orders/$order->{id}", {@user})->code, 200, "$host: my order";
    is request($host, GET => "/api/me/orders/$order->{id}", {headers => ['X-Session' => 'other']})->code,
        404, "$host: not another's";
    is request($host, DELETE => "/api/admin/products/$hole", {@user})->code, 409,
        "$host: a product in an order stays";
    like request($host, GET => '/api/me/orders', {@user})->header('Cache-Control'), qr/no-store/,
        "$host: answers behind guards are not stored";
}
done_testing;
