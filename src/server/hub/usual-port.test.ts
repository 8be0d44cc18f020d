import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AppError } from "../../model/errors.ts";
import { onUsualPort } from "./usual-port.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "usual-port-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** As the system does: 0 is one that is free. */
const listenBut =
  (taken: readonly number[], free: number) =>
  async (port: number): Promise<{ port: number }> => {
    if (taken.includes(port)) throw new AppError("port-taken", "taken", "Name another port");
    return { port: port === 0 ? free : port };
  };

it("takes the port that it had before, and another one only while that is taken", async () => {
  const file = join(folder, "port");
  expect(await onUsualPort(file, listenBut([], 4001))).toEqual({ port: 4001 });
  expect(await onUsualPort(file, listenBut([], 4002))).toEqual({ port: 4001 });
  expect(await onUsualPort(file, listenBut([4001], 4003))).toEqual({ port: 4003 });
  expect(await onUsualPort(file, listenBut([], 4004))).toEqual({ port: 4003 });
});

it("does without a file that says something else, and reports other failures", async () => {
  const file = join(folder, "port");
  writeFileSync(file, "99 bottles");
  expect(await onUsualPort(file, listenBut([], 4001))).toEqual({ port: 4001 });
  await expect(onUsualPort(file, () => Promise.reject(new Error("no address")))).rejects.toThrow(
    "no address",
  );
});
