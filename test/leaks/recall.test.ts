/** A sample of what `npm run bench -- secrets` measures in full. */
import { describe, expect, it } from "vitest";
import { createOutgoingRedactor } from "../../src/model/redact/outgoing.ts";
import { readCleanTexts } from "./clean.ts";
import { type Case, isLeft, makeCases, recallOf } from "./corpus.ts";

const KEY = new Uint8Array(32);

function redact({ text, manner }: Case): string {
  const redactor = createOutgoingRedactor({ key: KEY });
  redactor.learn(text, manner);
  return manner === "jsonl" ? redactor.line(text) : redactor.text(text);
}

describe("generated secrets", () => {
  const cases = makeCases(7, 6);
  const recall = recallOf(cases, (each) => !isLeft(redact(each), each.secret));

  it(`are found: ${recall.found} of ${recall.cases}, of ${recall.byKind.size} kinds`, () => {
    expect(recall.byKind.size).toBeGreaterThanOrEqual(40);
    expect(recall.found / recall.cases).toBeGreaterThanOrEqual(0.99);
  });

  it("would be left by a redactor that does nothing", () => {
    expect(recallOf(cases, ({ text, secret }) => !isLeft(text, secret)).found).toBeLessThan(
      cases.length / 20,
    );
  });
});

describe("clean texts", () => {
  it("cause one false alarm in ten megabytes at most", () => {
    let [size, alarms] = [0, 0];
    for (const { text } of readCleanTexts(0.1)) {
      const redactor = createOutgoingRedactor({ key: KEY });
      redactor.text(text);
      size += text.length;
      for (const { places } of redactor.report()) alarms += places;
    }
    expect(size).toBeGreaterThan(1e6);
    expect(alarms / (size / 1e6)).toBeLessThanOrEqual(0.1);
  });
});
