import { expect, it } from "vitest";
import { chooseRemote, parseGitConfig } from "./git-config.ts";

const remoteIn = (text: string, branch?: string) => chooseRemote(parseGitConfig(text), branch);

it("takes origin first, then the remote that the branch tracks, then the only one", () => {
  const [fork, upstream, origin] = ["fork", "upstream", "origin"].map(
    (name) => `[remote "${name}"]\n\turl = https://example.org/${name}.git\n\tfetch = +refs/heads/*\n`,
  );
  const tracked = '[branch "main"]\n\tremote = upstream\n\tmerge = refs/heads/main\n';
  expect(remoteIn(`${fork}${upstream}${origin}${tracked}`, "main")).toBe("https://example.org/origin.git");
  expect(remoteIn(`${fork}${upstream}${tracked}`, "main")).toBe("https://example.org/upstream.git");
  expect(remoteIn(`${fork}${upstream}${tracked}`, "other")).toBeUndefined();
  expect(remoteIn(`${fork}`, "main")).toBe("https://example.org/fork.git");
  expect(remoteIn("[core]\n\tbare = false\n")).toBeUndefined();
});

it("reads what people write by hand", () => {
  expect(remoteIn('; mine\n[Remote "origin"] URL = "https://example.org/a b.git" # here\r\n')).toBe(
    "https://example.org/a b.git",
  );
  expect(remoteIn("[remote.origin]\n  url = git@example.org:\\\nteam/shop.git\n")).toBe(
    "git@example.org:team/shop.git",
  );
  expect(remoteIn('[remote "o\\"rigin"]\nurl = a:b/c\n[remote "origin"]\nurl = d:e/f\nurl = g:h/i\n')).toBe(
    "d:e/f",
  );
  expect(remoteIn('[remote "origin"]\n\turl\n\tpushurl = a:b/c\n[oops\n= x\n')).toBeUndefined();
});
