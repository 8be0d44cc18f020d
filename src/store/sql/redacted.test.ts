/** What functions give for answers that leave the machine: the same as SQLite's own, of texts without their secrets. */
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createRedactor } from "../../model/redact/redact.ts";
import { replaceFunctions } from "./redacted.ts";

const KEY = `ghp_${"q7Rt2Yx9".repeat(5)}`;
const [plain, guarded] = [new DatabaseSync(":memory:"), new DatabaseSync(":memory:")];
replaceFunctions(guarded, createRedactor());
const ask = (db: DatabaseSync, call: string, ...values: (string | number | null)[]): unknown =>
  db.prepare(`SELECT ${call} AS x`).get(...values)?.x;

it("are the same for texts without secrets", () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "B", " ", "é", "😀", "x"), maxLength: 12 }),
    fc.constant(null),
  );
  const number = fc.integer({ min: -15, max: 15 });
  const signs = fc.string({ unit: fc.constantFrom("a", " ", "😀"), maxLength: 2 });
  const pattern = fc.string({
    unit: fc.constantFrom("a", "b", "B", "%", "_", "*", "?", ".", "[aB]", "[^x]", "[a-c]", "😀", "\\"),
    maxLength: 6,
  });
  fc.assert(
    fc.property(text, number, number, signs, pattern, (value, from, length, set, pattern) => {
      for (const [call, ...values] of [
        ["substr(?, ?)", value, from],
        ["substring(?, ?, ?)", value, from, length],
        ["replace(?, ?, 'y')", value, set],
        ["upper(?)", value],
        ["lower(?)", value],
        ["trim(?)", value],
        ["trim(?, ?)", value, set],
        ["ltrim(?, ?)", value, set],
        ["rtrim(?, ?)", value, set],
        ["instr(?, ?)", value, set],
        ["? LIKE ?", value, pattern],
        ["? LIKE ? ESCAPE 'x'", value, pattern.replaceAll("x", "")],
        ["? GLOB ?", value, pattern],
      ] as [string, ...(string | number | null)[]][])
        expect([call, values, ask(guarded, call, ...values)]).toEqual([
          call,
          values,
          ask(plain, call, ...values),
        ]);
    }),
    { numRuns: 500 },
  );
});

it.each([`instr(?, 'ghp_q7Rt')`, `? LIKE '%ghp_q7Rt%'`, `? GLOB '*ghp_q7Rt*'`])(
  "do not tell whether a text has the beginning of a secret: %s",
  (call) => {
    expect(ask(plain, call, `a ${KEY} b`)).not.toBe(0);
    expect(ask(guarded, call, `a ${KEY} b`)).toBe(0);
  },
);

it.each([
  "substr(?, 8, 20)",
  "replace(?, 'ghp_', '')",
  "lower(?)",
  "trim(?, 'ghp')",
  "substr(CAST(? AS BLOB), 3)",
])("have nothing of a secret: %s", (call) => {
  const told = String(ask(guarded, call, `a ${KEY} b`)).toLowerCase();
  expect(told).not.toContain(KEY.slice(10, 20).toLowerCase());
  expect(String(ask(plain, call.replace("CAST(? AS BLOB)", "?"), `a ${KEY} b`)).toLowerCase()).toContain(
    KEY.slice(10, 20).toLowerCase(),
  );
});
