/** Requests to a hub in tests, sent exactly as they are written. */
import { encodePush } from "../../src/hub/ingest/frame.ts";
import { PUSH_MEDIA } from "../../src/hub/protocol.ts";
import { type Answered, type Ask, send } from "../server/test-server.ts";
import { type FilePart, type Push, pushOf } from "./pushing.ts";

export interface Asking {
  ask(path: string, ask?: Ask, token?: string): Promise<Answered>;
  post(path: string, body: unknown, headers?: Record<string, string>, token?: string): Promise<Answered>;
  push(push: Push, token: string, headers?: Record<string, string>): Promise<Answered>;
}

const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** `port` is asked each time, as a server may come back on another one. */
export function askingAt(port: () => number): Asking {
  const ask: Asking["ask"] = (path, { headers = {}, ...rest } = {}, token) =>
    send(port(), path, { ...rest, headers: { ...bearer(token), ...headers } });
  return {
    ask,
    post: (path, body, headers = {}, token) =>
      ask(
        path,
        {
          method: "POST",
          body: JSON.stringify(body),
          headers: { "content-type": "application/json", ...headers },
        },
        token,
      ),
    push: (push, token, headers = {}) =>
      ask(
        "/api/hub/push",
        { method: "POST", body: frameOf(push), headers: { "content-type": PUSH_MEDIA, ...headers } },
        token,
      ),
  };
}

export const frameOf = ({ header, bodies }: Push): Uint8Array => encodePush(header, bodies);

/** One session with a log of some lines. */
export const sessionOf = (id: string, lines: readonly string[], more: Partial<FilePart> = {}): Push =>
  pushOf([{ path: `session-state/${id}/events.jsonl`, texts: [`${lines.join("\n")}\n`], ...more }], { id });
