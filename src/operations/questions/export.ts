/** Sessions written down, to keep, to share or to take elsewhere. */
import type { App, Call, ExportFormat, ExportReport } from "../../app/contract.ts";
import { VERSION } from "../../app/version.ts";
import { toBundledJson, toExportedJson, toTranscribedJson } from "../../present/json/export.ts";
import { reductionFields } from "../changes/clone.ts";
import { type Described, defineOperation, type Zod } from "../operation.ts";
import { limit, placeFields, sessionName } from "../schemas/inputs.ts";
import { ledgerFields, statsFields } from "../schemas/plan.ts";
import { sessionFields } from "../schemas/session.ts";

export const TEXT_FORMATS = ["md", "html", "json", "jsonl"] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** Sessions by name, or all that match. */
const choiceFields = (z: Zod) => ({
  sessions: z.array(sessionName(z)).exactOptional().describe("these, instead of all that match"),
  ...placeFields(z),
  limit: limit(z).exactOptional(),
});

const fileFields = (z: Zod) => ({
  force: z.boolean().exactOptional().describe("replace files that are already there"),
});

const redactFields = (z: Zod) => ({
  redact: z.boolean().exactOptional().describe("take out secrets, and write home folders as ~"),
});

const redactions = (z: Zod) =>
  z
    .array(z.object({ kind: z.string(), secrets: z.int().describe("how many different ones") }))
    .nullable()
    .describe("`null` without --redact");

const gone = (z: Zod) =>
  z.int().describe("how many were left out because their files are gone and no copy was kept");

const losses = (z: Zod) => z.array(z.string()).describe("what is not included, in words");

const written = (z: Zod) => z.string().nullable().describe("the file or folder that was written");

const textFields = (z: Zod) => ({
  ...choiceFields(z),
  format: z.enum(TEXT_FORMATS),
  ...fileFields(z),
  ...redactFields(z),
  full: z
    .boolean()
    .exactOptional()
    .describe("whole tool calls and results in Markdown, and records of any size"),
});

const textInput = (z: Zod) => z.strictObject(textFields(z));

/** Where a text goes: to a file or folder, or piece by piece to the caller. */
export interface Target {
  readonly out?: string;
  readonly write?: (text: string) => void;
}

export async function exportTexts(
  app: App,
  input: Described<typeof textInput>,
  { out, write = () => undefined }: Target,
  call: Call = {},
): Promise<ExportReport> {
  const { sessions: names = [], format, force = false, redact = false, full = false, ...where } = input;
  return app.export(
    {
      names,
      where,
      format: await loadFormat(format, full, app),
      write,
      force,
      redact,
      whole: full,
      ...(out !== undefined && { out }),
    },
    call,
  );
}

export const exportFiles = defineOperation({
  name: "export",
  kind: "change",
  summary: "Write sessions as Markdown, HTML or JSON to a file or a folder",
  input: (z) =>
    z.strictObject({
      ...textFields(z),
      out: z.string().min(1).describe("the file or folder to write; many jsonl may share one file"),
    }),
  output: (z) =>
    z.object({
      path: written(z),
      sessions: z.array(
        z
          .object({
            ...sessionFields(z),
            file: z.string().nullable().describe("its name in the folder; `null` in a single file"),
          })
          .meta({ like: "list", adds: ["file"] }),
      ),
      gone: gone(z),
      redactions: redactions(z),
    }),
  run: (app, { out, ...input }, call) => exportTexts(app, input, { out }, call),
  toJson: toExportedJson,
});

const namedSession = (z: Zod) =>
  z.object({ source: z.string(), id: z.string(), title: z.string().nullable() });

export const exportBundle = defineOperation({
  name: "export-bundle",
  kind: "change",
  summary: "Write sessions into one bundle, with all that belongs to them",
  input: (z) =>
    z.strictObject({
      ...choiceFields(z),
      out: z.string().min(1).describe("the file to write, .tar.gz"),
      ...fileFields(z),
    }),
  output: (z) =>
    z.object({
      path: written(z),
      sessions: z.array(namedSession(z)),
      gone: gone(z),
      losses: losses(z),
      redactions: redactions(z),
    }),
  run: (app, { sessions: names = [], out, force = false, ...where }, call) =>
    app.exportBundle({ names, where, out, force, madeBy: `rethread ${VERSION}` }, call),
  toJson: toBundledJson,
});

export const TRANSCRIPT_FORMATS = ["copilot", "vscode"] as const;

const transcriptFields = (z: Zod) => ({
  ...choiceFields(z),
  format: z.enum(TRANSCRIPT_FORMATS).describe("the program that can import it"),
  ...fileFields(z),
  ...redactFields(z),
  ...reductionFields(z),
  summarize: z
    .boolean()
    .exactOptional()
    .describe("with `dropOldest` or `budget`: replace the turns that are left out by a summary"),
});

const transcriptInput = (z: Zod) => z.strictObject(transcriptFields(z));

export const exportTranscripts = (
  app: App,
  {
    sessions: names = [],
    format,
    force = false,
    redact = false,
    tools,
    dropThinking,
    dropOldest,
    budget,
    summarize,
    ...where
  }: Described<typeof transcriptInput>,
  { out, write = () => undefined }: Target,
  call?: Call,
) =>
  app.exportTranscript(
    {
      names,
      where,
      format,
      force,
      redact,
      write,
      ...(out !== undefined && { out }),
      reduction: {
        ...(tools !== undefined && { tools }),
        ...(dropThinking && { dropThinking }),
        ...(dropOldest !== undefined && { dropOldest }),
        ...(budget !== undefined && { budget }),
        ...(summarize && { summarize }),
      },
    },
    call,
  );

export const exportTranscript = defineOperation({
  name: "export-transcript",
  kind: "change",
  summary: "Write one session, or a smaller copy, in a form that Copilot CLI or VS Code itself imports",
  input: (z) =>
    z.strictObject({ ...transcriptFields(z), out: z.string().min(1).describe("the file to write") }),
  output: (z) =>
    z.object({
      path: written(z),
      sessions: z.array(namedSession(z)),
      gone: gone(z),
      losses: losses(z),
      redactions: redactions(z),
      stats: statsFields(z).describe("what a smaller copy has of the session; null of a whole one"),
      ...ledgerFields(z),
    }),
  run: (app, { out, ...input }, call) => exportTranscripts(app, input, { out }, call),
  toJson: toTranscribedJson,
});

export async function loadFormat(
  format: TextFormat,
  full: boolean,
  home: Pick<App, "demo">,
): Promise<ExportFormat> {
  const common = { extension: format, isJoined: format === "jsonl" };
  switch (format) {
    case "md": {
      const [{ markdownPage }, { markdownIndex }] = await Promise.all([
        import("../../present/markdown/page.ts"),
        import("../../present/html/export-index.ts"),
      ]);
      return {
        ...common,
        page: (write) => markdownPage(write, { full, thinking: full }),
        index: markdownIndex,
      };
    }
    case "html": {
      const [{ htmlPage }, { htmlIndex }] = await Promise.all([
        import("../../present/html/page.ts"),
        import("../../present/html/export-index.ts"),
      ]);
      return { ...common, page: htmlPage, index: htmlIndex };
    }
    case "json": {
      const { jsonPage } = await import("../../present/json/page.ts");
      return { ...common, page: (write) => jsonPage(write, home) };
    }
    case "jsonl": {
      const { jsonlPage } = await import("../../present/json/lines-page.ts");
      return { ...common, page: (write) => jsonlPage(write, home) };
    }
  }
}
