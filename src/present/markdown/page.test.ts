import { describe, expect, it } from "vitest";
import { answer, call, ORIGIN, prompt, result, toSession } from "../../../test/cli/fake-source.ts";
import type { Event } from "../../model/session/session.ts";
import { toTurns } from "../../model/session/turns.ts";
import { markdownPage } from "./page.ts";

const EVENTS: Event[] = [
  {
    kind: "prompt",
    text: "Fix it\n\nplease",
    attachments: [{ kind: "file", name: "a_b.ts" }],
    origin: ORIGIN,
  },
  { kind: "thinking", text: "hm", origin: ORIGIN },
  call("c1", "bash", { command: "echo `hi`" }),
  result("c1", "```\nout\n```"),
  { kind: "edit", path: "/srv/shop/a.ts", added: 1, removed: 0, origin: ORIGIN },
  answer("Done."),
  prompt("Thanks"),
];

function page(detail = { full: false, thinking: false }): string {
  let text = "";
  const visitor = markdownPage((piece) => {
    text += piece;
  }, detail);
  visitor.head(toSession({ id: "a", title: "Fix *it*", head: { workspace: "/srv/shop" } }), [
    { code: "record-torn", source: "fake", path: "/x/a.jsonl", line: 3, message: "torn" },
  ]);
  for (const turn of toTurns(EVENTS)) visitor.turn(turn);
  visitor.end();
  return text;
}

describe("markdownPage", () => {
  it("tells the session, its turns and its problems", () => {
    expect(page()).toBe(
      [
        "# Fix \\*it\\*\n",
        "- **session**: fake:a\n- **workspace**: /srv/shop\n- **size**: 0 turns, 100 B\n",
        "## Turn 0\n",
        "> Fix it\n>\n> please\n> + a\\_b.ts\n",
        "- … thinking, 2 chars: hm\n- ✓ **bash** `` echo `hi` `` (11 chars)\n- ✎ `a.ts +1 −0`\n",
        "Done.\n",
        "## Turn 1\n",
        "> Thanks\n",
        "## Problems\n",
        "- **record-torn** torn (/x/a.jsonl:3)\n",
      ].join("\n"),
    );
  });

  it("unfolds calls and results behind fences that nothing inside can close", () => {
    expect(page({ full: true, thinking: false })).toContain(
      "  ```\n  command: echo `hi`\n  ```\n\n  ````\n  ```\n  out\n  ```\n  ````\n",
    );
  });
});
