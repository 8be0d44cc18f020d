import { expect, it } from "vitest";
import { forkName, forkSentence } from "./fork.ts";

it("counts forks in their names, as Copilot CLI does", () => {
  expect(forkName("Fix it", 0)).toBe("Fix it (fork)");
  expect(forkName("Fix it", 1)).toBe("Fix it (fork 2)");
  expect(forkName("Fix it (fork)", 0)).toBe("Fix it (fork) (fork)");
});

it("puts long names and those of several lines into a hundred characters", () => {
  expect(forkName('Say "hello"\nand go', 0)).toBe("Say hello and go (fork)");
  expect(forkName("x".repeat(300), 2)).toBe(`${"x".repeat(91)} (fork 3)`);
});

it("says where a fork came from with titles quoted as in JSON", () => {
  expect(forkSentence({ name: 'a "b"', id: "1" }, undefined, { name: "c", id: "2" })).toBe(
    'Forked from "a \\"b\\"" (1) as "c" (2).',
  );
  expect(forkSentence({ name: "a", id: "1" }, "e", { name: "c", id: "2" })).toBe(
    'Forked from "a" (1) before event e as "c" (2).',
  );
});
