/** A page that stands by itself: who sees it may load no other file, and the app may not be there at all. */
import { hash } from "node:crypto";
import { escapeHtml } from "../present/html/escape.ts";

/** The colours of the app, light and dark. */
const STYLE = `:root{color-scheme:light dark}
body{display:grid;place-items:center;box-sizing:border-box;min-height:100vh;margin:0;padding:24px 16px;background:light-dark(#f7f7f5,#1d1e21);color:light-dark(#1c1d1f,#e8e8e6);font:14px/20px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",Arial,sans-serif}
main{box-sizing:border-box;width:100%;max-width:400px;padding:32px;border:1px solid light-dark(#e4e4e0,#2d2f34);border-radius:8px;background:light-dark(#fff,#17181a)}
svg{width:24px;height:24px;padding:5px;border-radius:8px;background:light-dark(#1c1d1f,#e8e8e6);fill:none;stroke:light-dark(#fff,#17181a);stroke-width:3;stroke-linecap:round}
h1{margin:16px 0 0;font-size:18px;line-height:26px;font-weight:640}
p{margin:8px 0 0;color:light-dark(#4f5257,#b4b7bd);overflow-wrap:anywhere}
code{display:block;padding:8px 10px;border-radius:6px;background:light-dark(#f5f5f2,#1f2124);color:light-dark(#1c1d1f,#e8e8e6);font:13px/20px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media(max-width:700px){body{place-items:start center;background:light-dark(#fff,#17181a)}main{padding:16px 0;border:0}}`;

/** Stricter than the app's own: the style above, and nothing else. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const LOGO =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><path d="M10 24V13.500c0-3 2-5 5-5h7M10 16.500c4 0 12-.5 12 7.500"/></svg>';

export interface PlainPage {
  readonly title: string;
  readonly sentences: readonly string[];
  /** What to type, below the sentences. */
  readonly command?: string;
  readonly status?: number;
}

export function plainPage({ title, sentences, command, status = 200 }: PlainPage): Response {
  const lines = [
    ...sentences.map((each) => `<p>${escapeHtml(each)}</p>`),
    ...(command === undefined ? [] : [`<p><code>${escapeHtml(command)}</code></p>`]),
  ];
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)} · Rethread</title><style>${STYLE}</style>`;
  return new Response(
    `<!doctype html><html lang="en"><head>${head}</head><body><main>${LOGO}<h1>${escapeHtml(title)}</h1>${lines.join("")}</main></body></html>`,
    { status, headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY } },
  );
}
