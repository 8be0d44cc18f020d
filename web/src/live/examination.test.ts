import { expect, it } from "vitest";
import { withFound } from "./examination.ts";

it("has the worst first, and what is as bad in the order in which it was found", () => {
  const problem = (session: string, severity: "damage" | "trouble" | "oddity") =>
    ({ session, severity }) as never;
  const first = withFound([], [problem("a", "oddity"), problem("b", "damage")]);
  const then = withFound(first, [problem("c", "trouble"), problem("d", "damage")]);
  expect(then.map(({ session }) => session)).toEqual(["b", "d", "c", "a"]);
});
