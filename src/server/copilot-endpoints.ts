/** Cloning VS Code chats by the contract of an earlier program: its fields, its messages and its codes. */
import type * as zod from "zod";
import type { App, Call } from "../app/contract.ts";
import { AppError, type ErrorCode } from "../model/errors.ts";
import { apply } from "../operations/changes/apply.ts";
import { clone } from "../operations/changes/clone.ts";
import type { Described, Operation, Schema, Zod } from "../operations/operation.ts";
import { context } from "../operations/questions/context.ts";
import { exportTranscript } from "../operations/questions/export.ts";
import { workspaces } from "../operations/questions/workspaces.ts";
import { readBackFile } from "../platform/http/bodies.ts";
import { toFailure } from "../present/failure.ts";
import type { ApiRequest, Endpoint, ServerParts } from "./endpoint.ts";
import type { Lane } from "./workers/workers.ts";

const requestSchema = (z: Zod) =>
  z.object({
    sessionId: z.guid("Invalid session ID format"),
    workspaceHash: z.string("Workspace hash required").min(1, "Workspace hash required"),
    options: z
      .object({
        removeToolCalls: z.boolean().optional(),
        compressPercent: z
          .number()
          .min(0)
          .max(100)
          .refine((percent) => percent < 100, "At least one turn must stay: compressPercent is below 100")
          .optional()
          .describe("of the oldest turns to leave out"),
        writeToDisk: z.boolean().default(true),
        targetWorkspaceHash: z.string().optional().describe("the same workspace without it"),
      })
      .optional(),
  });

const stats = (z: Zod) =>
  z.object({
    originalTurns: z.number(),
    clonedTurns: z.number(),
    removedTurns: z.number(),
    originalTokens: z.number(),
    clonedTokens: z.number(),
    removedTokens: z.number(),
    compressionRatio: z.number().describe("the share that was removed, in percent"),
  });
type Stats = zod.output<ReturnType<typeof stats>>;

const answerSchema = (z: Zod) =>
  z.object({
    success: z.literal(true),
    session: z
      .looseObject({ sessionId: z.string(), customTitle: z.string().optional() })
      .describe("with `writeToDisk: false` the whole chat, as VS Code imports it"),
    stats: stats(z),
    sessionPath: z.string().optional(),
    backupPath: z.string().optional(),
    writtenToDisk: z.boolean(),
  });

const CODES = [
  "VALIDATION_ERROR",
  "NOT_FOUND",
  "READ_ONLY",
  "VSCODE_LOCKED",
  "CLONE_ERROR",
  "LIST_ERROR",
] as const;
type Code = (typeof CODES)[number];

const errorSchema: Schema = (z) =>
  z.object({ error: z.object({ message: z.string(), code: z.enum(CODES) }) });

const plainJson = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
  });

const failed = (status: number, code: Code, message: string): Response =>
  plainJson({ error: { message, code } }, status);

class NotFound extends Error {}

export function copilotEndpoints(z: Zod): Endpoint[] {
  const schema = requestSchema(z);
  return [
    {
      method: "POST",
      path: "/api/copilot/clone",
      summary: "Clone a VS Code chat, whole or smaller, into its own workspace or another",
      // What it only computes, a server that only reads may compute.
      effect: "plans",
      operation: "clone",
      parameters: [],
      body: requestSchema,
      output: answerSchema,
      errors: errorSchema,
      failures: {
        400: "`VALIDATION_ERROR`",
        403: "`READ_ONLY`, for a server that was started with --read-only",
        404: "`NOT_FOUND`: no such session in that workspace, or no such target",
        409: "`VSCODE_LOCKED`: VS Code is running and would overwrite it",
        500: "`CLONE_ERROR`",
      },
      async answer(request, parts) {
        const asked = schema.safeParse(await bodyOf(request));
        if (!asked.success)
          return failed(400, "VALIDATION_ERROR", asked.error.issues[0]?.message ?? "Invalid request");
        const { writeToDisk = true } = asked.data.options ?? {};
        if (writeToDisk && parts.isReadOnly)
          return failed(403, "READ_ONLY", "This server only reads, and changes nothing");
        try {
          return plainJson(await cloneChat(asked.data, parts));
        } catch (error) {
          return failureOf(error);
        }
      },
    },
    {
      method: "GET",
      path: "/api/copilot/workspaces",
      summary: "List the workspaces that a VS Code chat can be cloned into",
      effect: "reads",
      operation: "workspaces",
      parameters: [],
      output: (zz) =>
        zz.object({
          workspaces: zz.array(
            zz.object({
              folder: zz.string().describe("VS Code's id of it, the `workspaceHash`"),
              path: zz.string().describe("of the folder or .code-workspace file that it is about"),
            }),
          ),
        }),
      errors: errorSchema,
      failures: { 500: "`LIST_ERROR`" },
      async answer({ signal }, parts) {
        try {
          return plainJson({ workspaces: await workspacesOf(parts.app, { signal }) });
        } catch {
          return failed(500, "LIST_ERROR", "Failed to list workspaces");
        }
      },
    },
  ];
}

/** What is no JSON is as invalid as what has the wrong fields. */
async function bodyOf(request: ApiRequest): Promise<unknown> {
  try {
    return await request.json();
  } catch (error) {
    if (error instanceof AppError && error.code === "usage") return undefined;
    throw error;
  }
}

const LOCKED: ReadonlySet<ErrorCode> = new Set(["vscode-running", "agent-running", "session-busy"]);
const MISSING: ReadonlySet<ErrorCode> = new Set(["session-not-found", "session-gone", "nothing-found"]);

function failureOf(error: unknown): Response {
  if (error instanceof NotFound) return failed(404, "NOT_FOUND", error.message);
  const { code } = toFailure(error);
  if (MISSING.has(code)) return failed(404, "NOT_FOUND", "Session not found");
  if (LOCKED.has(code))
    return failed(
      409,
      "VSCODE_LOCKED",
      "Cannot write to VS Code database - please close VS Code and try again",
    );
  return failed(500, "CLONE_ERROR", "Clone operation failed");
}

type Asked = zod.output<ReturnType<typeof requestSchema>>;
type Cloned = zod.output<ReturnType<typeof answerSchema>>;

async function cloneChat({ sessionId, workspaceHash, options }: Asked, parts: ServerParts): Promise<Cloned> {
  const { app } = parts;
  const session = `vscode:${sessionId.toLowerCase()}`;
  const original = await app.outline(session);
  if (!original.session.path.split(/[\\/]/).includes(workspaceHash)) throw new NotFound("Session not found");
  const { removeToolCalls, compressPercent = 0, writeToDisk = true, targetWorkspaceHash } = options ?? {};
  const target = targetWorkspaceHash || workspaceHash;
  if (target !== workspaceHash) {
    const known = await workspacesOf(app);
    if (!known.some(({ folder }) => folder === target)) throw new NotFound("Target workspace not found");
  }
  const reduction = {
    ...(removeToolCalls && { tools: "drop" as const }),
    ...(compressPercent > 0 && { dropOldest: { percent: compressPercent } }),
  };
  const whole = async (): Promise<Stats> =>
    unreduced(original.turns.length, (await ask(parts, "lens", context, { session })).tokens);
  if (!writeToDisk) {
    const { answer, text } = await readBackFile("chat.json", (out) =>
      ask(parts, "questions", exportTranscript, { sessions: [session], format: "vscode", out, ...reduction }),
    );
    return {
      success: true,
      session: {
        ...(JSON.parse(text) as object),
        sessionId: crypto.randomUUID(),
        customTitle: `${original.session.title} (clone)`,
      },
      stats: answer.stats ?? (await whole()),
      writtenToDisk: false,
    };
  }
  const to = target === workspaceHash ? {} : { to: target };
  const { fingerprint } = await ask(parts, "changes", clone, { session, ...reduction, ...to });
  const done = await parts.writing(() => ask(parts, "changes", apply, { fingerprint }));
  const { operation, session: made, stats: counted, sessionPath, backupPath } = done;
  parts.events.publish("write-done", { operation, kind: "clone" });
  const id = made?.id ?? "";
  return {
    success: true,
    session: { sessionId: id, customTitle: (await app.outline(`vscode:${id}`)).session.title },
    stats: counted ?? (await whole()),
    ...(sessionPath !== null && { sessionPath }),
    ...(backupPath !== null && { backupPath }),
    writtenToDisk: true,
  };
}

/** What a worker answers, as the operation declares it. */
async function ask<I extends Schema, O extends Schema, A>(
  { workers }: ServerParts,
  lane: Lane,
  { name }: Operation<I, O, A>,
  input: Described<I>,
): Promise<Described<O>> {
  return JSON.parse((await workers.ask(lane, name, input)).join(""));
}

const unreduced = (turns: number, tokens: number): Stats => ({
  originalTurns: turns,
  clonedTurns: turns,
  removedTurns: 0,
  originalTokens: tokens,
  clonedTokens: tokens,
  removedTokens: 0,
  compressionRatio: 0,
});

async function workspacesOf(app: App, call: Call = {}): Promise<{ folder: string; path: string }[]> {
  const found = await workspaces.run(app, { sources: ["vscode"] }, call);
  return workspaces
    .toJson(found, app)
    .workspaces.flatMap(({ id, folder }) =>
      id === null || folder === null ? [] : [{ folder: id, path: folder }],
    );
}
