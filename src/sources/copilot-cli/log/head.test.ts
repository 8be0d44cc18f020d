import { describe, expect, it } from "vitest";
import {
  artifact,
  FOLDER,
  ID,
  readFrom,
  readLog,
  record,
  start,
  TIME,
  toLog,
} from "../../../../test/copilot-log.ts";
import { pidLike } from "../../../../test/lookalike.ts";
import { createMemoryFs } from "../../../platform/fs/memory.ts";

describe("the head of a Copilot CLI session", () => {
  it("gathers the head from the log and from workspace.yaml", async () => {
    const log = toLog(
      start,
      record("user.message", { content: "Fix the cart\nplease" }),
      record("assistant.message", { messageId: "m", content: "Done.", model: "gpt-5.4" }),
    );
    const yaml =
      "cwd: /srv/shop\nrepository: lumen/shop\nbranch: 1.0\nname: 'Cart: \"fixed\"'\nsummary_count: 0\n";

    const { session, problems } = await readLog(log, { "workspace.yaml": yaml });

    expect(session).toEqual({
      source: "copilot-cli",
      id: ID,
      title: 'Cart: "fixed"',
      workspace: "/srv/shop",
      repository: "lumen/shop",
      branch: "1.0",
      createdAt: "2026-01-02T03:04:04.000Z",
      updatedAt: TIME,
      turns: 1,
      problems: 0,
      models: ["gpt-5.4"],
      path: artifact.path,
      bytes: 1234,
      producer: "1.0.102",
      resume: `copilot --resume ${ID}`,
    });
    expect(problems).toEqual([]);
  });

  it("takes title and folder from the log when workspace.yaml is missing or broken", async () => {
    const log = toLog(start, record("user.message", { content: "Fix the cart\nplease" }));
    const missing = await readLog(log);
    const broken = await readLog(log, { "workspace.yaml": "cwd: [unclosed\n  : :" });

    expect(missing.session).toMatchObject({ title: "Fix the cart", workspace: "/srv/shop" });
    expect(missing.problems).toEqual([]);
    expect(broken.session).toMatchObject({ title: "Fix the cart", problems: 1 });
    expect(broken.problems).toMatchObject([{ code: "sidecar-unreadable", path: `${FOLDER}/workspace.yaml` }]);
  });

  it("parses no workspace.yaml that is longer than any that the program writes", async () => {
    const log = toLog(start, record("user.message", { content: "question" }));
    const long = (count: number): string => `name: ${"} ".repeat(count)}\n`;
    const { session, problems } = await readLog(log, { "workspace.yaml": long(200_000) });
    expect(session.title).toBe("question");
    expect(problems).toMatchObject([
      { code: "sidecar-unreadable", message: expect.stringContaining("longer") },
    ]);
  });

  it("takes null and nothing in workspace.yaml for absent, and everything else for text", async () => {
    const log = toLog(start, record("user.message", { content: "Fix the cart" }));
    const read = async (yaml: string): Promise<unknown[]> => {
      const { title, workspace, repository, branch } = (await readLog(log, { "workspace.yaml": yaml }))
        .session;
      return [title, workspace, repository, branch];
    };
    const absent = ["Fix the cart", "/srv/shop", undefined, undefined];
    expect(await read("name: null\ncwd: ~\nrepository: null\nbranch: ''\n")).toEqual(absent);
    expect(await read("name:\ncwd: ' '\nrepository:\nbranch: NULL\n")).toEqual(absent);
    expect(await read("name: 123\ncwd: '~'\nrepository: yes\nbranch: 1.10\n")).toEqual([
      "123",
      "~",
      "yes",
      "1.10",
    ]);
    expect(await read("name: 2026-01-01\ncwd: 0x1F\nrepository: True\nbranch: 'null'\n")).toEqual([
      "2026-01-01",
      "0x1F",
      "True",
      "null",
    ]);
  });

  it("names the fork's parent, even when its title holds quotes", async () => {
    const message = 'Forked from "The \\"first\\" cart" (abc-1) before event x as "Second" (def-2).';
    const { session, events } = await readLog(
      toLog(start, record("session.info", { infoType: "fork", message })),
    );
    expect(session.parent).toEqual({ id: "abc-1", kind: "fork", title: 'The "first" cart' });
    expect(events).toMatchObject([{ kind: "notice", level: "info" }]);
  });

  it("says who has the session open, and leaves its running calls in peace", async () => {
    const log = toLog(
      start,
      record("assistant.message", {
        messageId: "m",
        content: "",
        toolRequests: [{ toolCallId: "t1", name: "bash" }],
      }),
    );
    const open = await readLog(log, { [`inuse.${pidLike("copilot")}.lock`]: `${pidLike("copilot")}\n` });
    const closed = await readLog(log, { "inuse.99999999.lock": "99999999\n" });

    expect(open.session.openIn).toBe(pidLike("copilot"));
    expect(open.problems).toEqual([]);
    expect(closed.session.openIn).toBeUndefined();
    expect(closed.problems).toMatchObject([{ code: "call-unanswered", line: 2 }]);

    const lock = { [`inuse.${pidLike("copilot")}.lock`]: `${pidLike("copilot")}\n` };
    expect((await readLog(log, lock, { skim: true })).problems).toEqual([]);
    expect((await readLog(log, {}, { skim: true })).problems).toMatchObject([{ code: "call-unanswered" }]);
  });

  it("reports a log that cannot be opened, and an empty one", async () => {
    const gone = await readFrom(createMemoryFs({}));
    expect(gone.problems).toMatchObject([{ code: "session-unreadable", path: artifact.path, session: ID }]);
    expect((await readLog("\n\n")).problems).toMatchObject([{ code: "session-empty" }]);
  });

  it("knows that an early version's flat file cannot be resumed any more", async () => {
    const flat = { ...artifact, path: `/copilot/session-state/${ID}.jsonl` };
    const fs = createMemoryFs({ [flat.path]: toLog(start, record("user.message", { content: "Old" })) });
    const { session, problems } = await readFrom(fs, {}, flat);
    expect(session).toMatchObject({ title: "Old", turns: 1, problems: 1 });
    expect(session.resume).toBeUndefined();
    expect(problems).toMatchObject([{ code: "session-hidden", path: flat.path }]);
  });
});
