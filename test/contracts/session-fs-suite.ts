/** What every SessionFs must do, written once, for whatever keeps files. */
import { describe, expect, it } from "vitest";
import { type SessionFs, statEach } from "../../src/platform/fs/session-fs.ts";

/** `open` is asked once the tests run; `base` is a folder in which anything may be made. */
export const describeSessionFs = (
  name: string,
  open: () => { readonly fs: SessionFs; readonly base: string },
): void => {
  describe(name, () => {
    let turn = 0;
    const fresh = async (): Promise<string> => {
      const path = `${open().base}/${turn++}`;
      await open().fs.mkdir(path);
      return path;
    };
    const text = async (path: string): Promise<string> => Buffer.from(await open().fs.read(path)).toString();

    it("reads back what was written and appended, whole and in part", async () => {
      const { fs } = open();
      const dir = await fresh();
      await fs.write(`${dir}/a`, "hello");
      await fs.append(`${dir}/a`, Buffer.from(" world"));
      await fs.append(`${dir}/new`, "first");
      expect(await text(`${dir}/a`)).toBe("hello world");
      expect(await text(`${dir}/new`)).toBe("first");
      expect(Buffer.from(await fs.read(`${dir}/a`, { start: 6, end: 9 })).toString()).toBe("wor");
      expect(Buffer.from(await fs.read(`${dir}/a`, { start: 6, end: 900 })).toString()).toBe("world");
      const pieces: Buffer[] = [];
      for await (const chunk of fs.chunks(`${dir}/a`, { start: 2, end: 7 })) pieces.push(Buffer.from(chunk));
      expect(Buffer.concat(pieces).toString()).toBe("llo w");
    });

    it("tells size, kind and mode", async () => {
      const { fs } = open();
      const dir = await fresh();
      await fs.write(`${dir}/a`, "hello", 0o640);
      await fs.append(`${dir}/made`, "hello");
      expect(await fs.stat(`${dir}/a`)).toMatchObject({ kind: "file", size: 5, mode: 0o640 });
      expect(await fs.stat(`${dir}/made`)).toMatchObject({ kind: "file", size: 5, mode: 0o600 });
      expect(await fs.stat(dir)).toMatchObject({ kind: "folder" });
      expect(await fs.exists(`${dir}/a`)).toBe(true);
      expect(await fs.exists(`${dir}/b`)).toBe(false);
    });

    it("looks at many files at once, whatever some of them are", async () => {
      const { fs } = open();
      const dir = await fresh();
      await fs.write(`${dir}/a`, "hello");
      const answers = await statEach(fs, [`${dir}/none`, `${dir}/a`, dir]);
      expect(answers).toEqual([undefined, await fs.stat(`${dir}/a`), await fs.stat(dir)]);
    });

    it("sets the time of a file", async () => {
      const { fs } = open();
      const dir = await fresh();
      await fs.write(`${dir}/a`, "hello");
      await fs.touch?.(`${dir}/a`, 1_700_000_000_000);
      expect((await fs.stat(`${dir}/a`)).mtimeMs).toBe(1_700_000_000_000);
    });

    it("lists a folder with kinds", async () => {
      const { fs } = open();
      const dir = await fresh();
      await fs.mkdir(`${dir}/deep/er`);
      await fs.write(`${dir}/a`, "");
      const entries = (await fs.readdir(dir)).sort((a, b) => (a.name < b.name ? -1 : 1));
      expect(entries).toEqual([
        { name: "a", kind: "file" },
        { name: "deep", kind: "folder" },
      ]);
    });

    it("renames files and folders over what is there, and removes them", async () => {
      const { fs } = open();
      const dir = await fresh();
      await fs.mkdir(`${dir}/from`);
      await fs.write(`${dir}/from/a`, "new");
      await fs.write(`${dir}/b`, "old");
      await fs.rename(`${dir}/from/a`, `${dir}/b`);
      expect(await text(`${dir}/b`)).toBe("new");
      await fs.write(`${dir}/from/c`, "c");
      await fs.rename(`${dir}/from`, `${dir}/to`);
      expect(await text(`${dir}/to/c`)).toBe("c");
      expect(await fs.exists(`${dir}/from`)).toBe(false);
      await fs.rm(`${dir}/to`);
      await fs.rm(`${dir}/never-there`);
      expect(await fs.exists(`${dir}/to/c`)).toBe(false);
    });

    it("fails with the codes that callers tell apart", async () => {
      const { fs } = open();
      const dir = await fresh();
      await expect(fs.read(`${dir}/none`)).rejects.toMatchObject({ code: "ENOENT" });
      await expect(fs.stat(`${dir}/none`)).rejects.toMatchObject({ code: "ENOENT" });
      await expect(fs.readdir(`${dir}/none`)).rejects.toMatchObject({ code: "ENOENT" });
      await expect(fs.write(`${dir}/none/a`, "x")).rejects.toMatchObject({ code: "ENOENT" });
      await expect(fs.rename(`${dir}/none`, `${dir}/x`)).rejects.toMatchObject({ code: "ENOENT" });
      await expect(fs.read(dir)).rejects.toMatchObject({ code: "EISDIR" });
      await fs.write(`${dir}/file`, "");
      await expect(fs.readdir(`${dir}/file`)).rejects.toMatchObject({ code: "ENOTDIR" });
    });
  });
};
