import { describe, expect, it } from "vitest";
import { createPaged } from "./paged.ts";

function open(options: { hasPager?: boolean; fails?: boolean } = {}) {
  const [printed, shown, starts]: [string[], string[], string[]] = [[], [], []];
  const paged = createPaged({
    rows: 5,
    columns: 10,
    print: (text) => void printed.push(text),
    async open() {
      starts.push("started");
      if (options.fails) throw new Error("no such program");
      if (options.hasPager === false) return undefined;
      return { write: (text) => void shown.push(text), end: async () => void shown.push("(left)") };
    },
  });
  return { paged, printed, shown, starts };
}

describe("createPaged", () => {
  it("prints what fits the screen, without a pager", async () => {
    const { paged, printed, starts } = open();
    for (const line of ["1\n", "2\n", "3\n", "4\n"]) paged.write(line);
    expect(paged.isOpen()).toBe(false);
    await paged.end();
    expect([printed.join(""), starts]).toEqual(["1\n2\n3\n4\n", []]);
  });

  it("starts one pager for what does not, and gives it all of it in order", async () => {
    const { paged, printed, shown, starts } = open();
    for (const line of ["1\n", "2\n3\n4\n5\n", "6\n"]) paged.write(line);
    expect(paged.isOpen()).toBe(true);
    await Promise.resolve();
    paged.write("7\n");
    await paged.end();
    expect(shown.join("")).toBe("1\n2\n3\n4\n5\n6\n7\n(left)");
    expect([printed, starts]).toEqual([[], ["started"]]);
  });

  it("counts the rows that long lines take", async () => {
    const { paged, starts } = open();
    paged.write(`\n${"x".repeat(41)}\n`);
    await paged.end();
    expect(starts).toEqual(["started"]);
  });

  it.each([{ hasPager: false }, { fails: true }])(
    "prints everything where there is no pager: %j",
    async (how) => {
      const { paged, printed } = open(how);
      paged.write("1\n2\n3\n4\n5\n");
      paged.write("6\n");
      await paged.end();
      expect(printed.join("")).toBe("1\n2\n3\n4\n5\n6\n");
    },
  );
});
