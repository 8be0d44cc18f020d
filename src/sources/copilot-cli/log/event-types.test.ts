import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { eventTypes, isKnownType, roleOf } from "./event-types.ts";

const folder = resolve(import.meta.dirname, "..");
const TABLE = ["event-types.ts", "ephemeral-types.ts"].map((name) => join("log", name));
const files = globSync("**/*.ts", { cwd: folder }).filter(
  (file) => !file.endsWith(".test.ts") && !TABLE.includes(file),
);

/** A member of an object, on a line of its own; an item of a list, on a line of its own or after the bracket. */
const LISTED = /^\s*"([a-z_]+(?:\.[a-z_]+)+)"(?:\(|:|,$)|\["([a-z_]+(?:\.[a-z_]+)+)"[,\]]/gm;

describe("the table of event types", () => {
  it("knows what is in every log of the miniature homes that is not damaged on purpose", () => {
    const homes = resolve(folder, "../../../test/fixtures/copilot-cli");
    const logs = globSync("{everyday,history,notices,killed}/**/events.jsonl", { cwd: homes });
    expect(logs.length).toBeGreaterThan(4);
    const unknown = logs.flatMap((log) =>
      readFileSync(join(homes, log), "utf8")
        .split("\n")
        .flatMap((line) => /^\{"type":"([^"]+)"/.exec(line)?.[1] ?? [])
        .filter((type) => !isKnownType(type)),
    );
    expect(unknown).toEqual([]);
  });

  it("gives each role to one type", () => {
    const roles = [...eventTypes.values()].flatMap(({ role }) => role ?? []);
    expect(new Set(roles).size).toBe(roles.length);
    expect(roleOf("user.message")).toBe("prompt");
    expect(roleOf("no.such_type")).toBeUndefined();
    expect(isKnownType("assistant.message_delta")).toBe(false);
  });

  it("asks for a first field only where it passes lines over, and for parts only where it asks for fields", () => {
    for (const [name, { requires, allows, isEphemeral, skippedBy }] of eventTypes) {
      if (isEphemeral) expect([requires, allows, skippedBy], name).toEqual([undefined, undefined, undefined]);
      if (allows) expect(requires, name).toBeDefined();
    }
  });

  it("is the only place in which types are members of an object or items of a list", () => {
    const listed = files.flatMap((file) =>
      [...readFileSync(join(folder, file), "utf8").matchAll(LISTED)]
        .map(([, member, item]) => member ?? item ?? "")
        .filter((name) => eventTypes.has(name))
        .map((name) => `${name} in ${file}`),
    );
    expect(listed).toEqual([]);
  });
});
