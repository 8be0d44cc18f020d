import { expect, it } from "vitest";
import type { Session } from "../../pages/session/types.ts";
import { blameAddress } from "./address.ts";

const session = (repository: string | null, workspace: string | null): Session =>
  ({ repository, workspace }) as Session;

it("names a file by its repository and its path in it", () => {
  expect(blameAddress(session("acme/shop", "/home/a/shop"), "/home/a/shop/src/money.ts")).toEqual({
    repo: "acme/shop",
    file: "src/money.ts",
  });
  expect(blameAddress(session("acme/shop", "C:\\work\\shop"), "C:\\work\\shop\\src\\a.ts")).toEqual({
    repo: "acme/shop",
    file: "src/a.ts",
  });
});

it("leads nowhere for a file outside of the folder, or of no repository", () => {
  expect(blameAddress(session("acme/shop", "/home/a/shop"), "/etc/hosts")).toBeUndefined();
  expect(blameAddress(session(null, "/home/a/shop"), "/home/a/shop/src/a.ts")).toBeUndefined();
});
