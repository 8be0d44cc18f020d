/** The same shop, seen from its pages: a header in the way, a slow list, a build that breaks. */
import { type Chapter, copilot, vscode } from "../telling.ts";

const stickyHeader = vscode(
  "sticky-header",
  { title: "Sticky header covers the anchor links", when: "71d 14:03", branch: "main" },
  `
  > When I click a link to #reviews on the product page, the heading ends up under our sticky header. How do I fix that
  > without JavaScript?
  @search position: sticky in src/styles
  | src/styles/header.css:8:  position: sticky;

  Tell the browser to stop scrolling that much earlier. One rule on the page covers links, keyboard focus and reloads:

  ´´´css
  html {
    scroll-padding-top: calc(var(--header-height) + 1rem);
  }
  ´´´

  ´scroll-margin-top´ on each heading would work too, but then every new section has to remember it.

  > The header is 64px on desktop but 104px on phones because the search field wraps. Can --header-height follow that?
  @attach screenshots/header-desk.png
  @attach screenshots/header-phone.png
  @edit src/styles/header.css
  - :root {
  -   --header-height: 64px;
  - }
  + :root {
  +   --header-height: 64px;
  + }
  +
  + @media (max-width: 40rem) {
  +   :root {
  +     --header-height: 104px;
  +   }
  + }
  @edit src/styles/base.css
  - html {
  -   scroll-behavior: smooth;
  - }
  + html {
  +   scroll-behavior: smooth;
  +   scroll-padding-top: calc(var(--header-height) + 1rem);
  + }

  Done: the variable changes at the width where the search field wraps (´40rem´), and ´html´ uses it.

  > Works. The smooth scrolling makes one of our testers dizzy, though.
  @edit src/styles/base.css
  -   scroll-behavior: smooth;

  I took it out, so nobody gets motion they did not ask for. If you want it back for those who like it, put it behind
  ´@media (prefers-reduced-motion: no-preference)´.
`,
);

const productList = vscode(
  "product-list-slow",
  { title: "Product list makes 241 queries", when: "45d 10:20", branch: "perf/product-list" },
  `
  > GET /products?category=lamps takes 1.8 s. Can you see why?
  @read src/products/list.ts
  | const products = await db.query("SELECT * FROM products WHERE category = $1", [category]);
  | for (const product of products) {
  |   product.images = await db.query("SELECT url FROM images WHERE product_id = $1 ORDER BY position", [product.id]);
  |   product.stock = await db.query("SELECT sum(count) FROM stock WHERE product_id = $1", [product.id]);
  | }

  Two more queries for every product: with 120 lamps that is **1 + 2 × 120 = 241**. Each one is fast, the waiting adds up.
  One statement can bring everything:

  ´´´sql
  SELECT p.*, i.images, coalesce(s.count, 0) AS stock
  FROM products p
  LEFT JOIN LATERAL (
    SELECT json_agg(url ORDER BY position) AS images FROM images WHERE product_id = p.id
  ) i ON true
  LEFT JOIN (SELECT product_id, sum(count) AS count FROM stock GROUP BY product_id) s ON s.product_id = p.id
  WHERE p.category = $1;
  ´´´

  > Use it, and show me the plan on the copy of production.
  @create src/products/list.sql
  | SELECT p.*, i.images, coalesce(s.count, 0) AS stock
  | FROM products p
  | LEFT JOIN LATERAL (
  |   SELECT json_agg(url ORDER BY position) AS images FROM images WHERE product_id = p.id
  | ) i ON true
  | LEFT JOIN (SELECT product_id, sum(count) AS count FROM stock GROUP BY product_id) s ON s.product_id = p.id
  | WHERE p.category = $1;
  @run psql shop_copy -f bench/explain-list.sql # Explain the new statement
  | Nested Loop Left Join  (actual time=0.9..14.2 rows=120 loops=1)
  |   ->  Index Scan using products_category_idx on products p  (actual time=0.05..0.4 rows=120 loops=1)
  |   ->  Aggregate  (actual time=0.08..0.08 rows=1 loops=120)
  |         ->  Seq Scan on images  (actual time=0.01..0.07 rows=4 loops=120)
  | Execution Time: 14.9 ms

  **15 ms** in the database. One sequential scan is left: ´images´ has no index on ´product_id´.

  > Add the index as a migration, without locking the table.
  @create migrations/0042-images-product-index.sql
  | -- Every upload writes to this table, so it must not be locked; CONCURRENTLY cannot run inside a transaction.
  | -- migrate: no-transaction
  | CREATE INDEX CONCURRENTLY IF NOT EXISTS images_product_idx ON images (product_id, position);
  @failed run npm run migrate -- --to 0042 # Try the migration
  | ERROR:  CREATE INDEX CONCURRENTLY cannot run inside a transaction block

  The runner opens a transaction for every file and knows no way out. Shall I teach it to look for the comment?

  > Yes, smallest possible change.
  @edit src/migrate/run.ts
  -   await db.transaction((tx) => tx.query(sql));
  +   if (sql.includes("-- migrate: no-transaction")) await db.query(sql);
  +   else await db.transaction((tx) => tx.query(sql));
  @run npm run migrate -- --to 0042 # Try again
  | 0042-images-product-index  1.3 s

  It ran, and the plan now takes 3 ms. If the build of an index is interrupted it leaves an invalid one behind, which
  ´IF NOT EXISTS´ would then accept; I noted that in the migration guide.
`,
);

const viteUpgrade = copilot(
  "vite-upgrade",
  { title: "Upgrade the build to Vite 8", when: "33d 13:15", branch: "chore/vite-8" },
  `
  > Upgrade vite to version 8 and fix what breaks. Small commits please.
  @run npm install --save-dev vite@8 @vitejs/plugin-react@6 # Install the new versions
  | changed 14 packages in 9s
  @failed run npm run build # See what breaks
  | error during build:
  | [commonjs--resolver] Failed to resolve entry for package "tint-hash". The package may have incorrect
  | main/module/exports specified in its package.json.

  Only one thing breaks: ´tint-hash´ points its ´module´ field at a file that it does not ship. Version 7 fell back to
  ´main´; 8 does not.
  @run npm view tint-hash version module # Is there a fixed release?
  | version = '2.0.3'
  | module = 'dist/esm.js'
  @run npm install tint-hash@2.0.3 # Take the fixed release
  | changed 1 package in 2s
  @run npm run build # Build again
  | ✓ 1184 modules transformed.
  | dist/assets/index-c41b7a9e.js   312.40 kB │ gzip: 98.11 kB
  | ✓ built in 3.87s

  @run git commit -am "Upgrade to Vite 8" # Commit
  | [chore/vite-8 5d1c0e7] Upgrade to Vite 8
  |  2 files changed, 96 insertions(+), 118 deletions(-)

  Fixed upstream in 2.0.3; committed as ´5d1c0e7´. The build takes 3.9 s now (11.2 s before).

  > Why is the bundle 40 kB larger than before?
  @run npx vite-bundle-visualizer --template raw-data # Find what grew
  | moment/locale/*  41.2 kB  (imported by src/admin/report.tsx)

  ´src/admin/report.tsx´ does ´import "moment/min/locales"´. The old build dropped it because the package claimed to have no
  side effects; the new one believes the import. The report formats two dates, so ´Intl.DateTimeFormat´ is enough.

  > Replace it then, and drop moment if nothing else uses it.
  @edit src/admin/report.tsx
  - import moment from "moment";
  - import "moment/min/locales";
  + const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
  @run npm uninstall moment && npm run build # Build without moment
  | removed 1 package in 1s
  | dist/assets/index-08b2fd31.js   254.02 kB │ gzip: 79.90 kB
  @run git commit -am "Format report dates without moment" # Commit
  | [chore/vite-8 91c3be0] Format report dates without moment
  |  3 files changed, 4 insertions(+), 11 deletions(-)

  Gone in ´91c3be0´: 254 kB now, smaller than before the upgrade.
`,
);

export const storefrontPages: Chapter = {
  folder: "storefront",
  repository: "lumen-shop/storefront",
  tellings: [stickyHeader, productList, viteUpgrade],
};
