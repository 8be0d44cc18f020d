/** Who wrote the lines of this file, and which files did sessions change? */
import { PROMPT_GIST, toBlameJson, toFilesJson } from "../../present/json/blame.ts";
import { defineOperation } from "../operation.ts";

const lineNumber = "counted from 1";

export const blame = defineOperation({
  name: "blame",
  kind: "question",
  summary: "Tell which session, turn and prompt last wrote each line of a file, or else which commit",
  input: (z) =>
    z.strictObject({
      file: z
        .string()
        .min(1)
        .max(4096)
        .describe(
          "its absolute path; in a folder that sessions are about, neither ignored by git nor one for secrets",
        ),
      line: z.int().min(1).exactOptional().describe(`only this line, or the first of several; ${lineNumber}`),
      to: z.int().min(1).exactOptional().describe("the last one (default: only `line`)"),
      why: z
        .boolean()
        .exactOptional()
        .describe("true tells why the one line was written: `why` in the answer"),
      brief: z
        .boolean()
        .exactOptional()
        .describe(
          "true tells the prompt of lines that follow each other and came in one turn only with the first",
        ),
      here: z.string().exactOptional().meta({
        description:
          "the folder of the person who asks: relative paths start there, and any file may be read",
        isLocal: true,
      }),
    }),
  output: (z) =>
    z.object({
      file: z.string().describe("its path, without symbolic links"),
      lines: z.array(
        z.object({
          line: z.int().describe(lineNumber),
          text: z.string(),
          session: z
            .object({ source: z.string(), id: z.string(), title: z.string() })
            .nullable()
            .describe("the session that last wrote the line; `null` where no session did"),
          turn: z.int().nullable().describe("its turn, counted from 0"),
          time: z
            .string()
            .nullable()
            .describe("when it wrote; without a session, when it was committed (ISO 8601)"),
          prompt: z.string().nullable().describe(`of the turn; its first ${PROMPT_GIST} characters`),
          commit: z
            .string()
            .nullable()
            .describe("that last changed the line; `null` while it is not committed, or without `hasGit`"),
        }),
      ),
      total: z.int().describe("how many lines the file has"),
      commits: z
        .array(z.object({ commit: z.string(), author: z.string(), time: z.string(), summary: z.string() }))
        .describe("those that the lines name"),
      why: z
        .object({
          prompt: z.string(),
          reasons: z
            .array(z.object({ kind: z.enum(["thinking", "text"]), text: z.string() }))
            .describe("what the agent thought and said in that turn before it wrote the line"),
          tool: z.string().nullable().describe("that wrote it"),
        })
        .nullable()
        .describe("with `why`, of a line that a session wrote"),
      hasGit: z
        .boolean()
        .describe(
          "the file is in a repository, and git answered: only then a line without `commit` is not committed",
        ),
      gitTrouble: z
        .string()
        .nullable()
        .describe("why git could not be asked; then lines may be committed although `commit` is `null`"),
      unread: z.int().describe("how many sessions changed the file and cannot be read"),
      leftOut: z
        .int()
        .describe(
          "how many older changes did not fit in memory; only for files that are rewritten very often",
        ),
    }),
  run: (app, { line, to = line, ...request }, call = {}) =>
    app.blame(
      { ...request, ...(line !== undefined && { from: line }), ...(to !== undefined && { to }) },
      call,
    ),
  toJson: toBlameJson,
});

export const files = defineOperation({
  name: "files",
  kind: "question",
  summary: "List the files that sessions changed, the latest first",
  input: (z) =>
    z.strictObject({
      text: z.string().max(1000).exactOptional().describe("only paths that contain this, in any case"),
      folder: z.string().exactOptional().describe("only files in this folder or below it"),
      limit: z.int().min(1).max(1000).exactOptional().describe("at most this many (default: 200)"),
    }),
  output: (z) =>
    z.object({
      files: z.array(
        z.object({
          path: z.string(),
          workspace: z.string().nullable().describe("the folder of a session that changed it"),
          sessionCount: z.int().describe("how many sessions changed it"),
          lastAt: z.string().nullable().describe("when the latest of them first did (ISO 8601)"),
          exists: z.boolean().describe("false for a file that is gone"),
        }),
      ),
    }),
  run: (app, input, call = {}) => app.files(input, call),
  toJson: toFilesJson,
});
