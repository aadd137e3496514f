// A client of the shop by the types that openapi-typescript makes of its document. Each line
// behind "ts-expect-error" must be refused: the types are as narrow as the columns.
import type { paths } from "./shop";

type Json<Response> = Response extends { content: { "application/json": infer Body } } ? Body : never;
type Product = Json<paths["/api/products/{id}"]["get"]["responses"][200]>;
type Page = Json<paths["/api/products"]["get"]["responses"][200]>;
type Query = NonNullable<paths["/api/products"]["get"]["parameters"]["query"]>;
type Order = paths["/api/me/orders"]["post"]["requestBody"]["content"]["application/json"];
type Placed = Json<paths["/api/me/orders"]["post"]["responses"][201]>;
type Problem = paths["/api/products/{id}"]["get"]["responses"][404]["content"]["application/problem+json"];

export async function product(id: number): Promise<Product> {
  const answer = await fetch(`/api/products/${id}`);
  if (!answer.ok) throw new Error(((await answer.json()) as Problem).title);
  return (await answer.json()) as Product;
}

export function describe({ product, tags }: Product): string {
  const price: number = product.price;
  const note: string = product.description ?? "nothing";
  // @ts-expect-error a description may be null
  const sure: string = product.description;
  // @ts-expect-error no such column
  product.colour;
  return `${product.name} ${price} ${note} ${sure} ${tags.map((t) => t.tag).join()}`;
}

export const query: Query = { q: "axe", sort: "price", limit: 10, tags: ["new"] };
// @ts-expect-error not one of the choices
export const unsorted: Query = { sort: "colour" };

export const order: Order = { items: [{ product_id: 1, qty: 2 }] };
// @ts-expect-error a quantity is missing
export const unfinished: Order = { items: [{ product_id: 1 }] };

export const names = (page: Page): (string | null)[] => page.items.map((item) => item.name);
export const total = (placed: Placed): number | null => placed.total;
