import { describe, expect, it } from "vitest";
import { createHomeHider, homeOf } from "./home-path.ts";

describe("homeOf", () => {
  it.each([
    ["/home/ada/work/shop", "/home/ada"],
    ["/Users/ada/x", "/Users/ada"],
    ["C:\\Users\\ada\\x", "C:\\Users\\ada"],
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
    ["/home/ada", "cat /home/ada/x /home/adam/y", "cat ~/x /home/adam/y"],
    ["/home/ada", "file:///home/ada/x", "file://~/x"],
    ["/home/ada", '{"cwd":"\\/home\\/ada\\/x"}', '{"cwd":"~\\/x"}'],
    ["/home/ada", "~/.claude/projects/-home-ada-work/1.jsonl", "~/.claude/projects/~-work/1.jsonl"],
    ["/root", "ls\\n/root/x /srv/root/x", "ls\\n~/x /srv/root/x"],
    ["C:\\Users\\Ada", "c:\\Users\\Ada\\x C:\\\\Users\\\\Ada\\\\x C:/Users/Ada/x", "~\\x ~\\\\x ~/x"],
    ["C:\\Users\\Ada", "file:///c%3A/Users/Ada/x", "file:///~/x"],
    ["/", "ls /", "ls /"],
  ])("of %s turns %s into %s", (home, text, expected) => {
    expect(hide(home, text)).toBe(expected);
  });

  it("says which home it hid, once for each place", () => {
    const hidden: string[] = [];
    createHomeHider(["/home/ada", "/home/bob"])(
      "/home/bob /home/ada /home/bob",
      (home) => void hidden.push(home),
    );
    expect(hidden).toEqual(["/home/ada", "/home/bob", "/home/bob"]);
  });
});
