/** Pictures stay on their machine, whichever program's log holds them; only what is sealed keeps them. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createDemo } from "../../src/demo/create.ts";
import { pictureAt } from "../../src/demo/pictures.ts";
import { hubSessionId } from "../../src/hub/protocol.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { writeTranscript } from "../real/claude-rows.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { DEMO_NOW, deriveAll } from "./demo-hub.ts";
import { everythingOf } from "./everything.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { type ServedHub, serveHub } from "./served.ts";
import { type Machine, newMachine } from "./syncing-machine.ts";

const ID = "0b1c2d3e-0000-4000-8000-00000000000a";

let hub: TestHub;
let people: People;
let robin: Person;
let served: ServedHub;
let laptop: Machine;

beforeAll(async () => {
  hub = await newHub();
  people = await peopleOf(hub);
  served = await serveHub(hub);
});
afterAll(async () => {
  await served.close();
  await people.close();
  await hub.close();
});
beforeEach(async () => {
  robin = await people.add(`robin-${Math.random()}`);
  const login = { RETHREAD_HUB_URL: served.url, RETHREAD_HUB_TOKEN: robin.token };
  const made = await newMachine("laptop", login);
  const { home } = made;
  laptop = await made.as({
    CLAUDE_CONFIG_DIR: join(home, "claude"),
    CODEX_HOME: join(home, "codex"),
    VSCODE_STORAGE_PATH: join(home, "vscode"),
  });
});
afterEach(() => laptop.remove());

const everything = async (): Promise<string> => {
  await deriveAll(hub, people, robin);
  return everythingOf(people, robin);
};

/** A picture of its own for each place, as far as anybody looks at its first bytes. */
function picture(place: string): Buffer {
  const noise = Array.from({ length: 20 }, (_, at) => createHash("sha256").update(`${place} ${at}`).digest());
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0", "latin1"),
    ...noise,
  ]);
}
const dataOf = (place: string): string => picture(place).toString("base64");
const toLines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** Any part of it, in any form. */
function isIn(all: string, place: string): boolean {
  const bytes = picture(place);
  return (
    all.includes(bytes.toString("base64", 48, 96)) ||
    all.includes([...bytes.subarray(48, 64)].join(",")) ||
    all.includes(JSON.stringify({ ...bytes }).slice(400, 480))
  );
}

function tellCopilot(folder: string): readonly string[] {
  laptop.session(ID, folder, ["look"]);
  const record = (type: string, data: object) => ({
    ...{ type, data, id: createHash("md5").update(JSON.stringify(data)).digest("hex") },
    ...{ timestamp: "2026-11-15T12:10:00.000Z", parentId: null },
  });
  const image = (place: string) => ({ type: "image", mimeType: "image/png", data: dataOf(place) });
  laptop.write(
    laptop.pathOf(ID),
    laptop.log(ID) +
      toLines([
        record("session.binary_asset", { assetId: "sha256:a", byteLength: 1, ...image("asset") }),
        record("user.message", {
          content: "look",
          attachments: [
            { ...image("attached"), type: "blob", displayName: "a.png" },
            { type: "file", assetId: "sha256:a", mimeType: "image/png", path: "b.png" },
          ],
        }),
        record("tool.execution_complete", {
          ...{ toolCallId: "call", success: true },
          result: {
            content: `data:image/png;base64,${dataOf("printed")}`,
            binaryResultsForLlm: [image("given")],
          },
        }),
      ]),
  );
  return ["asset", "attached", "printed", "given"];
}

function tellClaude(folder: string): readonly string[] {
  const block = (type: string, place: string, media_type: string) => ({
    type,
    source: { type: "base64", media_type, data: dataOf(place) },
  });
  const transcript = writeTranscript();
  const pdf = Buffer.concat([Buffer.from("%PDF-1.7\n"), picture("document")]).toString("base64");
  const document = { type: "document", source: { type: "base64", media_type: "application/pdf", data: pdf } };
  transcript.prompt(
    [{ type: "text", text: "Look" }, block("image", "claude prompt", "image/png"), document],
    { cwd: folder },
  );
  transcript.answer([{ type: "tool_use", id: "toolu_1", name: "Read", input: { file_path: "/srv/a.png" } }]);
  transcript.prompt(
    [
      {
        type: "tool_result",
        tool_use_id: "toolu_1",
        content: [block("image", "claude result", "image/png")],
      },
    ],
    { toolUseResult: { type: "image", file: { base64: dataOf("claude read"), type: "image/png" } } },
  );
  laptop.write(
    join(laptop.home, `claude/projects/${folder.replaceAll(/\W/g, "-")}/${ID}.jsonl`),
    transcript.text().replaceAll('"cwd":"/srv/shop"', `"cwd":${JSON.stringify(folder)}`),
  );
  return ["claude prompt", "document", "claude result", "claude read"];
}

function tellCodex(cwd: string): readonly string[] {
  const line = (type: string, payload: object) => ({ timestamp: "2026-11-15T12:00:00.000Z", type, payload });
  const image = (place: string) => ({
    type: "input_image",
    image_url: `data:image/png;base64,${dataOf(place)}`,
  });
  laptop.write(
    join(laptop.home, `codex/sessions/2026/11/15/rollout-2026-11-15T12-00-00-${ID}.jsonl`),
    toLines([
      line("session_meta", {
        id: ID,
        timestamp: "2026-11-15T12:00:00.000Z",
        cwd,
        cli_version: "0.169.0",
        originator: "codex_exec",
      }),
      line("response_item", {
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: "Look" }, image("codex prompt")],
      }),
      line("response_item", { type: "function_call", name: "view_image", arguments: "{}", call_id: "call" }),
      line("response_item", {
        type: "function_call_output",
        call_id: "call",
        output: [image("codex result")],
      }),
      line("response_item", {
        type: "image_generation_call",
        id: "ig",
        status: "completed",
        result: dataOf("codex made"),
      }),
    ]),
  );
  return ["codex prompt", "codex result", "codex made"];
}

function tellVscode(folder: string): readonly string[] {
  const call = { id: "call_1", name: "view_image", arguments: "{}" };
  const request = {
    ...{ requestId: "request_1", timestamp: Date.UTC(2026, 10, 15), message: { text: "Look", parts: [] } },
    variableData: {
      variables: [
        { kind: "image", name: "a", id: "a", mimeType: "image/png", value: { ...picture("vscode pasted") } },
        {
          kind: "image",
          name: "b",
          id: "b",
          mimeType: "image/png",
          value: { $base64: dataOf("vscode dropped") },
        },
      ],
    },
    response: [
      {
        ...{ kind: "toolInvocationSerialized", toolId: "view_image", toolCallId: "call_1", isComplete: true },
        resultDetails: {
          input: "{}",
          output: [{ type: "embed", isText: false, mimeType: "image/png", value: dataOf("vscode shown") }],
        },
      },
    ],
    result: {
      metadata: {
        toolCallRounds: [{ toolCalls: [call] }],
        toolCallResults: {
          call_1: {
            content: [{ mimeType: "image/png", data: { type: "Buffer", data: [...picture("vscode kept")] } }],
          },
        },
      },
    },
  };
  const head = { version: 3, sessionId: ID, creationDate: Date.UTC(2026, 10, 15), requests: [] };
  laptop.write(
    join(laptop.home, "vscode/w/workspace.json"),
    JSON.stringify({ folder: `${pathToFileURL(folder)}` }),
  );
  laptop.write(
    join(laptop.home, `vscode/w/chatSessions/${ID}.jsonl`),
    toLines([
      { kind: 0, v: head },
      { kind: 2, k: ["requests"], v: [request] },
    ]),
  );
  return ["vscode pasted", "vscode dropped", "vscode shown", "vscode kept"];
}

it.each([
  ["copilot-cli", tellCopilot],
  ["claude-code", tellClaude],
  ["codex", tellCodex],
  ["vscode", tellVscode],
] as const)("of %s stay here", async (source, tell) => {
  const places = tell(laptop.clone("acme/shop"));
  await laptop.sync.setRules({ effect: "allow", repositories: ["**"] });
  const preview = await laptop.sync.preview({});
  expect(preview.sessions.map((each) => [each.source, each.leftOut])).toEqual([
    [source, [expect.objectContaining({ pictures: places.length })]],
  ]);
  const report = await laptop.sync.push({ consents: true });
  expect(report).toMatchObject({ outcome: "clean", created: 1, leftOut: [{ pictures: places.length }] });
  const all = await everything();
  expect(places.filter((place) => isIn(all, place))).toEqual([]);

  // The hub reads the session as it was, and says of its pictures where they are.
  const { machine } = await laptop.sync.status();
  const session = hubSessionId(source, ID, machine.id);
  const ask = async (path: string) =>
    fetch(`${served.url}/api/sessions/${encodeURIComponent(session)}${path}`, {
      headers: { authorization: `Bearer ${robin.token}` },
    });
  const shown = await (await ask("/turns")).text();
  const [, image = ""] = /"image":\{"id":"([\w-]+)"/.exec(shown) ?? [];
  expect(image, shown).not.toBe("");
  const answer = await ask(`/images/${image}`);
  expect(answer.status).toBe(410);
  expect(await answer.text()).toContain("it stays on the machine it came from");
  expect(await laptop.sync.push()).toMatchObject({ updated: 0, unchanged: 1 });
});

it("stay in what is sealed, which the hub cannot read", async () => {
  const places = tellCopilot(laptop.clone("acme/shop"));
  await laptop.sync.key({ action: "new" });
  await laptop.sync.setRules({ effect: "sealed", repositories: ["acme/shop"] });
  const report = await laptop.sync.push({ consents: true });
  expect(report).toMatchObject({ created: 1, leftOut: [] });
  const all = await everythingOf(people, robin);
  expect(places.filter((place) => isIn(all, place))).toEqual([]);
});

it("of a push by an earlier version leave the hub with the next one", async () => {
  const places = tellCopilot(laptop.clone("acme/shop"));
  await laptop.sync.setRules({ effect: "allow", repositories: ["**"] });
  // As that version sent it: what it did not look for, and a mark that is not of today.
  const letters = laptop.log(ID);
  laptop.write(
    laptop.pathOf(ID),
    letters
      .replaceAll("iVBORw0KGgo", "iVBORw0KGgp")
      .replaceAll("image/", "imago/")
      .replaceAll("data:", "date:"),
  );
  await laptop.sync.push({ consents: true });
  const before = await everything();
  expect(places.filter((place) => isIn(before, place))).toEqual(places);
  laptop.write(laptop.pathOf(ID), letters);
  expect(await laptop.sync.push()).toMatchObject({ outcome: "clean", updated: 1 });
  const after = await everything();
  expect(places.filter((place) => isIn(after, place))).toEqual([]);
});

it("of the demo stay here", async () => {
  const { vars } = await createDemo({ fs: localFs, sources: SOURCES, home: laptop.dataHome, now: DEMO_NOW });
  const demo = await laptop.as({ ...laptop.vars, ...vars });
  await demo.sync.setRules({ effect: "allow", repositories: ["**"] });
  const report = await demo.sync.push({ consents: true });
  expect(report).toMatchObject({ outcome: "clean", failed: 0 });
  const taken = report.leftOut.reduce((sum, { pictures = 0 }) => sum + pictures, 0);
  expect(taken).toBeGreaterThan(3);
  const all = await everything();
  expect(all).toContain("ci-runs.png");
  for (const name of ["ci-runs.png", "header-desk.png", "header-phone.png", "search-results.png"])
    expect(all, name).not.toContain(pictureAt(name).data.slice(100, 180));
});
