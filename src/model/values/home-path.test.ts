import { describe, expect, it } from "vitest";
import { createHomeHider, homeOf } from "./home-path.ts";

describe("homeOf", () => {
  it.each([
    ["/home/dev/work/shop", "/home/dev"],
    ["/Users/dev/x", "/Users/dev"],
    ["C:\\Users\\dev\\x", "C:\\Users\\dev"],
    ["/root/x", "/root"],
    ["/srv/app", undefined],
    ["/home", undefined],
    ["/rooted/x", undefined],
  ])("of %s is %s", (path, home) => {
    expect(homeOf(path)).toBe(home);
  });
});

describe("hiding homes", () => {
  const hide = (home: string, text: string): string => createHomeHider([home])(text, () => undefined);

  it.each([
    ["/home/dev", "cat /home/dev/x /home/devops/y", "cat ~/x /home/devops/y"],
    ["/home/dev", "file:///home/dev/x", "file://~/x"],
    ["/home/dev", '{"cwd":"\\/home\\/dev\\/x"}', '{"cwd":"~\\/x"}'],
    ["/home/dev", "~/.claude/projects/-home-dev-work/1.jsonl", "~/.claude/projects/~-work/1.jsonl"],
    ["/root", "ls\\n/root/x /srv/root/x", "ls\\n~/x /srv/root/x"],
    ["C:\\Users\\Dev", "c:\\Users\\Dev\\x C:\\\\Users\\\\Dev\\\\x C:/Users/Dev/x", "~\\x ~\\\\x ~/x"],
    ["C:\\Users\\Dev", "file:///c%3A/Users/Dev/x", "file:///~/x"],
    ["/", "ls /", "ls /"],
  ])("of %s turns %s into %s", (home, text, expected) => {
    expect(hide(home, text)).toBe(expected);
  });

  it("says which home it hid, once for each place", () => {
    const hidden: string[] = [];
    createHomeHider(["/home/dev", "/home/ops"])(
      "/home/ops /home/dev /home/ops",
      (home) => void hidden.push(home),
    );
    expect(hidden).toEqual(["/home/dev", "/home/ops", "/home/ops"]);
  });
});
