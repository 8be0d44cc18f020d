import { describe, expect, it } from "vitest";
import { EVENT_SHAPE } from "../copilot-cli/edit/rescue/log.ts";
import { partsOf, splitRecords } from "./parts.ts";

const record = (content: string): string =>
  `{"type":"user.message","data":{"content":"${content}"},"id":"i","timestamp":"t","parentId":null}`;
const gist = (text: string): string[] =>
  partsOf(Buffer.from(text), EVENT_SHAPE).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);

describe("damaged lines in parts", () => {
  it("are whole records, beginnings of some, and what is neither", () => {
    const [one, two] = [record("one"), record("two")];
    const torn = one.slice(0, 45);
    expect(gist(`${one}${two}`)).toEqual([`record ${one}`, `record ${two}`]);
    expect(gist(`${torn}${two}`)).toEqual([`torn ${torn}`, `record ${two}`]);
    expect(gist(`${torn}${torn}\n garbage ${two}`)).toEqual([
      `torn ${torn}`,
      `torn ${torn}`,
      "other  garbage ",
      `record ${two}`,
    ]);
    expect(gist(`\0\0${one}\0`)).toEqual(["other \0\0", `record ${one}`, "other \0"]);
  });

  it("take records for one that stand inside of another", () => {
    const around = `{"type":"a.b","data":{"events":[${record("inner")},${record("other")}]},"id":"i","timestamp":"t"}`;
    expect(gist(around)).toEqual([`record ${around}`]);
  });

  it("take a line break inside of a text for part of it, but not one before another record", () => {
    const broken = record("first\nsecond");
    expect(gist(broken)).toEqual([`record ${broken}`]);
    const torn = record("first").slice(0, 50);
    expect(gist(`${torn}\n${record("two")}`)).toEqual([`torn ${torn}`, `record ${record("two")}`]);
  });

  it("take a record that someone wrote over several lines for one", () => {
    const pretty = JSON.stringify(JSON.parse(record("one")), null, 2);
    expect(gist(`${pretty}\n${record("two")}`)).toEqual([`record ${pretty}`, `record ${record("two")}`]);
  });
});

describe("the work of it", () => {
  const nested = 4000;
  const HOSTILE: Record<string, (times: number) => string> = {
    "torn within a text": (times) => record("x").slice(0, 45).repeat(times),
    "torn behind a backslash": (times) =>
      `{"type":"user.message","data":{"content":"a \\"b\\" c\\`.repeat(times),
    "torn within a list": (times) => '{"type":"user.message","data":{"content":[1,'.repeat(times),
    "lines whose texts never end": (times) => '{"\\"\n'.repeat(10 * times),
    "objects that are never closed": (times) => '{"type":"a.b","x":'.repeat(times),
    "objects around something that is no JSON": (times) =>
      `${'{"type":"a.b","x":'.repeat(times)}@${"}".repeat(times)}`,
    braces: (times) => "{".repeat(50 * times),
    quotes: (times) => '{"'.repeat(25 * times),
    "NULs between": (times) => '{"a\0'.repeat(10 * times),
    spaces: (times) => ` {${" ".repeat(50)}`.repeat(times),
  };

  it.each(Object.entries(HOSTILE))("grows no faster than what is %s", (_name, make) => {
    const bytes = Buffer.from(make(nested));
    expect(splitRecords(bytes, EVENT_SHAPE).work / bytes.length).toBeLessThan(12);
  });
});
