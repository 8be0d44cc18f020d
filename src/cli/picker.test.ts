import { PassThrough, Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { toSession } from "../../test/cli/fake-source.ts";
import { seenOn } from "../../test/terminal.ts";
import type { Session } from "../model/session/session.ts";
import { createStyle } from "../present/text/style.ts";
import { widthOf } from "../present/text/text.ts";
import { createFilter, pickSession } from "./picker.ts";

const NOW = new Date("2026-11-15T12:00:00Z");
const HOSTILE = "\x1b]0;owned\x07\x1b[2J日本語のとても長いタイトルがここに続いて端末の幅を超えます 👩‍👩‍👧";
const sessions: Session[] = [
  toSession({ id: "0b1c2d3e-0", title: "Fix the login", head: { workspace: "/srv/shop", branch: "main" } }),
  toSession({ id: "77777777-0", title: HOSTILE, head: { workspace: "/srv/日本" } }),
  toSession({ id: "0b1cffff-0", title: "Flaky test", head: { repository: "lumen/platform" } }, "other"),
];
const [LOGIN, EVIL, FLAKY] = sessions;

interface Screen {
  readonly picked: Promise<Session | undefined>;
  readonly asked: string[];
  type(...keys: string[]): Promise<string[]>;
}

function open(all: readonly Session[], columns = 80, rows = 24): Screen {
  const input = new PassThrough();
  const output = Object.assign(new Writable(), { columns, rows });
  let written = "";
  output._write = (piece, _, done) => {
    // As a terminal takes it.
    written += String(piece).replaceAll("\n", "\r\n");
    done();
  };
  const asked: string[] = [];
  const picked = pickSession(all, {
    question: "show: which session?",
    input,
    output,
    columns: 80,
    style: createStyle(false),
    now: NOW,
    async lastPrompt({ id }) {
      asked.push(id);
      return `about ${id}`;
    },
  });
  return {
    picked,
    asked,
    async type(...keys) {
      for (const key of keys) {
        input.write(key);
        for (let i = 0; i < 4; i++) await turn();
      }
      return seenOn(columns, written);
    },
  };
}

describe("pickSession", () => {
  it("shows all sessions, and previews the chosen one", async () => {
    const { type, picked } = open(sessions);
    expect(await type("")).toEqual([
      `show: which session? ▏${" ".repeat(47)}3 sessions`,
      "› 0b1c2d3e             fake         Fix the login",
      expect.stringMatching(/^ {2}77777777 +fake +␛\]0;owned␇␛\[2J日本語.*…$/),
      expect.stringMatching(/^ {2}0b1cffff +other +Flaky test$/),
      "─".repeat(79),
      "Fix the login",
      "/srv/shop · 0 turns",
      "Last prompt: about 0b1c2d3e-0",
      "type to filter · ↑ ↓ move · Enter choose · Esc leave",
    ]);
    await type("\r");
    expect(await picked).toBe(LOGIN);
  });

  it("filters while one types, and takes letters away", async () => {
    const { type, picked } = open(sessions);
    const rows = await type("p", "l", "a", "t");
    expect(rows[0]).toMatch(/^show: which session\? plat▏ +1 of 3$/);
    expect(rows[1]).toMatch(/^› 0b1cffff/);
    expect((await type("x"))[1]).toBe("No session matches. Backspace takes letters away.");
    // There is nothing to choose.
    expect((await type("\r"))[1]).toBe("No session matches. Backspace takes letters away.");
    expect((await type("\x7f"))[1]).toMatch(/^› 0b1cffff/);
    await type("\r");
    expect(await picked).toBe(FLAKY);
  });

  it("moves with the arrows, and stops at both ends", async () => {
    const { type, picked } = open(sessions);
    const rows = await type("\x1b[A", "\x1b[B", "\x1b[B", "\x1b[B", "\x1b[B", "\x1b[A");
    expect(rows[2]).toMatch(/^› 77777777/);
    await type("\r");
    expect(await picked).toBe(EVIL);
  });

  it.each([
    ["Esc", "\x1b"],
    ["Ctrl-C", "\x03"],
    ["Ctrl-D", "\x04"],
  ])("is left with %s", async (_, key) => {
    const { type, picked } = open(sessions);
    await type("a", "\x7f", key);
    expect(await picked).toBeUndefined();
    expect((await type("")).join("")).toBe("");
  });

  it.each([30, 40, 80, 140])("fits %i columns and few rows", async (columns) => {
    const { type, picked } = open(sessions, columns, 8);
    const rows = await type("o", "w", "n");
    expect(rows.length).toBeLessThan(8);
    for (const row of rows) expect(widthOf(row)).toBeLessThan(columns);
    expect(rows.join("\n")).toContain("日本");
    await type("\r");
    expect(await picked).toBe(EVIL);
  });

  it("asks for nothing but the chosen sessions of many", async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => toSession({ id: `s${i}`, title: `Number ${i}` }));
    const { type, picked, asked } = open(many);
    const rows = await type("Number 99", "\x1b[B");
    expect(rows[0]).toContain("280 of 10,000");
    await type("\r");
    expect((await picked)?.id).toBe("s199");
    expect(asked.length).toBeLessThanOrEqual(4);
  });
});

describe("createFilter", () => {
  const filter = createFilter(sessions);
  it.each([
    ["", [LOGIN, EVIL, FLAKY]],
    ["0b1c", [LOGIN, FLAKY]],
    ["other:0b1c", [FLAKY]],
    ["1c", []],
    ["日本 srv", [EVIL]],
    ["LOGIN main", [LOGIN]],
    ["lumen test", [FLAKY]],
  ])("%j", (typed, found) => {
    expect(filter(typed)).toEqual(found);
  });
});
