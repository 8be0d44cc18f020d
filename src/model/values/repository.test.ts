import { expect, it } from "vitest";
import { toRepositoryName } from "./repository.ts";

it.each([
  "git@github.com:acme/shop.git",
  "git@github.com:/acme/shop.git/",
  "github.com:acme/shop",
  "ssh://git@github.com/acme/shop.git",
  "ssh://git@github.com:22/acme/shop",
  "ssh://git@ssh.github.com:443/acme/shop.git",
  "git@ssh.github.com:acme/shop.git",
  "https://github.com/acme/shop.git",
  "https://GitHub.COM/acme/shop///",
  "https://www.github.com/acme/shop.git/",
  "https://person@github.com/acme/shop",
  "https://person:ghp_secret@github.com/acme/shop.git",
  "https://x-access-token:se@cret@github.com:443/acme/shop.git?x=1#y",
  "https://person:se/cret@github.com/acme/shop.git",
  "ghp_secret:x@github.com:acme/shop.git",
  "git://github.com/acme/shop.git",
  "git+ssh://git@github.com/acme/shop.git",
  "github.com/acme/shop",
  "acme/shop",
  "acme/shop.git",
  " https://github.com/acme/shop\n",
])("calls %j acme/shop", (address) => expect(toRepositoryName(address)).toBe("acme/shop"));

it.each([
  ["git@gitlab.com:group/sub/shop.git", "gitlab.com/group/sub/shop"],
  ["https://oauth2:glpat-secret@GitLab.com/group/sub/shop.git/", "gitlab.com/group/sub/shop"],
  ["ssh://git@altssh.gitlab.com:443/group/shop.git", "gitlab.com/group/shop"],
  ["ssh://person@git.example.org:2222/~team/shop.git", "git.example.org/~team/shop"],
  ["https://git.example.org:8443/Team/Shop", "git.example.org/Team/Shop"],
  ["[::1]:team/shop.git", "[::1]/team/shop"],
  ["ssh://git@[::1]:22/team/shop.git", "[::1]/team/shop"],
  ["git@ssh.dev.azure.com:v3/org/project/shop", "dev.azure.com/org/project/shop"],
  ["https://org@dev.azure.com/org/my%20project/_git/shop", "dev.azure.com/org/my project/shop"],
  ["git.example.org/team/shop", "git.example.org/team/shop"],
  ["shop", "shop"],
  ["https://constructor/team/shop", "constructor/team/shop"],
])("calls %j %s", (address, name) => expect(toRepositoryName(address)).toBe(name));

it.each([
  "",
  "/srv/git/shop.git",
  "../shop",
  "~/shop",
  "C:\\work\\shop",
  "C:/work/shop",
  "\\\\server\\share\\shop",
  "file:///srv/git/shop.git",
  "ext::sh -c secret",
  "https://github.com/",
  "https://github.com/acme",
  "https://person:secret",
])("gives %j no name", (address) => expect(toRepositoryName(address)).toBeUndefined());

it("puts the server before a name that was recorded apart from it", () => {
  expect(toRepositoryName("acme/shop", "github.com")).toBe("acme/shop");
  expect(toRepositoryName("acme/shop", "GHE.example.org")).toBe("ghe.example.org/acme/shop");
});
