/** Files outside the workspace, and those that links lead to, in a rewind with files. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type EditHome, ID, lookAtAll } from "../../../../../test/edit/home.ts";
import { ABSENT, createShop, type Image, type Shop } from "../../../../../test/edit/recorded-files.ts";

let shop: Shop;
let home: EditHome;
beforeEach(() => {
  shop = createShop();
  home = shop.home;
});
afterEach(() => shop.remove());

describe("a rewind with files", () => {
  it("names files outside the workspace by their whole path", async () => {
    const path = join(shop.work, "..", "outside");
    writeFileSync(path, "mine");
    shop.record(
      {},
      { "../outside": { before: shop.was("old", "../outside"), after: shop.became("new", "../outside") } },
    );
    await expect(shop.rewind(0, { strict: true })).rejects.toMatchObject({
      message: expect.stringContaining(`${path} changed`),
    });
  });

  it("changes no file outside the workspace unless asked to, and shows which", async () => {
    const path = join(shop.work, "..", "outside");
    writeFileSync(path, "new");
    shop.put("inside", "new");
    shop.record(
      {},
      {
        "../outside": { before: shop.was("old", "../outside"), after: shop.became("new", "../outside") },
        inside: { before: shop.was("old", "inside"), after: shop.became("new", "inside") },
      },
    );
    const before = lookAtAll(dirname(home.copilot));
    await expect(shop.rewind(0)).rejects.toMatchObject({
      code: "outside-workspace",
      message: `These turns changed files outside the session's folder, ${shop.work}: ${path}`,
      hint: expect.stringContaining("--outside"),
    });
    expect(lookAtAll(dirname(home.copilot))).toEqual(before);
    const { plan } = await shop.rewind(0, { outside: true });
    expect(plan.files).toMatchObject([{ path, isOutside: true }, { path: shop.at("inside") }]);
    expect(plan.files?.[1]).not.toHaveProperty("isOutside");
    expect([readFileSync(path, "utf8"), shop.look("inside")]).toEqual(["old", "old 644"]);
    await home.edit().apply(await home.edit().planUndo());
    expect(lookAtAll(dirname(home.copilot))).toEqual(before);
  });

  it("changes no file of a session that claims to be about everything", async () => {
    shop.aboutFolder("/");
    shop.put("a", "new");
    shop.record({}, { a: { before: shop.was("old", "a"), after: shop.became("new", "a") } });
    await expect(shop.rewind(0)).rejects.toMatchObject({ code: "outside-workspace" });
    expect(shop.look("a")).toBe("new 644");
  });

  it("writes to no other file than the one that it names and looked at", async () => {
    const victim = join(shop.work, "..", "victim");
    for (const [text, after] of [
      ["mine", shop.became("new", "../victim")],
      ["new", shop.became("new", "../victim")],
      ["mine", ABSENT],
    ] as const) {
      writeFileSync(victim, text);
      rmSync(shop.at("a"), { force: true });
      if (after !== ABSENT) shop.put("a", "new");
      shop.record({}, { a: { before: shop.was("old", "../victim"), after } });
      await expect(shop.rewind(0, { outside: true, strict: true })).rejects.toMatchObject({
        code: "changed-since",
        message: expect.stringContaining("a: symbolic links now lead to other files than in these turns"),
      });
      expect(readFileSync(victim, "utf8")).toBe(text);
    }
  });

  it("goes by where links lead now: out of the workspace only when asked to, and never to another file", async () => {
    const elsewhere = join(shop.work, "..", "elsewhere");
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, "a"), "new");
    symlinkSync(elsewhere, shop.at("way"));
    const changed = {
      before: shop.was("old", "../elsewhere/a"),
      after: shop.became("new", "../elsewhere/a"),
    };
    shop.record({}, { "way/a": changed });
    await expect(shop.rewind(0)).rejects.toMatchObject({
      code: "outside-workspace",
      message: expect.stringContaining(`: ${join(elsewhere, "a")}`),
    });
    expect((await shop.rewind(0, { outside: true })).plan.files).toMatchObject([
      { path: shop.at("way/a"), place: join(elsewhere, "a"), isOutside: true },
    ]);
    expect(readFileSync(join(elsewhere, "a"), "utf8")).toBe("old");
    await home.edit().apply(await home.edit().planUndo());
    // The same name leads to another file by now, which happens to say the same.
    shop.put("other/a", "new");
    rmSync(shop.at("way"));
    symlinkSync("other", shop.at("way"));
    await expect(shop.rewind(0, { outside: true, strict: true })).rejects.toMatchObject({
      code: "changed-since",
    });
    expect((await shop.rewind(0, { outside: true })).plan.files).toMatchObject([{ skipped: "link-changed" }]);
    expect(shop.look("other/a")).toBe("new 644");
  });

  it("writes where a link led, and brings back links that were taken away or replaced", async () => {
    shop.put("real", "new");
    symlinkSync("real", shop.at("link"));
    shop.put("once-a-link", "file");
    symlinkSync("real", shop.at("once-a-file"));
    const link = (content?: Image): Image => ({ kind: "symlink", target: "real", resolved: content });
    shop.record(
      {},
      {
        link: { before: link(shop.was("old", "real")), after: link(shop.became("new", "real")) },
        "once-a-link": { before: link(), after: shop.became("file", "once-a-link") },
        "once-a-file": { before: shop.was("file", "once-a-file"), after: link() },
      },
    );
    await shop.rewind(0);
    expect(lookAtAll(shop.work)).toMatchObject({ link: "link real", "once-a-link": "link real" });
    expect(["real", "once-a-file"].map(shop.look)).toEqual(["old 644", "file 644"]);
  });

  it("takes back what agents keep in the session's own folder, and in a copy that of the copy", async () => {
    const own = home.file("files", "art");
    writeFileSync(own, "new");
    const image = (text: string) => ({ ...shop.was(text, "x"), resolvedPath: own });
    shop.record({}, { art: { before: image("old"), after: image("new") } });
    const index = home.file("rewind-file-snapshots", "index.json");
    writeFileSync(index, readFileSync(index, "utf8").replaceAll(shop.at("art"), own));
    const edit = home.edit();
    const { id } = (await edit.apply(await edit.planClone(ID, {}))).plan.session;
    await edit.apply(await edit.planRewind(id, 0, { files: true }));
    expect([own, home.file("..", id, "files", "art")].map((path) => readFileSync(path, "utf8"))).toEqual([
      "new",
      "old",
    ]);
    await shop.rewind(0);
    expect(readFileSync(own, "utf8")).toBe("old");
  });
});
