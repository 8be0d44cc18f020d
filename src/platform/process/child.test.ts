import { join } from "node:path";
import { expect, it } from "vitest";
import { runChild } from "./child.ts";

const node = (code: string): string[] => [process.execPath, "--input-type=module", "-e", code];
const echo = `
  import { receive, reply } from ${JSON.stringify(join(import.meta.dirname, "child.ts"))};
  reply(receive().toUpperCase());
`;

it("hands a text over and brings the answer back, however long", async () => {
  const long = "größer ".repeat(500_000);
  const end = await runChild(node(echo), long, 20_000);
  expect({ ...end, stdout: end.stdout === long.toUpperCase() }).toEqual({
    how: "exited",
    detail: "exit code 0",
    clean: true,
    stdout: true,
    stderr: "",
  });
});

it("stops a child that does not answer in time, even one that hears nothing", async () => {
  const end = await runChild(node("console.log('busy'); for (;;);"), "", 1500);
  expect(end).toEqual({ how: "stopped", detail: "SIGKILL", clean: false, stdout: "busy\n", stderr: "" });
});

it("says how a child ended that failed before it read its input", async () => {
  const end = await runChild(node("console.error('no'); process.exit(3)"), "x".repeat(1 << 20), 20_000);
  expect(end).toEqual({ how: "exited", detail: "exit code 3", clean: false, stdout: "", stderr: "no\n" });
});

it("says why a child could not be started", async () => {
  const end = await runChild(["/nowhere/program"], "", 20_000);
  expect(end).toEqual({
    how: "failed",
    detail: "spawn /nowhere/program ENOENT",
    clean: false,
    stdout: "",
    stderr: "",
  });
});

it("keeps our environment from the child", async () => {
  const { stdout } = await runChild(node("console.log(JSON.stringify(process.env))"), "", 20_000);
  expect(JSON.parse(stdout)).not.toHaveProperty("PATH");
});
