/** What a hub may answer: whatever else comes is from something that is no hub, or from one of another version. */
import * as z from "zod/mini";
import type { OwnSession, PushAnswer, SessionStates } from "../protocol.ts";
import type { Deletion, HubMe, HubShare } from "./hub-client.ts";

/** Nothing where it has another shape. */
export type Read<T> = (answer: unknown) => T | undefined;

const readAs =
  <T>(shape: z.ZodMiniType<T>): Read<T> =>
  (answer) =>
    shape.safeParse(answer).data;

const count = z.int().check(z.minimum(0));
const text = z.exactOptional(z.string());
const machine = z.object({ id: z.string(), name: z.string() });

const fileState = z.object({
  path: z.string(),
  generation: z.int(),
  size: count,
  sha256: z.string(),
  removed: z.boolean(),
  next: z.exactOptional(z.object({ generation: z.int(), size: count, sha256: z.string() })),
});

const sessionState = {
  source: z.string(),
  id: z.string(),
  session: z.string(),
  isSealed: z.boolean(),
  files: z.array(fileState),
};

export const readMe: Read<HubMe> = readAs(
  z.object({
    user: z.string(),
    scopes: z.array(z.string()),
    teams: z.array(z.object({ name: z.string() })),
    machines: z.array(machine),
  }),
);

/** Hubs of older versions do not tell of deleted sessions. */
export const readStates: Read<SessionStates> = readAs(
  z.object({
    sessions: z.array(z.object(sessionState)),
    deleted: z._default(
      z.array(z.object({ source: z.string(), id: z.string(), deletion: z.exactOptional(z.string()) })),
      [],
    ),
  }),
);

export const readPushed: Read<PushAnswer> = readAs(
  z.object({
    created: z.boolean(),
    events: count,
    backfill: z.enum(["queued", "failed", "none"]),
    files: z.array(fileState),
  }),
);

export const readOwn: Read<{ readonly sessions: readonly OwnSession[] }> = readAs(
  z.object({
    sessions: z.array(
      z.object({
        ...sessionState,
        machine,
        facts: z.object({
          ...{ title: text, workspace: text, repository: text, branch: text, vanishedAt: text },
          repositoryEvidence: z.exactOptional(z.enum(["session", "folder"])),
        }),
        updatedAt: text,
        turns: count,
      }),
    ),
  }),
);

export const readDeletion: Read<Deletion> = readAs(
  z.object({ rawFiles: count, rawEvents: count, rows: count }),
);

const named = z.pipe(
  z.nullable(z.string()),
  z.transform((name) => name ?? undefined),
);
const share = z.pipe(
  z.object({
    ...{ id: z.string(), team: z.string(), repository: named, session: named },
    ...{ sharedAt: z.string(), sessionCount: count },
  }),
  z.transform(({ repository, session, ...rest }) => ({
    ...rest,
    ...(repository !== undefined && { repository }),
    ...(session !== undefined && { session }),
  })),
);

export const readShares: Read<{ readonly shares: readonly HubShare[] }> = readAs(
  z.object({ shares: z.array(share) }),
);

export const readShared: Read<{ readonly share: HubShare; readonly changed: number }> = readAs(
  z.object({ share, changed: count }),
);

export const readUnshared: Read<{ readonly changed: number }> = readAs(z.object({ changed: count }));

/** Of a frame of raw files. */
export const readRawHeader = readAs(
  z.object({
    file: z.object({
      ...fileState.shape,
      mode: z.int().check(z.minimum(0), z.maximum(0o7777)),
      mtimeMs: z.number(),
    }),
    pieces: z.array(z.object({ start: count, bytes: count })),
    bodies: z.array(count),
  }),
);

export const readObject: Read<Readonly<Record<string, unknown>>> = readAs(z.record(z.string(), z.unknown()));
