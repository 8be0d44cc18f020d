import { describe, expect, it } from "vitest";
import type { BoardItem } from "../../model/board/item.ts";
import type { BoardWork, WorkPlace } from "../../store/board-work.ts";
import { type Known, propose } from "./proposals.ts";

const NOTHING: Known = { items: [], facts: new Set() };
const place = (id: string, turn = 0, branch: string | null = "main"): WorkPlace => ({
  session: { source: "claude-code", id, title: `Session ${id}` },
  turn,
  ...(branch !== null && { branch }),
});
const workOf = (work: { [K in keyof BoardWork]?: ReturnType<BoardWork[K]> }): BoardWork => ({
  prompts: () => work.prompts ?? [],
  checkpoints: () => work.checkpoints ?? [],
  calls: () => work.calls ?? [],
  files: () => work.files ?? [],
});
const item = (change: Partial<BoardItem>): BoardItem => ({
  repository: "acme/shop",
  branch: "*",
  name: "a",
  description: "",
  content: "",
  source: "user",
  keptBy: "rethread",
  readCount: 0,
  useCount: 0,
  evidence: [],
  ...change,
});

describe("proposals", () => {
  it("are conventions with the turns in which they were stated, each once", () => {
    const work = workOf({
      prompts: [
        { ...place("a", 3), text: "Always run the linter before you commit." },
        { ...place("b", 0), text: "Fix it. always run the linter, before you commit!" },
        { ...place("b", 1), text: "Thanks." },
      ],
    });
    expect(propose("acme/shop", work, NOTHING)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}$/),
        kind: "convention",
        change: "add",
        repository: "acme/shop",
        branch: "*",
        name: "always-run-the-linter-before-you-commit",
        description: "Always run the linter before you commit.",
        content: "Always run the linter before you commit.",
        evidence: [
          { session: { source: "claude-code", id: "b", title: "Session b" }, turn: 0 },
          { session: { source: "claude-code", id: "a", title: "Session a" }, turn: 3 },
        ],
        facts: [expect.stringMatching(/^[0-9a-f]{12}$/)],
      },
    ]);
  });

  it("are decisions of checkpoints on the branch of their session, one item for one work", () => {
    const text = "It is slow. We chose a queue because retries are safe. Left to do: the rest of it.";
    const work = workOf({
      checkpoints: [
        { ...place("a", 4, "feat/x"), title: "The queue", text },
        {
          ...place("a", 9, "feat/x"),
          title: "The queue",
          text: `${text} The old table must stay for a week.`,
        },
        { ...place("b", 1, null), title: "", text: "It is done by hand, on purpose." },
      ],
    });
    expect(
      propose("acme/shop", work, NOTHING).map(({ branch, name, content, evidence }) => ({
        branch,
        name,
        content,
        turns: evidence.map(({ turn }) => turn),
      })),
    ).toEqual([
      {
        branch: "feat/x",
        name: "decisions-the-queue",
        content: "- We chose a queue because retries are safe.\n- The old table must stay for a week.",
        turns: [9],
      },
      {
        branch: "*",
        name: "decisions-session-b",
        content: "- It is done by hand, on purpose.",
        turns: [1],
      },
    ]);
  });

  it("are commands and files that several sessions have in common", () => {
    const files = ["a", "b", "c"].flatMap((id) => [
      { ...place(id), path: "/srv/shop/src/cart.ts", workspace: "/srv/shop" },
      { ...place(id), path: "/etc/hosts", workspace: "/srv/shop" },
      { ...place(id), path: `src/${id}.ts` },
    ]);
    const work = workOf({
      calls: [
        { ...place("a", 1), label: "npm test -- cart" },
        { ...place("a", 2), label: "npm test" },
        { ...place("b", 5), label: "npm test" },
        { ...place("b", 6), label: "npm run build" },
        { ...place("b", 7), label: "npm run build" },
        { ...place("b", 7), label: "git status" },
      ],
      files,
    });
    expect(propose("acme/shop", work, NOTHING).map(({ name, content }) => [name, content])).toEqual([
      ["commands-that-work", "- `npm test`"],
      ["files-often-changed", "- `src/cart.ts`"],
    ]);
  });

  it("name what runs that all differ have in common", () => {
    const work = workOf({
      calls: ["flutter test test/map", "flutter test test/sync", "npm test"].map((label, at) => ({
        ...place(String(at)),
        label,
      })),
    });
    const expected = "- `flutter test …`, such as `flutter test test/map`";
    expect(propose("acme/shop", work, NOTHING).map(({ content }) => content)).toEqual([expected]);
    const written = item({ content: "Run `flutter test` before you push." });
    expect(propose("acme/shop", work, { items: [written], facts: new Set() })).toEqual([]);
  });

  it("are the same for the same sessions, and none for what is known", () => {
    const work = workOf({
      prompts: [
        { ...place("a"), text: "Always run the linter before you commit." },
        { ...place("a"), text: "Always run the linter before you commit and push it somewhere else." },
      ],
      calls: [
        { ...place("a"), label: "npm test" },
        { ...place("b"), label: "npm test" },
      ],
    });
    const proposals = propose("acme/shop", work, NOTHING);
    expect(propose("acme/shop", work, NOTHING)).toEqual(proposals);
    expect(proposals).toHaveLength(3);
    expect(new Set(proposals.map(({ name }) => name)).size).toBe(3);
    const facts = new Set(proposals.flatMap((each) => each.facts));
    expect(propose("acme/shop", work, { items: [], facts })).toEqual([]);
    const written = item({
      content: "Run things:\n\n1. `npm test`.\n2. always run the linter before you commit",
    });
    expect(
      propose("acme/shop", work, { items: [written], facts: new Set() }).map(({ kind }) => kind),
    ).toEqual(["convention"]);
  });

  it("add to a list that is there, and leave what another program calls so alone", () => {
    const work = workOf({
      calls: ["npm test", "npm run build"].flatMap((label) => [
        { ...place("a"), label },
        { ...place("b"), label },
      ]),
    });
    const list = item({ name: "commands-that-work", description: "Mine", content: "- `npm test`" });
    expect(propose("acme/shop", work, { items: [list], facts: new Set() })).toMatchObject([
      { change: "update", description: "Mine", content: "- `npm test`\n- `npm run build`" },
    ]);
    const foreign = { ...list, keptBy: "copilot-cli", content: "" };
    expect(propose("acme/shop", work, { items: [foreign], facts: new Set() })).toMatchObject([
      { change: "add", name: "commands-that-work-2" },
    ]);
  });

  it("never contain a secret", () => {
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
    const work = workOf({
      prompts: [{ ...place("a"), text: `Always use the token ${token} for the registry.` }],
      calls: ["npm test", `npm run publish -- --token ${token}`].flatMap((label) => [
        { ...place("a"), label },
        { ...place("b"), label },
      ]),
    });
    const proposals = propose("acme/shop", work, NOTHING);
    expect(proposals.map(({ content }) => content)).toEqual(["- `npm test`"]);
    expect(JSON.stringify(proposals)).not.toContain(token);
  });
});
