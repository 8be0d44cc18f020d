/** What machines ask a hub: they push, compare, fetch their own files and delete. */
import type { HubDatabase } from "../../hub/database/connect.ts";
import type { Credentials } from "../../hub/database/credentials.ts";
import { decodePush, encodeFrame } from "../../hub/ingest/frame.ts";
import { readRawFiles } from "../../hub/ingest/raw.ts";
import { receivePush } from "../../hub/ingest/receive.ts";
import type { PushAnswer } from "../../hub/protocol.ts";

export { deleteSession } from "../../hub/ingest/delete.ts";
export { ownSessions, sessionStates } from "../../hub/ingest/state.ts";
export { LARGEST_PUSH, PUSH_MEDIA, type PushAnswer } from "../../hub/protocol.ts";

/** A push as it came over the wire. */
export async function receiveFrame(
  db: HubDatabase,
  who: Credentials,
  frame: Uint8Array,
): Promise<PushAnswer> {
  const { header, bodies } = decodePush(frame);
  return receivePush(db, who, header, bodies);
}

/** The raw files of a session, each as one or more frames, one behind the other. */
export async function* rawFrames(
  db: HubDatabase,
  who: Credentials,
  session: string,
): AsyncGenerator<Uint8Array> {
  for await (const { file, bodies } of readRawFiles(db, who, session)) {
    const pieces = bodies.map(({ start, bytes }) => ({ start, bytes }));
    yield encodeFrame(
      { file, pieces },
      bodies.map(({ body }) => body),
    );
  }
}
