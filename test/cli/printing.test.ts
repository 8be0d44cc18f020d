/** What every command prints: how wide, in which colors, and into which pipes. */
import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { createHome, line, linesOf, start } from "./home.ts";
import { useReadingHome } from "./reading-home.ts";

const { home } = useReadingHome();

describe("what is printed", () => {
  it.each([40, 80, 200])("fits %i columns", (columns) => {
    const narrow = home.with({ COLUMNS: String(columns) });
    // A command or an option to copy is never cut; all else is.
    // The damaged session makes doctor end with 1.
    for (const words of [[], ["list"], ["context", "login"], ["doctor"], ["help", "list"]])
      for (const each of linesOf(narrow.rethread(...words), words[0] === "doctor" ? 1 : 0))
        if (!/^ {2}(rethread|-)|^ +→ rethread /.test(each))
          expect(stringWidth(each), each).toBeLessThanOrEqual(columns);
  });

  it("is colored only when that is wanted, and obeys nothing that a session brought", () => {
    const colored = home.with({ FORCE_COLOR: "1" });
    for (const words of [["list"], ["show", "7777"], ["context", "7777"]]) {
      const bare = home.rethread(...words).stdout;
      expect(linesOf(home.rethread(...words)).length).toBeGreaterThan(1);
      expect(bare).not.toContain("\u001b");
      expect(bare).not.toContain("\u0007");
      expect(stripVTControlCharacters(colored.rethread(...words).stdout)).toBe(bare);
    }
    expect(colored.rethread("list").stdout).toContain("\u001b[");
    for (const plain of [
      colored.with({ NO_COLOR: "1" }).rethread("list"),
      colored.rethread("list", "--no-color"),
    ])
      expect(plain.stdout).toBe(home.rethread("list").stdout);
  });
});

describe("pipes", () => {
  it.skipIf(process.platform !== "linux")("says so when there is no space left for the output", () => {
    expect(home.shell("rethread list > /dev/full")).toEqual({
      code: 6,
      stdout: "",
      stderr:
        "error: No space is left to write the output (disk-full)\nFree some space, or send the output elsewhere\n",
    });
  });

  it("ends quietly when nobody reads on", () => {
    const { code, stderr, stdout } = home.shell(
      "for i in 1 2 3; do rethread show login --json | head -c 1; done",
    );
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: "", stdout: "{{{" });
  });

  it("gives the whole of a large answer to a slow reader", () => {
    const large = createHome();
    const began = new Date();
    const text = "lorem ipsum ".repeat(100_000);
    large.session("aaaaaaaa-0000-4000-8000-000000000009", [
      start("aaaaaaaa-0000-4000-8000-000000000009", began),
      line("user.message", { content: text }, began, 1),
    ]);
    const { stdout } = large.shell("rethread show aaaa --json | (sleep 0.5; cat)");
    large.remove();
    expect(JSON.parse(stdout).turns[0].user).toBe(text);
  });
});
