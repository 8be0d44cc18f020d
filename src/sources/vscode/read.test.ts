import { describe, expect, it } from "vitest";
import { log, PATH, readFiles, STORE, sessionOf, turn } from "../../../test/vscode-log.ts";

describe("the head", () => {
  it("tells title, dates, repository, branch, models and workspace", async () => {
    const told = {
      ...sessionOf(turn("a", [{ value: "b" }], { modelId: "copilot/gpt-5" })),
      repoData: { remoteUrl: "git@github.com:acme/shop.git", localBranch: "main" },
    };
    const text = log({ kind: 0, v: told });
    const { session } = await readFiles({
      [PATH]: text,
      [`${STORE}/workspace.json`]: '{"folder":"file:///srv/my%20shop"}',
    });
    expect(session).toEqual({
      source: "vscode",
      id: "s",
      title: "Made up",
      workspace: "/srv/my shop",
      repository: "acme/shop",
      resume: "code '/srv/my shop'",
      branch: "main",
      createdAt: "2026-06-03T09:00:00.000Z",
      updatedAt: "2026-06-03T09:00:05.000Z",
      turns: 1,
      problems: 0,
      models: ["gpt-5"],
      path: PATH,
      bytes: text.length,
      agentName: "GitHub Copilot",
    });
  });

  it("takes repository and branch from what the extension told the model, not from what a person quotes", async () => {
    const block = (owner: string, branch: string) =>
      `<repoContext>\nRepository name: shop\nOwner: ${owner}\nCurrent branch: ${branch}\n</repoContext>`;
    const sent = (text: string) => ({ result: { metadata: { renderedUserMessage: [{ type: 1, text }] } } });
    const told = sessionOf(
      turn(
        "a",
        [],
        sent(`<context>\n${block("acme", "main")}\n</context>\n<userRequest>\na\n</userRequest>`),
      ),
      turn(
        "b",
        [],
        sent(`${block("acme", "fix/login")}<userRequest>\n${block("evil", "x")}\n</userRequest>`),
      ),
      turn("c", [], sent(`<userRequest>\n${block("evil", "x")}\n</userRequest>`)),
    );
    const { session } = await readFiles({ [PATH]: log({ kind: 0, v: told }) });
    expect(session).toMatchObject({ repository: "acme/shop", branch: "fix/login" });
  });

  it("takes the title from the list of sessions, then from the first prompt", async () => {
    const { customTitle: _title, ...untitled } = sessionOf(turn("First line\nsecond", []));
    const files = { [PATH]: log({ kind: 0, v: untitled }) };
    const listed = { state: "listed", title: "From the list" } as const;
    expect((await readFiles(files, {}, { listed })).session.title).toBe("From the list");
    expect((await readFiles(files)).session.title).toBe("First line");
  });
});

describe("damage", () => {
  it("keeps the turns before a torn line and tells its number", async () => {
    const { session, problems } = await readFiles({
      [PATH]: `${log({ kind: 0, v: sessionOf(turn("a", [])) })}{"kind":2,"k":["requ`,
    });
    expect(session).toMatchObject({ turns: 1, problems: 1 });
    expect(problems).toEqual([
      {
        code: "record-torn",
        source: "vscode",
        session: "s",
        path: PATH,
        line: 2,
        message: "the last line stops in the middle of a record",
        remedy: { action: "rescue", session: "vscode:s" },
      },
    ]);
  });

  it("warns of a last line without its line feed, which the next save would spoil", async () => {
    const { codes, session } = await readFiles({
      [PATH]: JSON.stringify({ kind: 0, v: sessionOf(turn("a", [])) }),
    });
    expect(codes).toEqual(["record-unended"]);
    expect(session.turns).toBe(1);
  });

  it("reads what is left of an emptied session from the transcript", async () => {
    const from = `${STORE}/GitHub.copilot-chat/transcripts/s.jsonl`;
    const said = {
      type: "user.message",
      data: { content: "hello" },
      id: "1",
      timestamp: "2026-06-03T09:00:00.000Z",
    };
    const { events, codes, session } = await readFiles({
      [PATH]: log({ kind: 0, v: sessionOf() }),
      [from]: log(said),
    });
    expect(codes).toEqual(["session-emptied"]);
    expect(session.turns).toBe(1);
    expect(events).toEqual([
      {
        kind: "prompt",
        text: "hello",
        id: "1",
        time: said.timestamp,
        origin: { file: from, line: 1, start: 0, end: log(said).length - 1 },
      },
    ]);
  });

  it("reads the document that a broken log hides", async () => {
    const twin = PATH.replace(".jsonl", ".json");
    const { events, codes } = await readFiles({
      [PATH]: "nonsense\n",
      [twin]: JSON.stringify(sessionOf(turn("old", []))),
    });
    expect(codes).toEqual(["record-unreadable"]);
    expect(events[0]).toMatchObject({ kind: "prompt", text: "old", origin: { file: twin } });
  });

  it("calls a chat in which nothing was said empty, not emptied", async () => {
    const { customTitle: _title, ...untitled } = sessionOf();
    expect((await readFiles({ [PATH]: log({ kind: 0, v: untitled }) })).codes).toEqual(["session-empty"]);
  });

  it("reports a file that is gone", async () => {
    const { session, problems } = await readFiles({});
    expect(session).toMatchObject({ id: "s", title: "Untitled chat", turns: 0, problems: 1 });
    expect(problems).toMatchObject([{ code: "session-unreadable", path: PATH }]);
  });

  it("reports an editing session that cannot be read, and reads the rest", async () => {
    const state = `${STORE}/chatEditingSessions/s/state.json`;
    const { problems, session } = await readFiles({
      [PATH]: log({ kind: 0, v: sessionOf(turn("a", [])) }),
      [state]: '{"version":',
    });
    expect(session.turns).toBe(1);
    expect(problems).toMatchObject([{ code: "sidecar-unreadable", path: state }]);
  });
});
