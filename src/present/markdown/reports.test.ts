import { describe, expect, it } from "vitest";
import type { Standup } from "../../app/contract.ts";
import { htmlReport } from "../html/report.ts";
import { markdownFindings } from "./findings.ts";
import { escapeProse } from "./inline.ts";
import { markdownStandup } from "./standup.ts";

const HOSTILE =
  "<script>alert(1)</script> [x](javascript:alert(1)) ![y](http://evil/z) **b** \u001b[2J\n# Title";
const session = { source: "copilot-cli", id: "f47bca59", title: HOSTILE };
const standup: Standup = {
  gitTroubles: [],
  since: "2026-11-14T09:00:00.000Z",
  until: "2026-11-15T09:00:00.000Z",
  sessionCount: 1,
  turns: 1,
  repositories: [
    {
      repository: HOSTILE,
      folder: undefined,
      turns: 1,
      branches: [
        {
          branch: `${HOSTILE} \`tick\``,
          turns: 1,
          sessions: [{ ...session, turns: 1, outcome: HOSTILE, lastTurn: 0, lastAt: undefined }],
          files: [{ path: "`a`.ts", action: "edited", session, turn: 0 }],
          commits: [{ commit: "7d20e4f", subject: HOSTILE, at: undefined, url: undefined, session, turn: 0 }],
          pullRequests: [],
          issues: [],
          openEnds: [{ kind: "asked", text: HOSTILE, session, turn: 0 }],
        },
      ],
    },
  ],
};

describe("reports of hostile sessions", () => {
  it.each([
    ["standup", markdownStandup(standup, 1)],
    [
      "findings",
      markdownFindings(
        [
          {
            title: HOSTILE,
            suggestion: `Run \`x\` ${HOSTILE}`,
            evidence: [{ session, turn: 0, detail: HOSTILE }],
          },
        ],
        1,
      ),
    ],
  ])("are harmless text: %s", (_name, markdown) => {
    expect(markdown).not.toContain("\u001b");
    const page = htmlReport(HOSTILE, markdown);
    expect(page).not.toMatch(/<script|<img|<a |<strong>b|<h3>Title/);
    expect(page.match(/<h3>/g)).toHaveLength(1);
    expect(page).toContain("&lt;script&gt;");
  });
});

it.each([
  ["Flaky login (fork)", "- **Flaky login (fork)**: It passes."],
  ["What is slots?", "- **What is slots?** It passes."],
])("keeps a title apart from its outcome: %s", (title, wanted) => {
  const [repository] = standup.repositories;
  const [branch] = repository?.branches ?? [];
  const told = { ...session, title, turns: 1, outcome: "It passes.", lastTurn: 0, lastAt: undefined };
  const repositories = [{ ...repository, branches: [{ ...branch, sessions: [told] }] }];
  expect(markdownStandup({ ...standup, repositories } as Standup, 1)).toContain(`${wanted}\n`);
});

describe("escapeProse", () => {
  it.each([
    ["snake_case stays", "snake_case stays"],
    ["#458 at the start", "\\#458 at the start"],
    ["see #458", "see #458"],
    ["1. no list", "1\\. no list"],
    ["- no item", "\\- no item"],
    ["_emphasis_ and *more*", "\\_emphasis\\_ and \\*more\\*"],
  ])("escapes no more than it must: %s", (text, wanted) => {
    expect(escapeProse(text)).toBe(wanted);
  });
});
