import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentOf } from "../../../../edit/apply/content.ts";
import type { Piece } from "../../../../model/plan.ts";
import { createMemoryFs } from "../../../../platform/fs/memory.ts";
import { type Amendment, toRecords } from "./amend.ts";
import { amendDocument } from "./amend-text.ts";
import { amendState } from "./state.ts";

const PATH = "/s.json";

async function amended(text: string, amendments: readonly Amendment[], turns?: number): Promise<string> {
  const fs = createMemoryFs({ [PATH]: text });
  const size = Buffer.byteLength(text);
  return toText(await amendDocument(fs, PATH, size, amendments, turns), fs);
}

async function toText(pieces: readonly Piece[], fs: ReturnType<typeof createMemoryFs>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of contentOf(pieces, { fs })) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts).toString("utf8");
}

const set = (value: unknown, ...path: (string | number)[]): Amendment => ({ path, value });

describe("a document of which single values change", () => {
  const TEXT = `{ "version": 1.0,\n  "größe": 1e3, "requests": [ {"a": {"b": "x\\"y"}}, {"a": {}} ],\n  "last": null }`;

  it("keeps every other byte", async () => {
    expect(await amended(TEXT, [set("neu", "requests", 0, "a", "b")])).toBe(TEXT.replace('"x\\"y"', '"neu"'));
    expect(await amended(TEXT, [set(undefined, "größe")])).toBe(TEXT.replace(',\n  "größe": 1e3', ""));
    expect(await amended(TEXT, [set(undefined, "version")])).toBe(TEXT.replace('"version": 1.0,\n  ', ""));
    expect(await amended(TEXT, [])).toBe(TEXT);
  });

  it("gets what it lacks, behind what an object has or into an empty one", async () => {
    expect(await amended(TEXT, [set("t", "title"), set(2, "n"), set(1, "requests", 1, "a", "c")])).toBe(
      TEXT.replace('"a": {}}', '"a": {"c":1}}').replace("null }", 'null,"title":"t","n":2 }'),
    );
  });

  it("loses later turns, and with them what was to change there", async () => {
    const text = '{"requests":[ {"n":0} , {"n":1}, {"n":2} ],"z":1}';
    expect(await amended(text, [set(7, "requests", 0, "n")], 1)).toBe('{"requests":[ {"n":7}],"z":1}');
    expect(await amended(text, [], 0)).toBe('{"requests":[],"z":1}');
    expect(await amended(text, [], 3)).toBe('{"requests":[ {"n":0} , {"n":1}, {"n":2}],"z":1}');
  });

  it("comes to the same as the value that is changed, whatever is in it", async () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant([]), fc.constant({}));
    const record = fc.dictionary(fc.constantFrom("a", "b", "c", "ü", 'q"'), leaf, { maxKeys: 4 });
    const document = fc.record({ head: record, list: fc.array(record, { minLength: 1, maxLength: 3 }) });
    const change = fc.record({
      where: fc.constantFrom("head", 0, 1, 2),
      key: fc.constantFrom("a", "b", "c", "ü", 'q"'),
      value: fc.oneof(leaf, fc.constant(undefined)),
    });
    await fc.assert(
      fc.asyncProperty(
        document,
        fc.uniqueArray(change, { selector: ({ where, key }) => `${where} ${key}`, maxLength: 5 }),
        fc.constantFrom(undefined, 1, 2),
        async (state, changes, space) => {
          const amendments = changes
            .filter(({ where }) => where === "head" || Number(where) < state.list.length)
            .map(({ where, key, value }) =>
              where === "head" ? set(value, "head", key) : set(value, "list", Number(where), key),
            );
          const text = JSON.stringify(state, null, space);
          expect(JSON.parse(await amended(text, amendments))).toEqual(
            amendState(JSON.parse(text), amendments),
          );
        },
      ),
      { numRuns: 1000, seed: 20261116 },
    );
  });
});

it("is appended to a log in the records that VS Code knows", () => {
  expect(toRecords([set("t", "customTitle"), set(undefined, "requests", 0, "x")])).toBe(
    '{"kind":1,"k":["customTitle"],"v":"t"}\n{"kind":3,"k":["requests",0,"x"]}\n',
  );
});
