import { describe, expect, it, vi } from "vitest";
import { createKeptPlans } from "./kept-plans.ts";

const MINUTE = 60_000;
const gone = expect.objectContaining({ code: "plan-not-found" });

describe("kept plans", () => {
  it("gives each out once, exactly as it was made", () => {
    const plans = createKeptPlans<{ steps: string[] }>(() => new Date(0));
    const made = { steps: ["rename"] };
    const { fingerprint } = plans.keep(made, () => undefined);
    expect(plans.look(fingerprint)).toBe(made);
    expect(plans.take(fingerprint).value).toBe(made);
    expect(() => plans.take(fingerprint)).toThrow(gone);
    expect(() => plans.look(fingerprint)).toThrow(gone);
  });

  it("tells equal plans apart", () => {
    const plans = createKeptPlans<object>(() => new Date(0));
    const [one, other] = [plans.keep({}, () => undefined), plans.keep({}, () => undefined)];
    expect(one.fingerprint).not.toBe(other.fingerprint);
    expect(one.fingerprint).toMatch(/^[0-9a-f]{32}$/);
  });

  it("forgets them after half an hour, and releases what they are made from", () => {
    let time = 0;
    const plans = createKeptPlans<object>(() => new Date(time));
    const release = vi.fn();
    const { fingerprint, expiresAt } = plans.keep({}, release);
    expect(expiresAt).toBe(new Date(30 * MINUTE).toISOString());
    time = 30 * MINUTE - 1;
    plans.look(fingerprint);
    expect(release).not.toHaveBeenCalled();
    time = 30 * MINUTE;
    expect(() => plans.take(fingerprint)).toThrow(gone);
    expect(release).toHaveBeenCalledOnce();
  });

  it("keeps a bounded number, the newest", () => {
    const plans = createKeptPlans<number>(() => new Date(0));
    const release = vi.fn();
    const tickets = Array.from({ length: 250 }, (_, at) => plans.keep(at, release));
    expect(release).toHaveBeenCalledTimes(50);
    expect(() => plans.look(tickets[49]?.fingerprint ?? "")).toThrow(gone);
    expect(plans.look(tickets[50]?.fingerprint ?? "")).toBe(50);
  });

  it("releases one that is dropped", () => {
    const plans = createKeptPlans<object>(() => new Date(0));
    const release = vi.fn();
    const { fingerprint } = plans.keep({}, release);
    plans.drop(fingerprint);
    plans.drop(fingerprint);
    expect(release).toHaveBeenCalledOnce();
  });

  it("tells how long there is one", () => {
    let time = 0;
    const plans = createKeptPlans<object>(() => new Date(time));
    expect(plans.until()).toBeUndefined();
    plans.keep({}, () => undefined);
    time = MINUTE;
    const { fingerprint } = plans.keep({}, () => undefined);
    expect(plans.until()).toEqual(new Date(31 * MINUTE));
    plans.take(fingerprint);
    expect(plans.until()).toEqual(new Date(30 * MINUTE));
    time = 30 * MINUTE;
    expect(plans.until()).toBeUndefined();
  });
});
