/** No secret that was planted anywhere in a session is left in any format it is exported to. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Artifact, Event, Session } from "../../src/model/session/session.ts";
import { htmlPage } from "../../src/present/html/page.ts";
import { jsonlPage } from "../../src/present/json/lines-page.ts";
import { jsonPage } from "../../src/present/json/page.ts";
import { markdownPage } from "../../src/present/markdown/page.ts";
import type { PageVisitor } from "../../src/present/page.ts";
import { learnSecrets, tellForExport } from "../../src/query/export.ts";
import { INNOCENT, NAMED, SECRET_VALUE, SHAPED } from "../secrets.ts";

const FORMATS: Readonly<Record<string, (write: (text: string) => void) => PageVisitor>> = {
  md: (write) => markdownPage(write, { full: true, thinking: true }),
  html: htmlPage,
  json: (write) => jsonPage(write, { demo: undefined }),
  jsonl: (write) => jsonlPage(write, { demo: undefined }),
};

const artifact: Artifact = {
  source: "fake",
  id: "0b1c",
  root: "/home/dev",
  path: "/home/dev/.fake/0b1c.jsonl",
  fingerprint: { size: 1, mtimeMs: 1, ino: 1 },
};
const origin = { line: 1, start: 0, end: 1 };

/** A session that says one thing in every place where a session can say something. */
function eventsSaying(text: string): Event[] {
  return [
    { kind: "compaction", summary: text, title: text, origin },
    { kind: "prompt", text, attachments: [{ kind: "file", name: text, path: `/x/${text}` }], origin },
    { kind: "thinking", text, origin },
    { kind: "text", text, origin },
    {
      kind: "tool-call",
      callId: "1",
      name: "run",
      input: { command: text, nested: { list: [text] }, [text]: 1 },
      label: text,
      act: { does: "run", command: text, paths: [text] },
      origin,
    },
    { kind: "tool-result", callId: "1", status: "failed", text, origin },
    { kind: "tool-call", callId: "2", name: "ask", input: text, origin },
    { kind: "text", agent: "2", text, origin },
    { kind: "edit", path: text, origin },
    { kind: "notice", level: "error", text, origin },
  ];
}

const sessionCalled = (title: string): Session => ({
  source: "fake",
  id: "0b1c",
  title,
  workspace: `/home/dev/${title}`,
  branch: title,
  turns: 1,
  problems: 1,
  models: [],
  path: artifact.path,
  bytes: 1,
  resume: `fake --resume ${title}`,
  sidecars: [{ kind: "file", name: title, path: `/home/dev/.fake/${title}`, detail: title }],
});

async function exportAll(text: string): Promise<Record<string, string>> {
  const session = sessionCalled(text);
  const catalog = {
    async read(_: Artifact, sink: { event(event: Event): void }): Promise<Session> {
      for (const event of eventsSaying(text)) sink.event(event);
      return session;
    },
  };
  const problem = {
    code: "record-torn",
    source: "fake",
    path: artifact.path,
    message: text,
    fix: text,
  } as const;
  const head = { artifact, session, problems: [problem] };
  const pages: Record<string, string> = {};
  for (const [format, make] of Object.entries(FORMATS)) {
    const redactor = await learnSecrets(catalog, [head], [], { whole: false });
    let page = "";
    const visitor = make((piece) => {
      page += piece;
    });
    await tellForExport(catalog, head, { whole: false, redactor }, visitor);
    visitor.end();
    pages[format] = page;
  }
  return pages;
}

/** What a reader would see, whatever the format had to escape. */
const seen = (page: string): string =>
  page
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll("\\n", "\n")
    .replaceAll("\\", "");

const planted = fc.oneof(
  fc
    .constantFrom(...Object.values(SHAPED))
    .chain((secrets) => secrets.map((secret) => ({ secret, text: `it is ${secret} now` }))),
  fc
    .tuple(fc.constantFrom(...Object.values(NAMED)), SECRET_VALUE)
    .map(([write, secret]) => ({ secret, text: write(secret) })),
);

describe("exported with --redact", () => {
  it("holds no secret that was planted, in any format", async () => {
    await fc.assert(
      fc.asyncProperty(planted, async ({ secret, text }) => {
        for (const [format, page] of Object.entries(await exportAll(text)))
          for (const line of secret.split("\n").filter((each) => !each.startsWith("-----"))) {
            expect(seen(page), format).not.toContain(line.replaceAll("\\", ""));
            expect(page, format).not.toContain(line);
          }
      }),
      { numRuns: 150 },
    );
  });

  it("holds no home folder", async () => {
    for (const page of Object.values(await exportAll("see /home/dev/notes"))) {
      expect(page).not.toContain("/home/dev");
      expect(page).toContain("~/notes");
    }
  });

  it("still holds what is no secret", async () => {
    for (const text of INNOCENT) {
      const pages = await exportAll(text);
      expect(JSON.parse(pages.json ?? "").turns[0].parts[1].text).toBe(text);
      for (const page of Object.values(pages)) expect(page).not.toContain("[redacted");
    }
  });
});
