/** Every page can tell every session of every fixture, damaged ones included, and none of them loses a turn. */
import { describe, expect, it } from "vitest";
import { createTranscript } from "../../src/cli/print/answers/transcript.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { htmlPage } from "../../src/present/html/page.ts";
import { jsonPage } from "../../src/present/json/page.ts";
import { markdownPage } from "../../src/present/markdown/page.ts";
import type { PageVisitor } from "../../src/present/page.ts";
import { createStyle } from "../../src/present/text/style.ts";
import { widthOf } from "../../src/present/text/text.ts";
import { showSession } from "../../src/query/show.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { FIXTURES, type Fixture } from "../contracts/fixtures.ts";

const FULL = { full: true, thinking: true };
const COLUMNS = 60;

const catalogOf = ({ source, home }: Fixture): Catalog =>
  openCatalog([{ ...source, locate: () => [home] }], { platform: "linux", homeDir: home, vars: {} }, localFs);

type MakePage = (write: (text: string) => void) => PageVisitor;

/** What a page makes of a session, and how many turns it was given. */
async function tell(
  catalog: Catalog,
  name: string,
  make: MakePage,
): Promise<{ text: string; turns: number }> {
  let text = "";
  let turns = 0;
  const page = make((piece) => {
    text += piece;
  });
  await showSession(
    catalog,
    name,
    {},
    {
      ...page,
      turn(turn) {
        turns++;
        page.turn(turn);
      },
    },
  );
  page.end();
  return { text, turns };
}

const textPage: MakePage = (write) => {
  const transcript = createTranscript({
    style: createStyle(false),
    columns: COLUMNS,
    now: new Date(0),
    isDemo: false,
    ...FULL,
  });
  const print = (lines: readonly string[]): void => write(lines.map((line) => `${line}\n`).join(""));
  return {
    head: (session, problems) => print([...transcript.head(session), ...transcript.problems(problems)]),
    preamble: (parts) => print(transcript.preamble(parts)),
    turn: (turn) => print(transcript.turn(turn)),
    end: () => undefined,
  };
};

describe.each(FIXTURES)("$name", (fixture) => {
  const catalog = catalogOf(fixture);
  const sessions = Object.entries(fixture.expected.sessions);

  it.skipIf(sessions.length === 0)("is told by every page", async () => {
    for (const [id, { turns }] of sessions) {
      const name = `${fixture.source.id}:${id}`;
      const text = await tell(catalog, name, textPage);
      const html = await tell(catalog, name, htmlPage);
      const markdown = await tell(catalog, name, (write) => markdownPage(write, FULL));
      const json = await tell(catalog, name, (write) => jsonPage(write, { demo: undefined }));
      expect([text.turns, html.turns, markdown.turns, json.turns], name).toEqual([
        turns,
        turns,
        turns,
        turns,
      ]);
      expect(JSON.parse(json.text).turns, name).toHaveLength(turns);
      expect(html.text.match(/<section class="turn" id=/g) ?? [], name).toHaveLength(turns);
      // A command that is to be copied stands on a line of its own, in one piece.
      for (const line of text.text.split("\n"))
        if (!/^ +→ rethread /.test(line)) expect(widthOf(line), line).toBeLessThanOrEqual(COLUMNS);
    }
  });
});
