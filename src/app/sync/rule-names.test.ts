import { expect, it } from "vitest";
import { toRepositoryPattern } from "./rule-names.ts";

it.each([
  ["acme/shop", "acme/shop"],
  ["https://github.com/acme/secret-*", "acme/secret-*"],
  ["github.com/acme/secret-*", "acme/secret-*"],
  ["git@github.com:acme/secret-*.git", "acme/secret-*"],
  ["acme/secret-*/", "acme/secret-*"],
  ["https://github.com/acme/**", "acme/**"],
  ["https://github.com/*", "*/*"],
  ["github.com/**", "*/*"],
  ["https://robin:secret@git.example.com/team/*", "git.example.com/team/*"],
  ["git.example.com/**", "git.example.com/**"],
  ["*/shop", "*/shop"],
  ["**", "**"],
])("%s means %s", (text, pattern) => {
  expect(toRepositoryPattern(text)).toBe(pattern);
});

it.each(["/home/robin/secret", "~/secret", "./secret", "..", "C:\\secret"])(
  "refuses %s, which names a folder: as a repository it would fit nothing",
  (text) => {
    expect(() => toRepositoryPattern(text)).toThrow(/is a folder/);
  },
);
