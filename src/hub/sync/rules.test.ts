import { expect, it } from "vitest";
import type { SyncRule } from "../../store/state/sync.ts";
import { createRules } from "./rules.ts";

const rule = (
  effect: SyncRule["effect"],
  pattern: string,
  kind: SyncRule["kind"] = "repository",
): SyncRule => ({
  kind,
  pattern,
  effect,
});
const session = (repository?: string, workspace?: string) => ({
  source: "copilot-cli",
  id: "a",
  ...(repository !== undefined && { repository }),
  ...(workspace !== undefined && { workspace }),
});

it.each([
  ["nothing is allowed at first", [], session("acme/shop"), "not-allowed"],
  ["by its exact name", [rule("allow", "acme/shop")], session("acme/shop"), "plain"],
  ["not by a part of its name", [rule("allow", "acme/shop")], session("acme/shop-internal"), "not-allowed"],
  ["in whatever case", [rule("allow", "Acme/Shop")], session("acme/shop"), "plain"],
  ["by a star within a part", [rule("allow", "acme/*")], session("acme/shop"), "plain"],
  [
    "a star does not cross a slash",
    [rule("allow", "git.acme.com/*")],
    session("git.acme.com/a/b"),
    "not-allowed",
  ],
  ["two stars do", [rule("allow", "git.acme.com/**")], session("git.acme.com/a/b"), "plain"],
  ["a dot is a dot", [rule("allow", "git.acme.com/a")], session("gitXacme.com/a"), "not-allowed"],
  [
    "what is denied wins",
    [rule("allow", "acme/*"), rule("deny", "acme/keys")],
    session("acme/keys"),
    "denied",
  ],
  ["sealed", [rule("allow", "acme/*"), rule("sealed", "acme/hr")], session("acme/hr"), "sealed"],
  ["without a repository", [rule("allow", "**")], session(undefined, "/w/notes"), "no-repository"],
  ["by its folder", [rule("allow", "/w/notes", "folder")], session(undefined, "/w/notes/today"), "plain"],
  [
    "not by the start of a name",
    [rule("allow", "/w/notes", "folder")],
    session(undefined, "/w/notes-2"),
    "no-repository",
  ],
  [
    "a folder allows no repository",
    [rule("allow", "/w", "folder")],
    session("acme/shop", "/w/shop"),
    "not-allowed",
  ],
  [
    "but it denies one",
    [rule("allow", "acme/shop"), rule("deny", "/w/secret", "folder")],
    session("acme/shop", "/w/secret/shop"),
    "denied",
  ],
] as const)("%s", (_, rules, place, expected) => {
  const decided = createRules(rules, [])(place);
  expect(decided.sends ? (decided.isSealed ? "sealed" : "plain") : decided.why).toBe(expected);
});

it("keeps a private session here whatever is allowed, and seals one that is to be sealed", () => {
  const decide = createRules(
    [rule("allow", "acme/*")],
    [
      { source: "copilot-cli", id: "a", mode: "never" },
      { source: "copilot-cli", id: "b", mode: "sealed" },
    ],
  );
  expect(decide(session("acme/shop"))).toEqual({ sends: false, why: "private" });
  expect(decide({ ...session("acme/shop"), id: "b" })).toEqual({ sends: true, isSealed: true });
  expect(decide({ ...session("other/shop"), id: "b" })).toEqual({ sends: false, why: "not-allowed" });
});
