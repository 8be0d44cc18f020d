import { afterEach, expect, it, vi } from "vitest";
import { currentFolder, homeFolder } from "./whereabouts.ts";

afterEach(() => vi.restoreAllMocks());

const none = (): never => {
  throw Object.assign(new Error("uv_os_get_passwd returned ENOENT"), { code: "ERR_SYSTEM_ERROR" });
};

it("knows the user's home, as the variable or the list of users has it, and the root where neither does", () => {
  const userInfo = () => ({ homedir: "/listed/dev" });
  expect(homeFolder({ homedir: () => "/home/dev", userInfo })).toBe("/home/dev");
  expect(homeFolder({ homedir: () => "", userInfo })).toBe("/listed/dev");
  expect(homeFolder({ homedir: none, userInfo: none })).toBe("/");
});

it("answers in a folder that was removed", () => {
  vi.spyOn(process, "cwd").mockImplementation(none);
  expect(currentFolder("/was/here")).toBe("/was/here");
  expect(currentFolder()).toBe("/");
});
