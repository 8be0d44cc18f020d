/** A documentation site: dead links, a dark mode, a search without a server, a word that changed. */
import { type Chapter, claude, copilot, vscode } from "../telling.ts";

const deadLinks = copilot(
  "dead-links",
  {
    title: "Check links in CI without failing for other people's outages",
    when: "73d 15:35",
    branch: "ci/links",
  },
  `
  > I want dead links to fail the build, but not because somebody else's server is down for a minute.

  Split them by who is to blame:

  - **Links within the site** must exist: check them against the built pages and fail at once.
  - **Links to other sites**: check once a week, retry three times, and open an issue instead of failing a build.

  > Write the first one without a dependency.
  @create tools/links.mjs
  | /** Fails when a page of the built site links to a page or heading that is not there. */
  | const pages = new Map();
  | for (const file of globSync("dist/**/*.html")) pages.set(toUrl(file), idsIn(readFileSync(file, "utf8")));
  | const dead = [...pages].flatMap(([url, page]) => page.links.filter((link) => !leadsSomewhere(link, url, pages)));
  | for (const link of dead) console.error(link.from + " -> " + link.to);
  | process.exitCode = dead.length > 0 ? 1 : 0;
  @failed run npm run build && node tools/links.mjs # Try it on the site
  | guides/sync.html -> /guides/conflicts#three-way
  | install.html -> /download/

  It found two right away. ´#three-way´ was renamed to ´#merging´; ´/download/´ moved to ´/install/´.
  @edit src/guides/sync.md
  - (/guides/conflicts#three-way)
  + (/guides/conflicts#merging)
  @edit src/install.md
  - (/download/)
  + (/install/)
  @run npm run build && node tools/links.mjs # Check again

  No dead links within the site.

  > Commit; the weekly check can wait.
  @run git add -A && git commit -m "Fail the build on dead links within the site" # Commit
  | [ci/links 6ab2f10] Fail the build on dead links within the site
  |  4 files changed, 44 insertions(+), 2 deletions(-)

  Committed as ´6ab2f10´. Shall I open an issue for the weekly check, so that it is not forgotten?
`,
);

const darkMode = vscode(
  "dark-mode",
  { title: "Dunkelmodus ohne Flackern", when: "50d 21:05", model: "claude-sonnet-4.5", branch: "dark-mode" },
  `
  > Unser Dunkelmodus blitzt beim Laden kurz weiß auf. Die Wahl steht in localStorage. Wie wird man das los?

  Das Blitzen entsteht, weil die Seite schon gezeichnet ist, bevor das Skript am Ende läuft. Zwei Maßnahmen:

  1. Ein **winziges Skript im ´<head>´**, vor dem ersten Stylesheet, das die Klasse setzt:

  ´´´html
  <script>
    const wahl = localStorage.getItem("thema");
    if (wahl) document.documentElement.dataset.thema = wahl;
  </script>
  ´´´

  2. Ohne gespeicherte Wahl entscheidet CSS allein, über ´prefers-color-scheme´. Dann braucht der erste Besuch gar kein Skript.

  > Und der weiße Hintergrund, solange das CSS noch lädt?

  Dafür gibt es ´color-scheme´. Steht es im Kopf der Seite, nimmt der Browser sofort einen dunklen Hintergrund:

  ´´´html
  <meta name="color-scheme" content="light dark">
  ´´´
  @edit src/layouts/base.html
  - <head>
  + <head>
  +   <meta name="color-scheme" content="light dark">

  Eingebaut. Auch Scrollbalken und Formularfelder werden damit dunkel.

  > Perfekt. Die Code-Beispiele sind im Dunkeln aber kaum lesbar.
  @search --code- in src/styles
  | src/styles/code.css:3:  --code-comment: #6a737d;
  | src/styles/code.css:4:  --code-string: #032f62;

  Kein Wunder: ´#032f62´ auf ´#16181d´ hat einen Kontrast von 1,3 : 1, nötig sind 4,5 : 1. Mit ´light-dark()´ steht beides an einer Stelle:
  @edit src/styles/code.css
  -   --code-comment: #6a737d;
  -   --code-string: #032f62;
  +   --code-comment: light-dark(#5b6570, #9aa4b0);
  +   --code-string: light-dark(#032f62, #a5d6ff);

  Zeichenketten haben jetzt 11,6 : 1, Kommentare 7,0 : 1.
`,
);

const siteSearch = claude(
  "site-search",
  { title: "Search for the handbook without a server", when: "2d 19:45", branch: "feat/search" },
  `
  > 140 pages, static hosting. What is the simplest search that people will like?

  Build an index at build time and search in the browser. For 140 pages that is about 90 kB compressed, loaded when the search field gets the
  focus. Three things decide whether people like it:

  - results **while typing**, best first, headings weighted above text;
  - it forgives one typo and finds "merge" for "merging";
  - the arrow keys and Enter work.

  > Do it with the smallest library you trust, and measure the size.
  @run npm install minisearch && npm run build && ls -l dist/search-index.json # Build the index
  | added 1 package in 1s
  | -rw-r--r-- 1 271904 dist/search-index.json
  @run gzip -c dist/search-index.json | wc -c # Size on the wire
  | 88213
  @create src/search/search.ts
  | /** Loaded when the search field gets the focus: the index is larger than most pages. */
  | export const openSearch = once(async () => {
  |   const index = await fetch("/search-index.json").then((answer) => answer.text());
  |   return MiniSearch.loadJSON(index, { fields: ["title", "headings", "text"], searchOptions: { fuzzy: 0.2, prefix: true } });
  | });
  @run npx playwright screenshot http://localhost:4000/?q=mergin screenshots/search-results.png # See what people will see
  | Navigating to http://localhost:4000/?q=mergin
  | Capturing screenshot into screenshots/search-results.png
  @look screenshots/search-results.png

  88 kB for the index and 7 kB for the library. A query takes under 2 ms on the slowest phone I could emulate, and "mergin"
  finds what was meant.
`,
);

const renameTerm = copilot(
  "rename-term",
  { title: 'Say "vault" instead of "notebook" everywhere', when: "20h", branch: "words/vault" },
  `
  > We say "notebook" and "vault" for the same thing. It should be "vault" everywhere in the handbook, but not in the changelog or in URLs.
  @run grep -rio notebook src --include="*.md" --exclude=changelog.md | wc -l # How many?
  | 63
  @run grep -rho "[^ ]*notebooks\\?[^ ]*" src --include="*.md" | sort | uniq -c | sort -rn | head -4 # In which forms?
  |      41 notebook
  |       9 notebooks
  |       7 Notebook
  |       4 /notebooks/setup
  @run node tools/rename-term.mjs notebook vault --keep-urls --skip src/changelog.md # Rename, keeping URLs
  | 59 replacements in 22 files, 4 URLs kept
  @run node tools/links.mjs # No link may break

  59 places in 22 files now say "vault"; the four URLs and the changelog are as they were, and no link broke. Two sentences read oddly
  afterwards ("a vault of vaults" in ´concepts.md´, "open the vault's vault" in ´sync.md´). I rewrote both by hand; please look at them.
`,
);

/** Its file is lost: all that is left is the title in the program's list of sessions. */
const printStyles = vscode(
  "print-styles",
  { title: "Print styles for the handbook", when: "29d 10:05", damage: "lost" },
  `
  > Which CSS do I need so that a guide prints without navigation, with link targets in brackets?

  A print style sheet with two rules:

  ´´´css
  @media print {
    nav, footer { display: none; }
    main a[href^="http"]::after { content: " (" attr(href) ")"; }
  }
  ´´´
`,
);

export const handbook: Chapter = {
  folder: "handbook",
  repository: "fernwerk/handbook",
  tellings: [deadLinks, darkMode, printStyles, siteSearch, renameTerm],
};
