import { expect, it } from "vitest";
import { uuidOf } from "./stable-id.ts";

it("gives every name its own UUID, and always the same one", () => {
  expect(uuidOf("a")).toBe(uuidOf("a"));
  expect(uuidOf("a")).not.toBe(uuidOf("b"));
  expect(uuidOf("a")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});
