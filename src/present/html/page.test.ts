import { describe, expect, it } from "vitest";
import { answer, call, ORIGIN, prompt, result, toSession } from "../../../test/cli/fake-source.ts";
import type { Event } from "../../model/session/session.ts";
import { toTurns } from "../../model/session/turns.ts";
import { htmlPage } from "./page.ts";

function page(events: Event[], title = "A session"): string {
  let html = "";
  const visitor = htmlPage((text) => {
    html += text;
  });
  visitor.head(toSession({ id: "a", title }), []);
  for (const turn of toTurns(events)) visitor.turn(turn);
  visitor.end();
  return html;
}
/** Every tag of the page, as written. */
const tagsOf = (html: string): string[] => html.match(/<[a-z][^>]*>/gi) ?? [];

const HOSTILE = [
  "<script>alert(1)</script>",
  '<img src=x onerror="alert(1)">',
  "![pixel](https://example.com/pixel.png)",
  "![](data:image/svg+xml,<svg onload=alert(1)>)",
  "[click](javascript:alert(1))",
  "[click](  JaVaScRiPt:alert(1))",
  "[click](vbscript:x) [click](data:text/html;base64,PHNjcmlwdD4=) [click](file:///etc/passwd)",
  "<a href='javascript:alert(1)'>x</a>",
  "</style></pre></details></main><iframe src=//example.com>",
  '"><svg/onload=alert(1)>',
  '[x](https://example.com/?q="><script>)',
  '```html"><script>alert(1)</script>\n<b>\n```',
  "&lt;script&gt; &#60;script&#62;",
].join("\n\n");

describe("htmlPage", () => {
  it("lets nothing that was said become markup, wherever it was said", () => {
    const edit: Event = { kind: "edit", path: HOSTILE, origin: ORIGIN };
    const thinking: Event = { kind: "thinking", text: HOSTILE, origin: ORIGIN };
    const notice: Event = { kind: "notice", level: "error", text: HOSTILE, origin: ORIGIN };
    const checkpoint: Event = { kind: "compaction", summary: HOSTILE, title: HOSTILE, origin: ORIGIN };
    const attached: Event = {
      kind: "prompt",
      text: HOSTILE,
      attachments: [{ kind: "file", name: HOSTILE }],
      origin: ORIGIN,
    };
    const tool = [call("c", HOSTILE, { command: HOSTILE }), result("c", HOSTILE, "failed")];
    const html = page([attached, answer(HOSTILE), thinking, ...tool, edit, notice, checkpoint], HOSTILE);
    const allowed =
      /^<(!doctype|html|head|meta|title|style|body|main|nav|header|section|details|summary|div|span|p|h[1-6]|a|ul|ol|li|dl|dt|dd|code|pre|time|br|strong|em|blockquote|table|thead|tbody|tr|th|td|hr)\b/i;
    for (const tag of tagsOf(html)) {
      expect(tag).toMatch(allowed);
      expect(tag).not.toMatch(/\son\w+\s*=|javascript:|vbscript:|src=/i);
      const link = /href="([^"]*)"/.exec(tag)?.[1];
      if (link !== undefined) expect(link).toMatch(/^(#|https?:|mailto:)/);
    }
  });

  it("forbids scripts and everything from elsewhere, its own style aside", () => {
    const html = page([prompt("x")]);
    expect(html).toMatch(
      /Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'/,
    );
    expect(html).not.toMatch(/<script|<link|@import|url\(/);
  });

  it("turns an image into a link that says so", () => {
    expect(page([prompt("![a chart](https://example.com/c.png)")])).toContain(
      '<a href="https://example.com/c.png" rel="noopener noreferrer nofollow">[image: a chart]</a>',
    );
  });

  it("lists all turns and gives each its place", () => {
    const html = page([prompt("first question"), answer("yes"), prompt("second question")]);
    expect(html).toContain('<section class="turn" id="turn-1">');
    expect(html).toContain('<a href="#turn-1"><span>1</span>second question</a>');
  });

  it("makes 2,000 turns in a few seconds", () => {
    const events = Array.from({ length: 2000 }, (_, n) => [
      prompt(`question ${n}`),
      answer("**yes**\n\n- a\n- b"),
    ]).flat();
    const begin = performance.now();
    expect(page(events).match(/class="turn"/g)).toHaveLength(2000);
    expect(performance.now() - begin).toBeLessThan(5000);
  });
});
