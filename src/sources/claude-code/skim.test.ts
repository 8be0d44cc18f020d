import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Transcript, writeTranscript } from "../../../test/real/claude-rows.ts";
import type { Event } from "../../model/session/session.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import type { ReadOptions } from "../source.ts";
import { read } from "./read.ts";

const PATH = "/c/projects/shop/6f1c2b7e-8a34-4d0b-9c55-0d2f6a1be901.jsonl";

async function readText(text: string, options: ReadOptions) {
  const events: Event[] = [];
  const problems: string[] = [];
  const session = await read(
    createMemoryFs({ [PATH]: text }),
    { source: "claude-code", id: "s", root: "/c", path: PATH, fingerprint: { size: 7, mtimeMs: 0, ino: 1 } },
    { event: (event) => void events.push(event), problem: ({ code }) => void problems.push(code) },
    options,
  );
  return { session, events, problems };
}
const transcript = (write: (t: Transcript) => void): string => {
  const t = writeTranscript();
  write(t);
  return t.text();
};

/** Reads it whole and skimming; both must tell the same, but for the ends of results. */
async function compare(text: string, textLimit = 2000) {
  const whole = await readText(text, {});
  const skimmed = await readText(text, { skim: true, textLimit });
  expect(skimmed.session).toEqual(whole.session);
  expect(skimmed.problems).toEqual(whole.problems);
  expect(skimmed.events.length).toBe(whole.events.length);
  for (const [at, event] of skimmed.events.entries()) {
    const full = whole.events[at];
    if (event.kind !== "tool-result" || full?.kind !== "tool-result" || event.cut === undefined)
      expect(event).toEqual(full);
    else {
      expect(full.text.startsWith(event.text)).toBe(true);
      expect(event.text.length).toBeLessThan(full.text.length);
      expect({ ...event, text: "", cut: 0 }).toEqual({ ...full, text: "", cut: 0 });
    }
  }
  return skimmed.events;
}

const LONG = 'A "quoted" word, and a {"json": ["text", {"in": "it"}]},\n'.repeat(80);
const COPY = `${LONG}<here>${LONG}`;
const shell = (stdout: string) => ({ stdout, stderr: "", interrupted: false, isImage: false });
const result = (content: unknown) => [{ tool_use_id: "1", type: "tool_result", content, is_error: true }];

describe("skimming", () => {
  it("keeps the beginning of a long result, and says that its end is missing", async () => {
    const text = transcript((t) => {
      t.prompt("one");
      t.call("1");
      t.prompt(result(LONG), { toolUseResult: shell(LONG) });
      t.answer("done");
    });
    const [, , event] = (await compare(text)).filter(({ kind }) => kind !== "usage");
    expect(event).toMatchObject({ kind: "tool-result", status: "failed", callId: "1" });
    expect(event).toHaveProperty("cut");
    expect(event && "text" in event && event.text.length).toBeGreaterThan(800);
  });

  it("keeps all that people and models say, and all that only long strings can tell", async () => {
    const text = transcript((t) => {
      t.prompt(LONG);
      t.answer([{ type: "thinking", thinking: LONG }]);
      t.answer([{ type: "text", text: LONG }]);
      t.answer([{ type: "tool_use", id: "1", name: "Write", input: { file_path: "/a.ts", content: LONG } }]);
      const created = { type: "create", filePath: "/a.ts", content: LONG, structuredPatch: [] };
      t.prompt(result("ok"), { toolUseResult: created });
      const attachment = { type: "queued_command", commandMode: "prompt", prompt: LONG };
      t.row({ type: "attachment", attachment });
      t.row({ type: "system", level: "warning", content: LONG });
      t.prompt(LONG, { isCompactSummary: true });
    });
    const events = await compare(text);
    expect(events.map(({ kind }) => kind)).toEqual([
      "prompt",
      "thinking",
      "text",
      "tool-call",
      "tool-result",
      "edit",
      "prompt",
      "notice",
      "compaction",
    ]);
    expect(events.some((event) => event.cut !== undefined)).toBe(false);
  });

  it("takes results apart by their parts, pictures among them, and edits by their lines", async () => {
    const picture = { type: "image", source: { type: "base64", data: "QUJD".repeat(900) } };
    const words = { type: "text", text: LONG };
    const other = { type: "text", text: `Another. ${LONG}` };
    const patch = [{ oldStart: 1, lines: [" a", "-b", "+c", `+${LONG}`] }];
    const edited = { filePath: "/a.ts", originalFile: LONG, structuredPatch: patch };
    for (const content of [[picture], [words], [words, other], [words, picture], [picture, words], "short"])
      await compare(
        transcript((t) => {
          t.prompt("one");
          t.call("1");
          t.prompt(result(content), { toolUseResult: { ...edited, content: [words] } });
        }),
      );
    await compare(
      transcript((t) => {
        t.prompt("one");
        t.answer([
          { type: "tool_use", id: "1", name: "Bash", input: {} },
          { type: "tool_use", id: "2", name: "Bash", input: {} },
        ]);
        t.prompt([...result(LONG), { tool_use_id: "2", type: "tool_result", content: other.text }]);
      }),
    );
  });

  it("ends every text where it ends, whatever stands in it and behind it", async () => {
    const pieces = fc.constantFrom(
      '"',
      "\\",
      ",",
      "{",
      "[",
      "}",
      "]",
      ":",
      '","',
      '{"',
      '}]},"uuid":"x"',
      "é",
      "😀",
      "\u0001",
      "\n",
      "ab",
      "u0041",
    );
    const text = fc
      .tuple(
        fc.array(pieces, { maxLength: 8 }),
        fc.array(pieces, { maxLength: 8 }),
        fc.integer({ min: 1000, max: 1030 }),
      )
      .map(([front, back, at]) => "x".repeat(at) + front.join("") + "-".repeat(1500) + back.join(""));
    const order = fc.shuffledSubarray(["tool_use_id", "type", "content", "is_error", "cache_control"], {
      minLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(text, text, order, async (said, shown, keys) => {
        const block: Record<string, unknown> = {
          ...result(said)[0],
          cache_control: { type: "ephemeral" },
        };
        await compare(
          transcript((t) => {
            t.prompt("one");
            t.call("1");
            t.prompt([Object.fromEntries(keys.map((key) => [key, block[key]]))], {
              toolUseResult: { ...shell(shown), file: { content: said }, names: [shown, 1, shown, ["a"]] },
            });
            t.answer("done");
          }),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("does not look into copies of what was sent, and so misses damage there alone", async () => {
    const snapshot = transcript((t) => {
      t.prompt("one");
      t.row({ type: "attachment", attachment: { type: "prompt_snapshot", systemPrompt: [COPY, COPY] } });
      t.note({ type: "api-request-shape", shape: COPY });
      t.answer("done");
    });
    await compare(snapshot);
    const inside = snapshot.replaceAll("<here>", "\u0000");
    expect((await readText(inside, {})).problems).toEqual([
      "record-unreadable",
      "record-unreadable",
      "chain-broken",
    ]);
    expect((await readText(inside, { skim: true, textLimit: 2000 })).problems).toEqual([]);
    const outside = snapshot.replace('"systemPrompt":[', '"systemPrompt":{');
    expect((await readText(outside, { skim: true, textLimit: 2000 })).problems).toEqual([
      "record-unreadable",
      "chain-broken",
    ]);
    await compare(snapshot.slice(0, snapshot.indexOf('A \\"quoted') + 3000));
  });
});
