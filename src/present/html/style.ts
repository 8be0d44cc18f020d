/** The style sheet of HTML pages, for light and dark mode. */

export const PAGE_CSS = `
:root {
  color-scheme: light dark;
  --page: #fbfaf8; --card: #ffffff; --ink: #22262b; --soft: #6a7078; --line: #e4e1db; --code: #f3f1ec;
  --accent: #2f6f5e; --user: #eef4f1; --ok: #3b7d4f; --bad: #b3372f; --warn: #95690a;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #16181b; --card: #1c1f23; --ink: #dcdfe3; --soft: #8f969f; --line: #2e3238; --code: #22262b;
    --accent: #7cc4ad; --user: #1d2926; --ok: #7fc293; --bad: #ef8a80; --warn: #d9b25f;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
  display: grid; grid-template-columns: 17rem minmax(0, 48rem); justify-content: center; gap: 0 3.5rem; padding: 0 1.5rem;
}
main { grid-column: 2; grid-row: 1; padding: 3.5rem 0 6rem; }
nav {
  grid-column: 1; grid-row: 1; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto;
  padding: 3.9rem 0 2rem; font-size: .82rem; line-height: 1.4; scrollbar-width: thin;
}
nav h2 { margin: 0 0 .6rem; font-size: .72rem; font-weight: 600; letter-spacing: .08em; text-transform: uppercase; color: var(--soft); }
nav ol { list-style: none; margin: 0; padding: 0; }
nav a { display: flex; gap: .7rem; padding: .3rem .5rem .3rem 0; color: var(--soft); text-decoration: none; overflow-wrap: anywhere; }
nav a span { flex: 0 0 1.9rem; text-align: right; font-variant-numeric: tabular-nums; opacity: .65; }
nav a:hover, nav a:focus-visible { color: var(--accent); }
header.page { border-bottom: 1px solid var(--line); padding-bottom: 1.6rem; margin-bottom: 2.2rem; }
h1 { font-size: 1.85rem; line-height: 1.22; letter-spacing: -.015em; margin: 0 0 1.1rem; text-wrap: balance; overflow-wrap: anywhere; }
dl { margin: 0; font-size: .86rem; display: grid; gap: .22rem; }
dl div { display: grid; grid-template-columns: 6.5rem 1fr; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.warning { background: color-mix(in srgb, var(--warn) 12%, transparent); color: var(--warn); border-radius: .5rem; padding: .6rem .9rem; font-size: .9rem; }
.warning a { color: inherit; font-weight: 600; }
.turn { margin-bottom: 2.6rem; content-visibility: auto; contain-intrinsic-size: auto 30rem; }
.turn > header { display: flex; justify-content: space-between; gap: 1rem; font-size: .76rem; color: var(--soft); margin-bottom: .45rem; }
.number { color: inherit; text-decoration: none; font-weight: 600; letter-spacing: .02em; }
.number:hover { color: var(--accent); }
.turn:target .user { outline: 2px solid var(--accent); outline-offset: 3px; }
.user { background: var(--user); border-left: 3px solid var(--accent); border-radius: .25rem .6rem .6rem .25rem; padding: .75rem 1.1rem; overflow-wrap: anywhere; }
.agent { padding: .9rem 0 0; }
.agent > * { margin: 0 0 .45rem; }
.text { overflow-wrap: anywhere; margin: 1rem 0; }
.user > :first-child, .text > :first-child { margin-top: 0; }
.user > :last-child, .text > :last-child { margin-bottom: 0; }
p, ul, ol, blockquote, table { margin: .75em 0; }
.text li + li { margin-top: .25em; }
h2 { font-size: 1.15rem; } h3 { font-size: 1.12rem; } h4 { font-size: 1.03rem; } h5, h6 { font-size: 1rem; }
h3, h4, h5, h6 { line-height: 1.3; margin: 1.5em 0 .5em; }
a { color: var(--accent); text-underline-offset: .15em; }
blockquote { border-left: 3px solid var(--line); padding-left: 1rem; color: var(--soft); margin-left: 0; }
code, pre { font: .86em/1.55 ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
:not(pre) > code { background: var(--code); border-radius: .3em; padding: .12em .35em; }
pre { background: var(--code); border-radius: .5rem; padding: .85rem 1rem; overflow: auto; max-height: 34rem; margin: .8rem 0; tab-size: 4; font-size: .82rem; }
pre code { font-size: inherit; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: .92rem; }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .9rem .4rem 0; text-align: left; vertical-align: top; }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.6rem 0; }
details { border: 1px solid var(--line); border-radius: .5rem; background: var(--card); font-size: .87rem; }
summary { display: flex; gap: 1rem; align-items: baseline; padding: .42rem .8rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "›"; flex: 0 0 .5rem; margin-right: -.55rem; color: var(--soft); font-weight: 600; transition: transform .12s; }
details[open] > summary::before { transform: rotate(90deg); }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; border-radius: .5rem; }
.title { flex: 1; min-width: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.title code { background: none; padding: 0 0 0 .3rem; color: var(--soft); }
.name { font-weight: 600; }
.note { color: var(--soft); font-size: .78rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
details[open] > summary { border-bottom: 1px solid var(--line); }
details > :not(summary) { margin: .8rem; }
.ok .mark { color: var(--ok); } .failed .mark, .failed .note { color: var(--bad); }
.interrupted .mark, .pending .mark, .checkpoint .name { color: var(--warn); }
.thinking { border-style: dashed; background: none; }
.thinking .name { font-weight: 500; color: var(--soft); font-style: italic; }
.thinking .pre { white-space: pre-wrap; overflow-wrap: anywhere; color: var(--soft); }
.input { color: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere; }
.result { white-space: pre-wrap; overflow-wrap: anywhere; }
.sub { border-left: 2px solid var(--line); padding-left: .9rem; }
.sub > * { margin: 0 0 .45rem; } .sub > p { color: var(--soft); }
.edit { padding: .1rem .8rem .1rem 1.75rem; font-size: .87rem; color: var(--soft); overflow-wrap: anywhere; }
.edit code { background: none; padding: 0; }
.edit code::before { content: "✎ "; color: var(--accent); }
.notice { color: var(--soft); font-size: .87rem; border-left: 3px solid var(--line); padding-left: .8rem; }
.aside { color: var(--soft); font-size: .87rem; }
.notice.warning { background: none; border-radius: 0; padding: 0 0 0 .8rem; color: var(--warn); border-color: var(--warn); }
.notice.error { color: var(--bad); border-color: var(--bad); }
.attachments { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .4rem; font-size: .8rem; }
.attachments li { border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .7rem; margin: 0; color: var(--soft); }
.problems { border-top: 1px solid var(--line); font-size: .9rem; }
.problems strong { color: var(--bad); }
.jump { display: none; font-size: .86rem; }
@media (max-width: 60rem) {
  .jump { display: inline-block; margin-top: 1rem; }
  body { display: flex; flex-direction: column; padding: 0 1.1rem; }
  main { padding-top: 2rem; }
  nav { position: static; max-height: none; border-top: 1px solid var(--line); padding-top: 1.5rem; }
}
@media (prefers-reduced-motion: reduce) { summary::before { transition: none; } }
@media print {
  body { display: block; background: none; padding: 0; font-size: 11pt; } main { padding: 0; } nav, .jump { display: none; }
  .turn { content-visibility: visible; } pre { max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; }
  .turn > header, h1, h2, h3, h4, h5, h6 { break-after: avoid; } .user, summary, tr { break-inside: avoid; }
}
`;

/** The page that leads to the others: one column, and the list of sessions as wide as it may be. */
export const INDEX_CSS = `${PAGE_CSS}
body { display: block; max-width: 72rem; margin: 0 auto; }
table { display: table; width: 100%; }
td:first-child { overflow-wrap: anywhere; min-width: 16rem; }
td:not(:first-child), th { white-space: nowrap; color: var(--soft); font-size: .86rem; }
td.place { white-space: normal; overflow-wrap: anywhere; }
th.count, td.count { text-align: right; font-variant-numeric: tabular-nums; }
.page p { margin: 0; color: var(--soft); }
@media (max-width: 46rem) { .wide { display: none; } td:first-child { min-width: 0; } }
`;

/** A report: one column of text. */
export const REPORT_CSS = `${PAGE_CSS}
body { display: block; max-width: 54rem; margin: 0 auto; }
h3 { font-size: 1.25rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
li { overflow-wrap: anywhere; }
`;
