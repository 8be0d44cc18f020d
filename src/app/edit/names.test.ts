import { expect, it } from "vitest";
import { toName } from "./names.ts";

it("takes a name on one line, as it is shown, and refuses one that says nothing", () => {
  expect(toName("  Fix  the login ")).toBe("Fix  the login");
  expect(toName("Fix\r\n  the\nlogin\u2028now")).toBe("Fix the login now");
  expect(() => toName(" \n ")).toThrow("must not be empty");
});
