/** What answers of a hub have beyond those at home: whose each session is, and who else sees it. */
import type * as zod from "zod";
import { memberOf } from "../../model/values/member.ts";
import type { Zod } from "../../operations/operation.ts";
import { PROMPT_GIST } from "../../present/json/blame.ts";

export const personFields = (z: Zod) => ({
  people: z.array(z.string()).exactOptional().describe("only sessions of these users"),
  team: z.string().max(200).exactOptional().describe("only what is shared with this team"),
});

const ofWhom = (z: Zod) => ({
  person: z.string().describe("whose it is"),
  hubSession: z.string().describe("the hub's id: `source:id@machine`"),
});

const known = (z: Zod) => ({
  ...ofWhom(z),
  machine: z.string().describe("that it was pushed from"),
  sharing: z.string().describe("`private`, or the name of the team that sees it"),
  isSealed: z.boolean().describe("encrypted: only its owner's machines can read it"),
});

const values = (z: Zod) => z.array(z.object({ value: z.string(), count: z.int() }));

type Output = zod.ZodType;

/** The same object with some of its fields made of what they were. */
function changed(z: Zod, output: Output, changes: Readonly<Record<string, (was: Output) => Output>>): Output {
  if (!(output instanceof z.ZodObject)) throw new Error("an answer is an object");
  const fields = Object.entries(changes).map(([name, change]) => {
    const was = memberOf(output.shape as Readonly<Record<string, Output>>, name);
    return [name, change(was ?? z.unknown())];
  });
  return output.extend(Object.fromEntries(fields) as Record<string, Output>);
}

const withMore = (z: Zod, type: Output, more: Readonly<Record<string, Output>>): Output => {
  if (type instanceof z.ZodObject) return type.extend(more);
  if (type instanceof z.ZodArray) return z.array(withMore(z, type.element as Output, more));
  if (type instanceof z.ZodExactOptional || type instanceof z.ZodOptional)
    return withMore(z, type.unwrap() as Output, more).optional();
  throw new Error("only objects have more fields");
};

const unreachable = (z: Zod) => () =>
  z
    .array(z.string())
    .describe("people whose sessions are missing here, because the server that has them does not answer");

const facets = (z: Zod) => (was: Output) => withMore(z, was, { people: values(z), teams: values(z) });

export const hubFields = {
  ofList: (z: Zod, output: Output) =>
    changed(z, output, {
      ...{ sessions: (was) => withMore(z, was, known(z)), facets: facets(z), unreachable: unreachable(z) },
    }),
  ofSession: (z: Zod, output: Output) => changed(z, output, { session: (was) => withMore(z, was, known(z)) }),
  ofSearch: (z: Zod, output: Output) =>
    changed(z, output, {
      ...{ hits: (was) => withMore(z, was, ofWhom(z)), facets: facets(z), unreachable: unreachable(z) },
    }),
  ofStats: (z: Zod, output: Output) =>
    changed(z, output, {
      people: () => z.array(z.unknown()).describe("as `days[]`, by the name of the user"),
      unreachable: unreachable(z),
    }),
  ofStatsBy: (z: Zod, output: Output) =>
    changed(z, output, { by: () => z.string().describe("what was asked"), unreachable: unreachable(z) }),
  ofStandup: (z: Zod, output: Output) =>
    changed(z, output, {
      isCut: () => z.boolean().describe("it tells of the latest sessions only"),
      unreachable: unreachable(z),
    }),
};

export const filesAnswer = (z: Zod) =>
  z.object({
    files: z.array(
      z.object({
        path: z.string().describe("in the repository"),
        repository: z.string(),
        sessionCount: z.int().describe("how many sessions changed it"),
        people: z.array(z.string()).describe("whose sessions"),
        lastAt: z.string().nullable().describe("when the latest of them first did (ISO 8601)"),
      }),
    ),
  });

export const blameAnswer = (z: Zod) =>
  z.object({
    file: z.string(),
    repository: z.string(),
    lines: z.array(
      z.object({
        line: z.int().describe("counted from 1"),
        text: z.string(),
        session: z
          .object({ source: z.string(), id: z.string(), title: z.string(), ...ofWhom(z) })
          .nullable()
          .describe("that last wrote the line; null where no session did that you may see"),
        turn: z.int().nullable(),
        time: z.string().nullable(),
        prompt: z.string().nullable().describe(`of the turn; its first ${PROMPT_GIST} characters`),
        commit: z.null().describe("the hub has no repositories"),
      }),
    ),
    total: z.int(),
    isPartial: z
      .boolean()
      .describe("no change tells the whole file: the lines are the parts that changes tell"),
    unread: z.int().describe("how many sessions changed the file and were not read"),
    leftOut: z.int().describe("how many older changes did not fit in memory"),
    commits: z.array(z.unknown()),
    why: z.null(),
    gitTrouble: z.null(),
  });
