/** Pictures of all sources: named by the turns, read by their ids, and never anything but a picture of that session. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ImageRef, toAssetId, toImageId } from "../../src/model/session/image-ref.ts";
import type { Part, Turn } from "../../src/model/session/turns.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { imageOf } from "../../src/query/image.ts";
import { turnsOf } from "../../src/query/turns.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { readImageBytes } from "../../src/sources/log/image-bytes.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { writeTranscript } from "../real/claude-rows.ts";

/** One pixel, as Copilot CLI itself recorded it. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const base64 = (text: string): string => Buffer.from(text, "latin1").toString("base64");
/** Seventy bytes that claim to be a picture of three gigapixels. */
const BOMB = ((): string => {
  const bytes = Buffer.from(PIXEL, "base64");
  bytes.writeUInt32BE(60_000, 16);
  bytes.writeUInt32BE(50_000, 20);
  return bytes.toString("base64");
})();
const SVG = base64('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
const HTML = base64("<!doctype html><script>alert(1)</script>");

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-images-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (path: string, content: string): string => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
};
const open = (): Catalog =>
  openCatalog(
    SOURCES,
    {
      platform: "linux",
      homeDir: join(folder, "nowhere"),
      vars: {
        COPILOT_HOME: join(folder, "copilot"),
        CLAUDE_CONFIG_DIR: join(folder, "claude"),
        VSCODE_STORAGE_PATH: join(folder, "vscode"),
      },
    },
    localFs,
  );

const ID = "0b1c2d3e-0000-4000-8000-000000000001";
const toLines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** A prompt with these attachments, and a call whose result has these parts. */
function copilot(assets: Record<string, string>, attachments: object[], parts: object[]): string {
  let count = 0;
  const record = (type: string, data: object) => ({
    type,
    data,
    id: `fee10000-0000-4000-8000-00000000000${count++}`,
    timestamp: "2026-11-01T10:00:00.000Z",
    parentId: null,
  });
  const request = { toolCallId: "call", name: "view", arguments: { path: "/srv/a.png" } };
  put(
    `copilot/session-state/${ID}/events.jsonl`,
    toLines([
      record("session.start", {
        sessionId: ID,
        version: 1,
        producer: "x",
        startTime: "2026-11-01T10:00:00Z",
      }),
      ...Object.entries(assets).map(([assetId, data]) =>
        record("session.binary_asset", {
          assetId,
          type: "image",
          mimeType: "image/png",
          byteLength: 1,
          data,
        }),
      ),
      record("user.message", { content: "Look", attachments }),
      record("assistant.message", { messageId: "m", content: "", toolRequests: [request] }),
      record("tool.execution_complete", {
        toolCallId: "call",
        success: true,
        result: { content: "seen", binaryResultsForLlm: parts },
      }),
    ]),
  );
  return `copilot-cli:${ID}`;
}

function claude(prompt: object[], result: object[]): string {
  const content = [{ type: "text", text: "Look" }, ...prompt];
  const call = { type: "tool_use", id: "toolu_1", name: "Read", input: { file_path: "/srv/a.png" } };
  const back = { type: "tool_result", tool_use_id: "toolu_1", content: result };
  const transcript = writeTranscript();
  transcript.prompt(content);
  transcript.answer([call]);
  transcript.prompt([back]);
  put(`claude/projects/-srv/${ID}.jsonl`, transcript.text());
  return `claude-code:${ID}`;
}
const block = (data: string, media_type = "image/png") => ({
  type: "image",
  source: { type: "base64", media_type, data },
});

function vscode(variables: object[], output: unknown, content: object[] = []): string {
  const call = { id: "call_1", name: "view_image", arguments: "{}" };
  const request = {
    requestId: "request_1",
    timestamp: Date.UTC(2026, 10, 1),
    message: { text: "Look", parts: [] },
    variableData: { variables },
    response: [
      {
        kind: "toolInvocationSerialized",
        toolId: "view_image",
        toolCallId: "call_1",
        isComplete: true,
        resultDetails: { input: "{}", output },
      },
    ],
    result: {
      metadata: { toolCallRounds: [{ toolCalls: [call] }], toolCallResults: { call_1: { content } } },
    },
  };
  const head = { version: 3, sessionId: ID, creationDate: Date.UTC(2026, 10, 1), requests: [] };
  put(
    `vscode/w/chatSessions/${ID}.jsonl`,
    toLines([
      { kind: 0, v: head },
      { kind: 2, k: ["requests"], v: [request] },
    ]),
  );
  return `vscode:${ID}`;
}

interface Shown {
  readonly attached: readonly (ImageRef | undefined)[];
  readonly given: readonly ImageRef[];
}

async function imagesIn(name: string): Promise<Shown> {
  const { turns } = await turnsOf(open(), name, {});
  const [turn] = turns as readonly Turn[];
  const tool = turn?.parts.find((part: Part) => part.kind === "tool");
  return { attached: (turn?.attachments ?? []).map(({ image }) => image), given: tool?.images ?? [] };
}

/** What becomes of a picture that is asked for: its type and bytes, or the code of the error. */
async function ask(name: string, id: string | undefined): Promise<string> {
  try {
    const { type, content } = await imageOf(open(), name, id ?? "");
    return `${type} ${Buffer.from(content).toString("base64")}`;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
const SHOWN = `image/png ${PIXEL}`;

describe("a picture is read back as it was", () => {
  it("from Copilot CLI: kept once in a record of its own, or in the very record", async () => {
    const asset = { assetId: "sha256:aa", mimeType: "image/png", byteLength: 70 };
    const name = copilot(
      { "sha256:bb": SVG, "sha256:aa": PIXEL },
      [
        { type: "file", path: "/srv/a.png", displayName: "a.png", ...asset },
        { type: "blob", displayName: "pasted", mimeType: "image/png", data: PIXEL },
        { type: "file", path: "/srv/b.ts", displayName: "b.ts" },
        { type: "file", path: "/srv/c.png", displayName: "c.png" },
      ],
      [
        { type: "image", ...asset },
        { type: "image", mimeType: "image/png", data: PIXEL },
        { type: "image", mimeType: "image/png", byteLength: 9e6, omittedReason: "too_large" },
        { type: "resource", mimeType: "application/pdf", data: "AAAA" },
      ],
    );
    const { attached, given } = await imagesIn(name);
    expect(attached.map((image) => image && [image.name, image.id !== undefined])).toEqual([
      ["a.png", true],
      ["pasted", true],
      undefined,
      // Named, but its bytes are a file of the machine, which nobody reads for a session.
      ["c.png", false],
    ]);
    expect(given.map(({ id }) => id !== undefined)).toEqual([true, true, false]);
    for (const image of [attached[0], attached[1], given[0], given[1]])
      expect(await ask(name, image?.id)).toBe(SHOWN);
  });

  it("from Claude Code, also out of a record that is too long to be held", async () => {
    const long = Buffer.concat([Buffer.from(PIXEL, "base64"), Buffer.alloc(4 << 20)]).toString("base64");
    const address = { type: "image", source: { type: "url", url: "https://example.com/a.png" } };
    const name = claude([block(PIXEL), address, block(long)], [{ type: "text", text: "seen" }, block(PIXEL)]);
    const { attached, given } = await imagesIn(name);
    expect(attached.map((image) => image?.id !== undefined)).toEqual([true, false, true]);
    // It is the picture that was left out, not the words.
    const { turns } = await turnsOf(open(), name, {});
    expect(turns[0]).toMatchObject({ user: "Look" });
    expect(turns[0]?.cut).toBeUndefined();
    expect(await ask(name, attached[0]?.id)).toBe(SHOWN);
    expect(await ask(name, attached[2]?.id)).toBe(`image/png ${long}`);
    expect(given).toHaveLength(1);
    expect(await ask(name, given[0]?.id)).toBe(SHOWN);
  });

  it("from VS Code, in each form that it had for bytes", async () => {
    const numbers = Object.fromEntries(Buffer.from(PIXEL, "base64").entries());
    const uri = { $mid: 1, path: "/srv/a.png", scheme: "file" };
    const values = [{ $base64: PIXEL }, numbers, Object.values(numbers), uri];
    const variables = values.map((value, at) => ({ kind: "image", id: `${at}`, name: `${at}.png`, value }));
    const name = vscode(
      [...variables, { kind: "file", id: "f", name: "f.ts", value: uri }],
      [
        { type: "embed", isText: true, mimeType: "text/plain", value: "words" },
        { type: "embed", isText: false, mimeType: "image/png", value: PIXEL },
      ],
    );
    const { attached, given } = await imagesIn(name);
    expect(attached.map((image) => image && image.id !== undefined)).toEqual([
      true,
      true,
      true,
      false,
      undefined,
    ]);
    for (const image of attached.slice(0, 3)) expect(await ask(name, image?.id)).toBe(SHOWN);
    expect(given).toHaveLength(1);
    expect(await ask(name, given[0]?.id)).toBe(SHOWN);
  });

  it("from VS Code, where only the extension kept what the tool gave back", async () => {
    const name = vscode([], undefined, [
      { $mid: 21, value: "words" },
      { $mid: 24, mimeType: "image/png", data: { $base64: PIXEL } },
    ]);
    const { given } = await imagesIn(name);
    expect(await ask(name, given[0]?.id)).toBe(SHOWN);
  });
});

describe("what is no picture is not given out", () => {
  it("whatever it is called", async () => {
    const torn = Buffer.from(PIXEL, "base64").subarray(0, 20).toString("base64");
    const all = [SVG, HTML, torn, BOMB, "", "no base64 at all!"];
    const name = claude(
      all.map((data) => block(data)),
      all.map((data) => block(data, "image/svg+xml")),
    );
    const { attached, given } = await imagesIn(name);
    const codes = [
      "image-unknown",
      "image-unknown",
      "image-unknown",
      "image-too-large",
      "image-unknown",
      "image-unknown",
    ];
    expect(await Promise.all(attached.map((image) => ask(name, image?.id)))).toEqual(codes);
    expect(await Promise.all(given.map((image) => ask(name, image.id)))).toEqual(codes);
  });

  it("though it says what it is: the type is that of the bytes", async () => {
    const gif = base64("GIF89a\x01\0\x01\0\0\0\0;");
    const name = claude([block(gif, "text/html")], []);
    const { attached } = await imagesIn(name);
    expect(await ask(name, attached[0]?.id)).toBe(`image/gif ${gif}`);
  });

  it("beyond so many bytes, of the picture or of its JSON", async () => {
    const name = claude([block(PIXEL)], []);
    const { attached } = await imagesIn(name);
    const artifact = (await open().scan()).artifacts[0];
    if (!artifact) throw new Error("the session is gone");
    const place = { start: 0, end: artifact.fingerprint.size, at: [] };
    const reader = { bytesIn: () => new Uint8Array(71) };
    expect(await readImageBytes(localFs, artifact, reader, place, 70)).toBe("too-large");
    expect(await readImageBytes(localFs, artifact, reader, place, 71)).toEqual(new Uint8Array(71));
    expect(await readImageBytes(localFs, artifact, reader, place, 7)).toBe("too-large");
    expect(attached).toHaveLength(1);
  });
});

describe("an id from outside leads nowhere else", () => {
  it("than into the session's own files", async () => {
    const secret = put("secret.jsonl", `${JSON.stringify(block(PIXEL))}\n`);
    const name = claude([block(PIXEL)], []);
    const span = { start: 0, end: JSON.stringify(block(PIXEL)).length, at: [] };
    const dots = join(folder, `claude/projects/-srv/${ID}.jsonl`, "../../../../secret.jsonl");
    const raw = join(folder, "claude/projects/-srv/../../../secret.jsonl");
    for (const file of [secret, dots, raw, "../../../secret.jsonl", "secret.jsonl", "/dev/zero"])
      expect(await ask(name, toImageId({ ...span, file })), file).toBe("image-not-found");
    const other = copilot({}, [{ type: "blob", mimeType: "image/png", data: PIXEL }], []);
    const { attached } = await imagesIn(other);
    // The same place in another session's log holds no picture.
    expect(await ask(name, attached[0]?.id)).toBe("image-not-found");
  });

  it("than to a value that holds a picture", async () => {
    const name = claude([block(PIXEL)], []);
    const end = 1 << 20;
    const odd = [
      "",
      "x",
      "../../../../etc/passwd",
      toAssetId("sha256:aa"),
      toImageId({ start: 0, end, at: [] }),
      toImageId({ start: 0, end, at: ["message"] }),
      toImageId({ start: 0, end, at: ["message", "content", "__proto__"] }),
      toImageId({ start: 0, end, at: ["message", "content", "length"] }),
      toImageId({ start: 7, end, at: ["message", "content", 1] }),
      toImageId({ start: 1e12, end: 2e12, at: [] }),
    ];
    for (const id of odd) expect(await ask(name, id), id).toBe("image-not-found");
    expect(await ask(copilot({}, [], []), toAssetId("sha256:aa"))).toBe("image-not-found");
  });
});
