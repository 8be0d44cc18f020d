import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createAgenda, type Wanted } from "./agenda.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Rounds that take as long as told. */
function agendaWith(takes: number) {
  const rounds: { at: number; wanted: string }[] = [];
  const act = async ({ everything, paths }: Wanted): Promise<void> => {
    rounds.push({ at: performance.now(), wanted: everything ? "everything" : [...paths].join(" ") });
    await new Promise((resolve) => setTimeout(resolve, takes));
  };
  const start = performance.now();
  const agenda = createAgenda(act, (error) => {
    throw error;
  });
  return { agenda, told: () => rounds.map(({ at, wanted }) => `${at - start}: ${wanted}`) };
}

it("acts once for a burst, and again and again for a writer that never pauses", async () => {
  const { agenda, told } = agendaWith(10);
  for (const path of ["a", "b", "a"]) agenda.want(path);
  await vi.advanceTimersByTimeAsync(1000);
  expect(told()).toEqual(["100: a b"]);
  for (let at = 0; at < 800; at += 20) {
    agenda.want("c");
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(told().slice(1)).toEqual(["1300: c", "1600: c"]);
});

it("keeps what is asked for during a round for the next one, after a rest", async () => {
  const { agenda, told } = agendaWith(200);
  agenda.want("a");
  await vi.advanceTimersByTimeAsync(150);
  agenda.want();
  await vi.advanceTimersByTimeAsync(5000);
  expect(told()).toEqual(["100: a", "1100: everything"]);
});

it("does not rest after the first round, however long it took", async () => {
  const { agenda, told } = agendaWith(60_000);
  void agenda.begin();
  await vi.advanceTimersByTimeAsync(1000);
  agenda.want("a");
  await vi.advanceTimersByTimeAsync(59_010);
  expect(told()).toEqual(["0: everything", "60001: a"]);
});

it("begins no round once it is closed, and waits for the one that runs", async () => {
  const { agenda, told } = agendaWith(100);
  agenda.want("a");
  await vi.advanceTimersByTimeAsync(120);
  agenda.want("b");
  let isClosed = false;
  void agenda.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(50);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(5000);
  expect([isClosed, told()]).toEqual([true, ["100: a"]]);
});
