/** Whatever a model sends, it gets an answer or an error of ours, and the server goes on. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../src/mcp/tools.ts";
import { ERROR_CODES } from "../../src/model/errors.ts";
import { CITATION, startMcp, type TestMcp } from "./test-mcp.ts";

let mcp: TestMcp;
beforeAll(async () => {
  mcp = await startMcp({ canWrite: true });
});
afterAll(() => mcp.close());

/** Words of Node, SQLite and JavaScript that are not for the caller, and what a missing value looks like. */
const NOT_OURS =
  /\bundefined\b|\bNaN\b|\[object |\bERR_[A-Z]|\bE(?:NOENT|INVAL|NAMETOOLONG|ISDIR|NOTDIR|LOOP)\b|\bat \S+ \(|null bytes|TypeError|RangeError|node:/;

async function ask(name: string, input: Record<string, unknown>): Promise<string> {
  const { content, isError } = await mcp.client.callTool({ name, arguments: input });
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  expect(text).not.toBe("");
  if (isError !== true) return text;
  const code = /^Error \(([a-z-]+)\): /.exec(text)?.[1];
  expect([code, text]).toEqual([expect.toSatisfy((each) => Object.hasOwn(ERROR_CODES, each)), text]);
  expect(code).not.toBe("internal");
  return text;
}

/** Without what is quoted: history may say anything. */
const ours = (text: string): string => text.replaceAll(/\[history \d+\][\s\S]*?\[\/history \d+\]/g, "");

const ODD = [
  "\0",
  "a\0b",
  "\ud800",
  "\u202e",
  "'",
  '"',
  "%",
  "*",
  "--",
  "..",
  "~",
  "/",
  "C:\\",
  "",
  " ",
  "\n",
  "{",
  "[1",
  "NULL",
  "-1",
  "constructor",
  "__proto__",
  "toString",
  "source:id",
  "copilot-cli:",
  "latest",
  ".",
  "é",
  "🙂",
  "x".repeat(300),
  "../".repeat(400),
  "9".repeat(400),
];

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ODD) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.constantFrom(...ODD), { maxLength: 3 }),
  fc.dictionary(
    fc.constantFrom("session", "at", "name", "__proto__", "x"),
    fc.constantFrom<unknown>(...ODD, 1, null),
  ),
);

it("refuses what is nested beyond all measure", async () => {
  const deep = JSON.parse("[".repeat(5000) + "]".repeat(5000));
  expect(await ask("search", { query: deep })).toMatch(/^Error \(usage\): The input is nested too deeply/);
});

describe.each(TOOLS.map(({ name }) => name))("%s", (name) => {
  it("answers or refuses anything", async () => {
    const { tools } = await mcp.client.listTools();
    const { properties = {}, required = [] } = tools.find((tool) => tool.name === name)?.inputSchema ?? {};
    // apply and plan would write, given a plan or a path; no random text names one.
    const fields = Object.fromEntries(Object.keys(properties).map((field) => [field, value]));
    const input = fc.record(
      { ...fields, budget: fc.constantFrom<unknown>(undefined, 100, 500, 1, 0, 1e9, "x") },
      { requiredKeys: [...required] as never },
    );
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const sent = JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
        const text = await ask(name, sent);
        // What was sent may come back in an error.
        if (!NOT_OURS.test(JSON.stringify(sent)))
          expect(text.startsWith("Error") ? text : ours(text)).not.toMatch(NOT_OURS);
      }),
      { numRuns: 30 },
    );
    expect(await ask("sessions", { budget: 100 })).toMatch(CITATION);
  }, 60_000);

  it("refuses a NUL and absurd lengths in every text by the name of the argument", async () => {
    const { tools } = await mcp.client.listTools();
    const { properties = {}, required = [] } = tools.find((tool) => tool.name === name)?.inputSchema ?? {};
    const isText = (field: string): boolean =>
      (properties[field] as { type?: string }).type === "string" &&
      !("enum" in (properties[field] as object));
    const base = Object.fromEntries(
      required.filter((field) => field !== "operation" && field !== "input").map((field) => [field, "x"]),
    );
    const planned = name === "plan" ? { operation: "rename", input: {} } : {};
    for (const field of Object.keys(properties).filter(isText))
      for (const odd of ["a\0b", "y".repeat(2_000_000)]) {
        const text = await ask(name, { ...base, ...planned, [field]: odd });
        expect(text).toMatch(new RegExp(`^Error \\((?:usage)\\).*\\b${field}\\b`));
        expect(text.length).toBeLessThan(1000);
      }
    if (name === "plan")
      for (const odd of ["a\0b", "y".repeat(2_000_000)])
        expect(await ask(name, { operation: "rename", input: { session: "x", name: odd } })).toMatch(
          /^Error \(usage\).*\bname\b/,
        );
  });
});
