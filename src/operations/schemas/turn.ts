/** Turns and their parts as answers have them. */
import type * as zod from "zod";
import { APPROVALS, NOTE_TOPICS } from "../../model/session/session.ts";
import type { Part } from "../../model/session/turns.ts";
import type { Zod } from "../operation.ts";

const origin = (z: Zod) =>
  z
    .object({
      file: z.string().exactOptional().describe("where it is not the session's own file"),
      line: z.int().describe("from 1"),
      start: z.int(),
      end: z.int(),
      at: z
        .array(z.union([z.string(), z.number()]))
        .exactOptional()
        .describe("the path of keys inside of the record"),
    })
    .describe("its record in the log, in bytes");

const image = (z: Zod) =>
  z
    .object({
      id: z
        .string()
        .exactOptional()
        .describe("for `image`; missing where the session names the image and does not hold it"),
      name: z.string().exactOptional(),
      type: z.string().exactOptional().describe("the media type as its program noted it"),
    })
    .describe("of an image");

/** The parts of a turn, in order. A sub-agent's are below the call that started it. */
export const parts = (z: Zod): zod.ZodType<Part[]> => {
  const base = { origin: origin(z) };
  const cut = { cut: z.int().exactOptional() };
  const all: zod.ZodType<Part[]> = z.lazy(() =>
    z.array(
      z.discriminatedUnion("kind", [
        z.object({
          kind: z.literal("text"),
          text: z.string(),
          ...base,
          model: z.string().exactOptional(),
          ...cut,
        }),
        z.object({ kind: z.literal("thinking"), text: z.string(), ...base, ...cut }),
        z.object({
          kind: z.literal("tool"),
          callId: z.string(),
          name: z.string(),
          input: z.unknown(),
          label: z.string().exactOptional(),
          provider: z
            .object({ kind: z.string(), name: z.string() })
            .exactOptional()
            .describe("where the tool comes from: the program, an extension, an MCP server"),
          approval: z.enum(APPROVALS).exactOptional(),
          act: act(z).exactOptional(),
          status: z.enum(["ok", "failed", "interrupted", "pending"]),
          result: z.string().exactOptional(),
          ...cut,
          resultSize: z.int().exactOptional(),
          facts: z
            .object({
              lines: z.int(),
              passed: z.int().exactOptional().describe("tests, where the result ends with their numbers"),
              failed: z.int().exactOptional(),
            })
            .exactOptional()
            .describe("of the whole result, where `result` is only its beginning"),
          exitCode: z.int().exactOptional().describe("of a command"),
          durationMs: z
            .number()
            .exactOptional()
            .describe("of the tool, where its program noted start and end"),
          images: z.array(image(z)).exactOptional().describe("images among what the tool gave back"),
          ...base,
          resultOrigin: origin(z).exactOptional(),
          children: all.exactOptional(),
        }),
        z.object({
          kind: z.literal("edit"),
          path: z.string(),
          added: z.int().exactOptional(),
          removed: z.int().exactOptional(),
          ...base,
        }),
        z.object({
          kind: z.literal("checkpoint"),
          summary: z.string(),
          title: z.string().exactOptional(),
          number: z.int().exactOptional(),
          ...base,
        }),
        z.object({ kind: z.literal("clear"), ...base }),
        z.object({
          kind: z.literal("notice"),
          level: z.enum(["info", "warning", "error"]),
          text: z.string(),
          ...base,
        }),
        z.object({
          kind: z.literal("note"),
          about: z.enum(NOTE_TOPICS),
          items: z.array(
            z.object({
              text: z.string(),
              path: z.string().exactOptional(),
              detail: z.string().exactOptional(),
              status: z.enum(["open", "active", "done"]).exactOptional().describe("of a task"),
            }),
          ),
          ...base,
        }),
      ]),
    ),
  );
  return all;
};

const act = (z: Zod) =>
  z.object({
    does: z.enum(["run", "read", "search", "create", "edit", "delete", "fetch", "delegate"]),
    paths: z.array(z.string()).exactOptional(),
    command: z.string().exactOptional(),
  });

export const turn = (z: Zod) =>
  z.object({
    index: z.int().describe("from 0"),
    user: z.string(),
    assistant: z.string(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    attachments: z.array(
      z.object({
        kind: z.string(),
        name: z.string(),
        path: z.string().exactOptional(),
        image: image(z).exactOptional(),
      }),
    ),
    parts: parts(z).describe(
      "in order; `kind`: `text`, `thinking`, `tool`, `edit`, `checkpoint`, `clear`, `notice`, `note` (`about` tasks, references, citations, followups, details of the answer, or the agent); each with its `origin` in the log, and with `cut` when bytes of a very large record were left out; --full keeps them",
    ),
    cut: z.int().exactOptional().describe("bytes of a very large prompt that were left out"),
    origin: origin(z),
  });
