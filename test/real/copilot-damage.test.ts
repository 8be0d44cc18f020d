/** What we call damaged, the real Copilot CLI must refuse or drop; what we tolerate, it must accept. */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProblemCode } from "../../src/model/problem.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import copilotCli from "../../src/sources/copilot-cli/index.ts";
import { eventTypes } from "../../src/sources/copilot-cli/log/event-types.ts";
import { type Copilot, type Headless, startCopilot } from "./copilot.ts";
import { event } from "./copilot-corners.ts";

let copilot: Copilot;
let headless: Headless;
beforeAll(async () => {
  copilot = await startCopilot();
  headless = await copilot.headless();
});
afterAll(async () => {
  await headless.close();
  await copilot.close();
});

type Lines = (string | object)[];

const start = (sessionId: string) =>
  event("session.start", {
    sessionId,
    version: 1,
    producer: "copilot-agent",
    copilotVersion: "1.0.102",
    startTime: "2026-01-02T03:04:05.000Z",
  });
const hello = event("user.message", { content: "hello" });

/** Why the real program refuses a log; undefined when it opens it. Asked of its server, which reads logs as `--resume` does. */
async function refusal(lines: (id: string) => Lines): Promise<{ id: string; reason: string | undefined }> {
  const id = randomUUID();
  const text = lines(id).map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  copilot.write(id, `${text.join("\n")}\n`);
  const reason = await headless.resume(id).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { id, reason };
}

async function problemsOf(id: string, path = copilot.log(id)): Promise<ProblemCode[]> {
  const codes: ProblemCode[] = [];
  const artifact: Artifact = {
    source: "copilot-cli",
    id,
    root: copilot.home,
    path,
    fingerprint: { size: 0, mtimeMs: 0, ino: 0 },
  };
  const sink = {
    event: () => undefined,
    problem: ({ code }: { code: ProblemCode }) => void codes.push(code),
  };
  await copilotCli.read(localFs, artifact, sink);
  return codes;
}

const REFUSED: Record<string, { lines: (id: string) => Lines; code: ProblemCode }> = {
  "an id that is no UUID": { lines: (id) => [start(id), { ...hello, id: "7" }], code: "record-invalid" },
  "no timestamp": { lines: (id) => [start(id), { ...hello, timestamp: undefined }], code: "record-invalid" },
  "a timestamp without a timezone": {
    lines: (id) => [start(id), { ...hello, timestamp: "2026-01-02T03:04:05" }],
    code: "record-invalid",
  },
  "a day that does not exist": {
    lines: (id) => [start(id), { ...hello, timestamp: "2026-02-30T03:04:05Z" }],
    code: "record-invalid",
  },
  "no parentId": { lines: (id) => [start(id), { ...hello, parentId: undefined }], code: "record-invalid" },
  "no data": { lines: (id) => [start(id), { ...hello, data: undefined }], code: "record-invalid" },
  "a tool request without a name": {
    lines: (id) => [
      start(id),
      event("assistant.message", { messageId: "m", content: "", toolRequests: [{ toolCallId: "t" }] }),
    ],
    code: "record-invalid",
  },
  "a result without content": {
    lines: (id) => [
      start(id),
      event("tool.execution_complete", { toolCallId: "t", success: true, result: {} }),
    ],
    code: "record-invalid",
  },
  "no session.start": { lines: () => [hello], code: "session-start-missing" },
  "a torn session.start": {
    lines: (id) => [JSON.stringify(start(id)).slice(0, 50), hello],
    code: "session-start-missing",
  },
};

const ACCEPTED: Record<string, { lines: (id: string) => Lines; codes: ProblemCode[] }> = {
  "a sound log": { lines: (id) => [start(id), hello], codes: [] },
  "a line that is not JSON": { lines: (id) => [start(id), "%%", hello], codes: ["record-unreadable"] },
  "NUL bytes": { lines: (id) => [start(id), hello, "\0\0\0\0"], codes: ["record-unreadable"] },
  "two records on one line": {
    lines: (id) => [start(id), JSON.stringify(hello) + JSON.stringify(hello), hello],
    codes: ["record-unreadable"],
  },
  "an unknown type": { lines: (id) => [start(id), hello, { type: "new.kind" }], codes: ["record-unknown"] },
  "a record without a type": { lines: (id) => [start(id), hello, {}], codes: ["record-unknown"] },
  "a minute without seconds, an offset without a colon": {
    lines: (id) => [start(id), { ...hello, timestamp: "2026-01-02T03:04+0200" }],
    codes: [],
  },
  "session.start in second place": { lines: (id) => [hello, start(id)], codes: [] },
  "blank lines": { lines: (id) => [start(id), "", "  ", hello], codes: [] },
};

describe("damage, as the real Copilot CLI judges it", () => {
  it.each(Object.entries(REFUSED))("%s: refused, and damage to us", async (_name, { lines, code }) => {
    const { id, reason } = await refusal(lines);
    expect(reason).toContain("corrupted");
    expect(await problemsOf(id)).toContain(code);
  });

  it.each(Object.entries(ACCEPTED))("%s: accepted", async (_name, { lines, codes }) => {
    const { id, reason } = await refusal(lines);
    expect(reason).toBeUndefined();
    // Before the program repairs the file on its next prompt, we see the same log as it did.
    expect(await problemsOf(id)).toEqual(codes);
  });

  it("an early version's flat file: refused, and trouble to us", async () => {
    const id = randomUUID();
    const path = join(copilot.home, "session-state", `${id}.jsonl`);
    writeFileSync(path, `${JSON.stringify(start(id))}\n${JSON.stringify(hello)}\n`);
    const { stderr } = await copilot.run(["--resume", id, "-p", "Go on", "-s"]);
    expect(stderr).toContain("no longer supported");
    expect(await problemsOf(id, path)).toEqual(["session-hidden"]);
  });

  it("demands of every known event type the fields that our table names", async () => {
    const sample = { string: "x", integer: 1, number: 1, boolean: true, object: {}, array: [], any: {} };
    // Here an object of an unknown kind makes the program overlook the record before it misses the other field.
    const overlooked = [
      "permission.completed.requestId",
      "permission.requested.requestId",
      "system.notification.content",
    ];
    const differing: string[] = [];
    for (const [type, { requires: shape = {} }] of eventTypes) {
      for (const field of Object.keys(shape)) {
        const rest = Object.entries(shape).filter(([name]) => name !== field);
        const data = Object.fromEntries(rest.map(([name, kind]) => [name, sample[kind]]));
        const { id, reason } = await refusal((own) => [start(own), event(type, data)]);
        const codes = await problemsOf(id);
        if (reason === undefined || !codes.includes("record-invalid")) differing.push(`${type}.${field}`);
      }
    }
    expect(differing).toEqual(overlooked);
  });
});
