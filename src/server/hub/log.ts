/** What a hub writes down while it runs: a line for each request and each event, without tokens, questions or texts. */
import { AppError } from "../../model/errors.ts";
import type { Answered } from "../router.ts";

export type LogFormat = "text" | "json" | "off";

export interface HubLog {
  request(answered: Answered): void;
  event(level: "info" | "warn" | "error", event: string, message: string): void;
}

export interface LogOptions {
  readonly format: LogFormat;
  now(): Date;
  write(line: string): void;
}

/** The same message is not repeated before that. */
const SAME_MS = 30_000;
const MOST_KNOWN = 200;

export function createHubLog({ format, now, write }: LogOptions): HubLog {
  const known = new Map<string, number>();
  const isRepeated = (message: string): boolean => {
    const at = now().getTime();
    const before = known.get(message);
    if (before !== undefined && at - before < SAME_MS) return true;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(message, at);
    return false;
  };
  if (format === "off") return { request: () => undefined, event: () => undefined };
  return {
    request({ method, route, status, code, startedAt, remote, user }) {
      const time = now().toISOString();
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      const level = status >= 500 ? "error" : "info";
      write(
        format === "json"
          ? JSON.stringify({ time, level, event: "request", method, route, status, ms, code, user, remote })
          : [time, method, route ?? "-", status, code, `${ms} ms`, user].filter(isSaid).join(" "),
      );
    },
    event(level, event, message) {
      if (isRepeated(`${event} ${message}`)) return;
      const time = now().toISOString();
      write(
        format === "json"
          ? JSON.stringify({ time, level, event, message })
          : [time, level, event, oneLine(message)].filter(isSaid).join(" "),
      );
    },
  };
}

const isSaid = (part: unknown): boolean => part !== undefined && part !== "";

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ");

/** What the parser of JSON says quotes what it read, which may be somebody's words. */
export function wordsOf(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  if (error instanceof SyntaxError) return error.name;
  if (typeof error === "string") return error;
  // Those of the queue are no errors by their class.
  const {
    name = "Error",
    code,
    message = "without words",
  } = (error ?? {}) as Partial<Error & { code: string }>;
  return `${name}${code === undefined ? "" : ` ${code}`}: ${message}`;
}
