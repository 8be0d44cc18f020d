/** A log that an event writer keeps in memory, while the clock stands still, and what is in it. */
import { afterEach, beforeEach, expect, vi } from "vitest";
import { createMemoryFs, type MemoryFs } from "../src/platform/fs/memory.ts";
import type { SessionFs } from "../src/platform/fs/session-fs.ts";
import type {
  EventWriter,
  EventWriterOptions,
  WriteFailure,
} from "../src/sources/copilot-cli/event-writer/contract.ts";
import type { NewEvent } from "../src/sources/copilot-cli/event-writer/event.ts";
import { createEventWriter } from "../src/sources/copilot-cli/event-writer/writer.ts";

export const FOLDER = "/app/sessions/one";
export const PATH = `${FOLDER}/events.jsonl`;
export const say = (content: string): NewEvent => ({ type: "user.message", data: { content } });

interface LogRecord {
  readonly type: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly data: { readonly content?: string };
}

export interface EventLog {
  memory: MemoryFs;
  /** What the writer told of attempts that failed. */
  failures: WriteFailure[];
  open(fs?: SessionFs, more?: Partial<EventWriterOptions>): Promise<EventWriter>;
  text(): string;
  records(): LogRecord[];
  /** What was said, or the types of what is no message. */
  contents(): string[];
  /** Every line hangs on the one before it. */
  expectChain(): void;
}

/** A fresh one for every test of the file. */
export function eventLog(): EventLog {
  const log: EventLog = {
    memory: createMemoryFs(),
    failures: [],
    open: (fs = log.memory, more = {}) =>
      createEventWriter({ fs, folder: FOLDER, onFailure: (failure) => log.failures.push(failure), ...more }),
    text: () => log.memory.files.get(PATH)?.bytes.toString() ?? "",
    records: () =>
      log
        .text()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
    contents: () => log.records().map(({ data, type }) => data.content ?? type),
    expectChain() {
      const records = log.records();
      const before = [null, ...records.slice(0, -1).map(({ id }) => id)];
      expect(records.map(({ parentId }) => parentId)).toEqual(before);
    },
  };
  beforeEach(() => {
    vi.useFakeTimers();
    log.memory = createMemoryFs();
    log.failures = [];
  });
  afterEach(() => vi.useRealTimers());
  return log;
}
