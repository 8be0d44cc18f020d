import { expect, it } from "vitest";
import { toHubAddress } from "./address.ts";

it.each([
  ["hub.example.com", "https://hub.example.com"],
  ["hub.example.com/team/", "https://hub.example.com/team"],
  ["127.0.0.1:8787", "http://127.0.0.1:8787"],
  ["localhost:8787", "http://localhost:8787"],
  ["https://localhost:8787", "https://localhost:8787"],
])("takes %s for %s", (text, address) => {
  expect(toHubAddress(text)).toBe(address);
});

it("takes http to this machine alone, unless it is told otherwise", () => {
  expect(() => toHubAddress("http://hub.example.com")).toThrow(/could read your token/);
  expect(toHubAddress("http://hub.example.com", { isInsecure: true })).toBe("http://hub.example.com");
});
