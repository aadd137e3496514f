# The pages for people in a real browser: Swagger UI on the OpenAPI document, whose "Try it out"
# answers; the status page, with and without a script.
use strict;
use warnings FATAL => 'all';

use FindBin qw($Bin);
use lib "$Bin/../lib";
use Test::More;
use Time::HiRes qw(sleep time);
use Browser ();
use MouseTest qw(request port);

my $host = 'docs.localhost';
my $has_docs = -f "$ENV{MOUSE_TEST_DIR}/swagger-ui/swagger-ui.css";
my $url = "http://$host:" . port();

SKIP: {
    skip 'no npm package swagger-ui-dist', 1 unless $has_docs;
    my $page = request($host, GET => '/docs');
    is $page->code, 200, 'there is a page';
    is $page->header('Content-Type'), 'text/html; charset=utf-8', '... of HTML';
    like $page->content, qr{data-document="/openapi\.json"}, '... for this document';
    my $script = request($host, GET => '/docs?swagger-ui-bundle.js');
    like $script->header('Content-Type'), qr{^text/javascript}, 'its script';
    like $script->content, qr/SwaggerUIBundle/, '... is that of the package';
    is request($host, GET => '/docs?swagger-ui.css', {headers => ['If-None-Match' => request($host, GET => '/docs?swagger-ui.css')->header('ETag')]})->code,
        304, '... and kept by browsers';
    is request($host, GET => '/docs?other')->content, $page->content, 'any other query is the page';
    is request($host, POST => '/docs')->code, 405, 'and there is nothing to write';
}

SKIP: {
    skip 'chromium and chromedriver are not installed', 1 unless Browser::programs();
    my $browser = Browser->start("$ENV{MOUSE_TEST_DIR}/docs-$$");

    # Until a script returns something true; that.
    my $until = sub {
        my ($what, $script) = @_;
        my $end = time + 20;
        my $value;
        until ($value = $browser->run($script)) {
            last if time > $end;
            sleep 0.05;
        }
        ok $value, $what or diag $browser->run('return document.body.innerText');
        return $value;
    };

    if ($has_docs) {
        my $block = '#operations-products-get_api_products__id_, [id^="operations-products-get_api_products_id"]';
        $browser->go("$url/docs");
        $until->('the routes are shown', "return document.querySelectorAll('.opblock').length > 5");
        is $browser->run('return document.title'), 'The shop', 'the page has the title of the document';
        $browser->click("$block .opblock-summary-control");
        $until->('a route opens', "return !!document.querySelector('.try-out__btn')");
        $browser->click('.try-out__btn');
        $until->('it can be tried', "return !!document.querySelector('.parameters input')");
        $browser->fill('.parameters input', '1');
        $browser->click('.execute');
        is $until->('it answers', "const cell = document.querySelector('.live-responses-table tbody .response-col_status'); return cell && cell.innerText.trim()"),
            200, '... 200';
        like $browser->text('.live-responses-table tbody .response-col_description'), qr/"product"/, '... with the product';
        $browser->picture("docs-$_", $_) for 400, 1280;
        is $browser->run("return performance.getEntriesByType('resource').filter(e => !e.name.startsWith(location.origin) && !e.name.startsWith('data:')).length"),
            0, 'nothing comes from elsewhere';
    }

    request($host, GET => '/api/products');
    $browser->go("$url/status");
    $until->('the status page has the route', "return document.body.innerText.includes('/api/products')");
    my $count = 'const row = [...document.querySelectorAll("tr")].find(r => r.innerText.includes("/api/health") && r.innerText.includes("docs.localhost")); return row ? row.innerText : ""';
    request($host, GET => '/api/health') for 1 .. 3;
    $until->('... and counts while it is open', "$count.match(/\\b[3-9]\\b/)") or diag $browser->run($count);
    $browser->picture("status-$_", $_) for 400, 1280;
}

done_testing;
