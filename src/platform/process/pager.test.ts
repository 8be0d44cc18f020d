import { expect, it } from "vitest";
import { startPager } from "./pager.ts";

const open = (command: string) => {
  const told: string[] = [];
  const pager = startPager(command, {
    vars: { PATH: process.env.PATH },
    onLeft: () => void told.push("left"),
  });
  return { pager, told };
};

it("says that it was left to a writer that never waits", async () => {
  const { pager, told } = open("true");
  let written = 0;
  while (told.length === 0 && written < 100) {
    pager.write("x".repeat(1 << 16));
    written++;
  }
  expect(told).toContain("left");
  await pager.end();
});

it("is waited for, and fails nobody, however it ends", async () => {
  for (const command of ["cat > /dev/null", "exit 3", "no-such-pager 2>/dev/null"]) {
    const { pager } = open(command);
    pager.write("text\n");
    await expect(pager.end(), command).resolves.toBeUndefined();
  }
});
