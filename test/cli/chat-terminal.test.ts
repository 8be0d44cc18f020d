/** A conversation as a person holds it: keys in, a screen out, through a terminal that `script` makes. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PROGRAM } from "../bridge/home.ts";
import { hasScript, openTerminal, type Terminal } from "./at-terminal.ts";
import { createHome, type Home } from "./home.ts";

const [CTRL_C, CTRL_D, ENTER] = ["\x03", "\x04", "\r"];

let home: Home;
beforeEach(() => {
  home = createHome();
  mkdirSync(join(home.path, ".copilot"));
});
afterEach(() => home.remove());

const open = (...words: string[]): Terminal =>
  openTerminal(home, ["chat", ...words, "--copilot", PROGRAM], {
    COPILOT_HOME: join(home.path, ".copilot"),
  });

describe.runIf(hasScript)("a conversation at the terminal", () => {
  it("takes several lines, shows answers and tools, cancels with Ctrl-C, and says how to go on", async () => {
    const terminal = open();
    await terminal.type(`first \\${ENTER}`, "› ");
    await terminal.type(`second${ENTER}`, "  ");
    await terminal.type(`please wait${ENTER}`, "› ");
    await terminal.type(CTRL_C, "Heard ");
    await terminal.type(`thrown away${CTRL_C}`, "› ");
    await terminal.type(CTRL_D, "› ");
    const { rows, code } = await terminal.end();
    expect(code).toBe(0);
    const [head = "", place = "", tools = "", more = "", help = "", ...rest] = rows;
    const [id = ""] = place.split(" ");
    expect(head).toBe("A new conversation");
    const where = /^(\S+) · GitHub Copilot CLI · (.+?)…?$/.exec(place);
    expect([where?.[1], home.path.startsWith(where?.[2] ?? "nowhere")]).toEqual([id, true]);
    expect(`${tools} ${more}`).toContain("Tools run without asking for permission");
    expect(help).toContain("Ctrl-C cancels an answer, Ctrl-D quits.");
    expect(rest).toEqual([
      "",
      "› first \\",
      "  second",
      "Heard 1: first",
      "second",
      "· bash  ls",
      "",
      "› please wait",
      "Heard",
      "(cancelled)",
      "",
      "›",
      `Continue at any time: rethread chat ${id}`,
      "",
    ]);
  });

  it("takes what is typed ahead and what is pasted, goes on after a failure, and leaves with Ctrl-C", async () => {
    const terminal = open();
    await terminal.type(`\x1b[200~one${ENTER}two\x1b[201~${ENTER}please fail${ENTER}`, "› ");
    await terminal.type(CTRL_C, "(no answer)");
    const { rows, code } = await terminal.end();
    expect(code).toBe(0);
    expect(rows.slice(6, -2)).toEqual([
      "› one",
      "  two",
      "Heard 1: one",
      "two",
      "· bash  ls",
      "",
      "› please fail",
      "the model is away",
      "(no answer)",
      "",
      "›",
    ]);
  });
});
