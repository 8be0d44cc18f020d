/** Sessions as answers have them. */
import type { Zod } from "../operation.ts";

export const sessionKey = (z: Zod) => z.object({ source: z.string(), id: z.string() });

/** How many sessions; `sessions` is the same, where the number had that name first. */
export const countFields = (z: Zod, means?: string) => ({
  sessionCount: means === undefined ? z.int() : z.int().describe(means),
  sessions: z.int().describe("as `sessionCount`"),
});

export const sessionFields = (z: Zod) => ({
  source: z.string(),
  id: z.string(),
  title: z.string(),
  workspace: z.string().nullable(),
  repository: z.string().nullable(),
  branch: z.string().nullable(),
  createdAt: z.string().nullable(),
  updatedAt: z.string().nullable().describe("ISO 8601"),
  turns: z.int(),
  problemCount: z.int().describe("how many were found while indexing; `doctor` looks closer"),
  problems: z.int().describe("as `problemCount`"),
  models: z.array(z.string()),
  path: z.string(),
  bytes: z.int(),
  parent: z
    .object({
      id: z.string(),
      kind: z.enum(["fork", "clone", "branch", "agent"]),
      title: z.string().exactOptional(),
    })
    .nullable(),
  handedFrom: z
    .object({ source: z.string(), id: z.string(), title: z.string().exactOptional() })
    .nullable()
    .describe("the session of another program that it says it was handed over from"),
  producer: z.string().nullable(),
  openIn: z.int().nullable().describe("a process id"),
  resume: z
    .string()
    .nullable()
    .describe(
      "the command that continues it, quoted for a shell; `resume --json` has what that starts, and where",
    ),
  vanishedAt: z.string().nullable().describe("its files are gone since then"),
  tags: z.array(z.string()).describe("those that you gave it, in alphabetical order"),
});

/** How many sessions there are of each. */
export const facets = (z: Zod) => {
  const facet = z.array(z.object({ value: z.string(), count: z.int() })).describe("most first, at most 50");
  return z.object({
    source: facet,
    repository: facet,
    branch: facet,
    model: facet,
    workspace: facet,
    tag: facet,
    problems: z.int().describe("how many have problems"),
    problemCount: z.int().describe("as `problems`"),
    copies: z.int().describe("how many are forks or clones"),
  });
};

/** The reference describes its fields once, with `list`. */
export const session = (z: Zod) => z.object(sessionFields(z)).meta({ like: "list" });

export const sidecar = (z: Zod) =>
  z.object({
    kind: z.enum(["plan", "checkpoint", "file", "research", "snapshot", "file-state", "tasks"]),
    name: z.string(),
    path: z.string(),
    bytes: z.int().exactOptional(),
    detail: z.string().exactOptional(),
    record: z.string().exactOptional(),
    number: z.int().exactOptional(),
  });

/** With what lies beside the conversation. */
export const wholeSession = (z: Zod) =>
  z
    .object({
      ...sessionFields(z),
      userName: z.string().nullable().describe("of the person who asks, where the program notes it"),
      agentName: z.string().nullable().describe("of who answers, likewise"),
      sidecars: z
        .array(sidecar(z))
        .describe("plans, checkpoints, kept files, file states, tasks beside the conversation"),
    })
    .meta({ like: "list", adds: ["userName", "agentName", "sidecars"] });
