import { afterEach, expect, it, vi } from "vitest";
import type { App, WatchReport } from "../app/contract.ts";
import { AppError } from "../model/errors.ts";
import { pause } from "../platform/process/background.ts";
import { createEventHub } from "./event-hub.ts";
import { type Live, startLive } from "./live.ts";

const REPORT = { sessions: { added: [], changed: [], vanished: [] } } as unknown as WatchReport;
const somebody = new AbortController().signal;

afterEach(() => void vi.useRealTimers());

/** Nothing can be read before the watch does. */
const busy = async (): Promise<void> => {
  throw new AppError("store-busy", "Another process writes", "Wait");
};

interface Watched {
  readonly live: Live;
  /** The look of the watch goes well, or fails. */
  look(error?: Error): void;
  readonly notes: string[];
  /** Another file has taken the place of the store, or none. */
  replaceStore(identity: number | undefined): void;
  /** How often the watch has begun. */
  watches(): number;
}

async function start(refresh: App["refresh"] = busy): Promise<Watched> {
  const looking = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const notes: string[] = [];
  let identity: number | undefined = 1;
  let watches = 0;
  const app = {
    refresh,
    async watch({ onRefresh }: Parameters<App["watch"]>[0]) {
      watches++;
      begun.resolve();
      await looking.promise;
      onRefresh(REPORT);
      return { watches: 0, ended: new Promise<void>(() => undefined), close: async () => undefined };
    },
  } as Partial<App> as App;
  const live = startLive({
    app,
    events: createEventHub("x"),
    storeIdentity: () => identity,
    journalMark: () => "",
    pause,
    note: (sentence) => void notes.push(sentence),
  });
  await begun.promise;
  return {
    live,
    look: (error) => (error ? looking.reject(error) : looking.resolve()),
    notes,
    replaceStore: (is) => {
      identity = is;
    },
    watches: () => watches,
  };
}

const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  const other = {};
  return (await Promise.race([promise, new Promise((resolve) => setImmediate(resolve, other))])) !== other;
};

it("answers questions that come before the first look with what that finds, instead of looking for each", async () => {
  const { live, look } = await start();
  const asked = [live.freshness(somebody), live.freshness(somebody)];
  expect(await isSettled(Promise.race(asked))).toBe(false);
  look();
  expect(await Promise.all(asked)).toEqual(["stored", "stored"]);
  expect(await live.freshness(somebody)).toBe("stored");
  await live.stop();
});

it("answers from the newest sessions while the watch reads the others", async () => {
  const newest = Promise.withResolvers<void>();
  const began = start(() => newest.promise);
  newest.resolve();
  const { live, look } = await began;
  expect(await live.freshness(somebody)).toBe("stored");
  live.writes();
  live.wrote();
  expect(await live.freshness(somebody)).toBe("current");
  look(new Error("no room"));
  await vi.waitFor(async () => expect(await live.freshness(somebody)).toBe("current"));
  await live.stop();
});

it("looks for each question while nothing is watched", async () => {
  const { live, look, notes } = await start();
  const asked = live.freshness(somebody);
  look(new Error("no room"));
  expect(await asked).toBe("current");
  expect(notes).toEqual(["Sessions are not watched for now: no room"]);
  await live.stop();
});

it("lets those go who do not wait any longer, and all when it stops", async () => {
  const { live, look } = await start();
  const leaving = new AbortController();
  const first = live.freshness(leaving.signal);
  const second = live.freshness(somebody);
  leaving.abort();
  expect(await first).toBe("stored");
  expect(await isSettled(second)).toBe(false);
  look();
  await live.stop();
  expect(await second).toBe("stored");
});

it("looks again for what was written just now, until the watch has had the time to see it", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { live, look } = await start();
  look();
  expect(await live.freshness(somebody)).toBe("stored");
  live.writes();
  live.wrote();
  expect(await live.freshness(somebody)).toBe("current");
  vi.advanceTimersByTime(3100);
  expect(await live.freshness(somebody)).toBe("stored");
  await live.stop();
});

it.each([2, undefined])("watches anew when the store is another one, or gone: %s", async (identity) => {
  const { live, look, replaceStore, watches, notes } = await start();
  look();
  expect(await live.freshness(somebody)).toBe("stored");
  replaceStore(identity);
  expect(await live.freshness(somebody)).toBe("current");
  replaceStore(2);
  await vi.waitFor(async () => expect(await live.freshness(somebody)).toBe("stored"));
  expect([watches(), notes]).toEqual([2, []]);
  await live.stop();
});
