/** Addresses that machines use: push, compare, fetch one's own files, and delete. */
import {
  deleteSession,
  LARGEST_PUSH,
  ownSessions,
  PUSH_MEDIA,
  rawFrames,
  receiveFrame,
  sessionStates,
} from "../../app/hub/receiving.ts";
import { AppError } from "../../model/errors.ts";
import type { Schema, Zod } from "../../operations/operation.ts";
import { readInput } from "../../operations/outside-input.ts";
import { readBody } from "../../platform/http/bodies.ts";
import { answerJson } from "../endpoint.ts";
import { streamed } from "../streamed.ts";
import type { HubEndpoint } from "./endpoint.ts";

const fileState = (z: Zod) =>
  z.object({
    path: z.string().describe("below the source's root, with slashes"),
    generation: z.int().describe("-1 where nothing of it is complete yet"),
    size: z.int(),
    sha256: z.string().describe("of all its bytes, in hex"),
    removed: z.boolean(),
    next: z
      .object({ generation: z.int(), size: z.int(), sha256: z.string() })
      .exactOptional()
      .describe("what was sent with `more` and is not complete"),
  });

const sessionState = (z: Zod) => ({
  source: z.string(),
  id: z.string().describe("the agent's own id"),
  session: z.string().describe("the hub's id: `source:id@machine`"),
  isSealed: z.boolean().describe("the hub cannot read it"),
  files: z.array(fileState(z)),
});

const machine = (z: Zod) => z.object({ id: z.string(), name: z.string() });

const pushed: Schema = (z) =>
  z.object({
    created: z.boolean().describe("the hub had no such session of this machine"),
    events: z.int().describe("records that are new"),
    backfill: z.enum(["queued", "failed", "none"]).describe("whether derived rows will be made"),
    files: z.array(fileState(z)),
  });

const stateInput = (z: Zod) =>
  z.object({
    machine: z.string().max(64),
    sessions: z.array(z.object({ source: z.string().max(64), id: z.string().max(1024) })).max(10_000),
  });

const deleteInput = (z: Zod) =>
  z.object({
    session: z.string().min(1).max(2048),
    isForGood: z.boolean().exactOptional().describe("the machine that has it is told not to send it again"),
  });

const rawInput = (z: Zod) => z.object({ session: z.string().min(1).max(2048) });

/** A list of sessions is longer than other inputs. */
const LARGEST_STATE = 4 << 20;

export const syncEndpoints = (z: Zod): readonly HubEndpoint[] => [
  {
    method: "POST",
    path: "/api/hub/push",
    summary: "Store pieces of a session's files, each once; all of the request, or nothing of it",
    needs: "push",
    parameters: [],
    body: PUSH_MEDIA,
    mostBytes: LARGEST_PUSH,
    output: pushed,
    async answer({ body, headers, caller: { who } }, { hub: { db }, gates, meter }) {
      if (headers.get("content-type") !== PUSH_MEDIA)
        throw new AppError("media-not-supported", "The body is not declared as a push", `Send ${PUSH_MEDIA}`);
      const length = Number(headers.get("content-length") ?? LARGEST_PUSH);
      // Nothing of a body is read before there is room for it.
      return gates.bytes.during(who.account, length, async () => {
        const frame = await readBody(body, LARGEST_PUSH);
        const answer = await gates.pushes.during(who.account, 1, () => receiveFrame(db, who, frame));
        meter.pushed({ ...answer, bytes: frame.length });
        return answerJson({ ...answer });
      });
    },
  },
  {
    method: "POST",
    path: "/api/hub/state",
    summary: "Say what the hub has of some sessions of a machine",
    needs: "push",
    parameters: [],
    body: stateInput,
    mostBytes: LARGEST_STATE,
    output: (z) =>
      z.object({
        sessions: z.array(z.object(sessionState(z))).describe("those that it has"),
        deleted: z
          .array(
            z.object({
              source: z.string(),
              id: z.string(),
              deletion: z.string().describe("to be named by a push that sends the session after all"),
            }),
          )
          .describe("those that were deleted for good"),
      }),
    async answer(request, { hub: { db } }) {
      const { machine: id, sessions } = readInput(stateInput(z), { name: "state" }, await request.json());
      return answerJson({ ...(await sessionStates(db, request.caller.who, id, sessions)) });
    },
  },
  {
    method: "GET",
    path: "/api/hub/own",
    summary: "List one's own sessions, of all machines",
    needs: "push",
    parameters: [],
    output: (z) =>
      z.object({
        sessions: z.array(
          z.object({
            ...sessionState(z),
            machine: machine(z),
            facts: z.looseObject({}).describe("what the machine told of it"),
            updatedAt: z.string().exactOptional(),
            turns: z.int(),
          }),
        ),
      }),
    answer: async ({ caller: { who } }, { hub: { db } }) =>
      answerJson({ sessions: await ownSessions(db, who) }),
  },
  {
    method: "GET",
    path: "/api/hub/raw",
    summary: "Send the files of one of one's own sessions as they were pushed",
    needs: "push",
    parameters: [
      {
        name: "session",
        in: "query",
        isRequired: true,
        schema: (z) => z.string().describe("the hub's id"),
      },
    ],
    media: PUSH_MEDIA,
    async answer({ query, caller: { who }, signal }, { hub: { db } }) {
      const { session } = readInput(rawInput(z), { name: "raw" }, { session: query.get("session") ?? "" });
      return streamed(rawFrames(db, who, session), PUSH_MEDIA, signal);
    },
  },
  {
    method: "POST",
    path: "/api/hub/delete",
    summary: "Remove one of one's own sessions for good: its files, and what was made of them",
    needs: "push",
    parameters: [],
    body: deleteInput,
    output: (z) =>
      z.object({
        rawFiles: z.int(),
        rawEvents: z.int(),
        rows: z.int().describe("derived rows, that of the session included"),
      }),
    async answer(request, { hub: { db } }) {
      const { session, ...how } = readInput(deleteInput(z), { name: "delete" }, await request.json());
      return answerJson({ ...(await deleteSession(db, request.caller.who, session, how)) });
    },
  },
];
