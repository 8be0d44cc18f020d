import * as os from "node:os";
import { afterEach, expect, it, vi } from "vitest";
import { currentFolder, homeFolder } from "./surroundings.ts";

vi.mock("node:os", async (original) => ({
  ...(await original<typeof os>()),
  homedir: vi.fn(() => "/home/dev"),
  userInfo: vi.fn(() => ({ homedir: "/listed/dev" })),
}));
afterEach(() => vi.restoreAllMocks());

const none = (): never => {
  throw Object.assign(new Error("uv_os_get_passwd returned ENOENT"), { code: "ERR_SYSTEM_ERROR" });
};

it("knows the user's home, as the variable or the list of users has it, and the root where neither does", () => {
  expect(homeFolder()).toBe("/home/dev");
  vi.mocked(os.homedir).mockReturnValueOnce("");
  expect(homeFolder()).toBe("/listed/dev");
  vi.mocked(os.homedir).mockImplementationOnce(none);
  vi.mocked(os.userInfo).mockImplementationOnce(none);
  expect(homeFolder()).toBe("/");
});

it("answers in a folder that was removed", () => {
  vi.spyOn(process, "cwd").mockImplementation(none);
  expect(currentFolder("/was/here")).toBe("/was/here");
  expect(currentFolder()).toBe("/");
});
