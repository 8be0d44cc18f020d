/** Which room may import which, checked for every file; and who alone may touch the machine. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const MAY_IMPORT: Record<string, readonly string[]> = {
  model: [],
  platform: ["model"],
  sources: ["model", "platform"],
  bundle: ["model", "platform"],
  store: ["model", "platform"],
  indexer: ["model", "sources", "store"],
  query: ["model", "sources", "store"],
  edit: ["model", "platform", "sources", "store", "bundle"],
  bridge: ["model", "platform", "sources"],
  demo: ["model", "platform", "sources"],
  chronicle: ["model", "platform", "store", "query"],
  hub: ["model", "platform", "sources", "store", "indexer", "query"],
  app: [
    ...["model", "platform", "sources", "store", "bundle", "indexer", "query", "edit", "bridge", "demo"],
    ...["chronicle", "hub"],
  ],
  present: ["model", "app"],
  operations: ["model", "app", "present"],
  /** Of operations only their types: see below. */
  client: ["operations"],
  server: ["model", "platform", "app", "present", "operations", "client"],
  /** Beside the server, of which it takes the list of changes and who may ask. */
  mcp: ["model", "platform", "app", "present", "operations", "server"],
  cli: ["model", "app", "present", "operations", "server", "mcp"],
};
/** These touch disk, processes and databases, and only `platform` may. */
const MACHINE = /^node:(fs|sqlite|child_process|net|http)/;
/** Reading the environment is the business of one file each. */
const READS_ENVIRONMENT = ["app/config.ts", "cli/main.ts"];

const src = resolve(import.meta.dirname, "../src");
const files = globSync("**/*.ts", { cwd: src })
  .filter((file) => !file.endsWith(".test.ts"))
  .sort();

const importsOf = (file: string): string[] => {
  const text = readFileSync(join(src, file), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
};
const roomOf = (file: string): string => (file.includes("/") ? (file.split("/")[0] ?? "") : "index");

/** The rooms that a file imports from. The package's own description lies outside of them. */
const roomsOf = (file: string): string[] =>
  importsOf(file)
    .filter((path) => path.startsWith(".") && !path.endsWith("/package.json"))
    .map((path) => roomOf(relative(src, resolve(src, dirname(file), path))));

describe("the rooms", () => {
  it("has files to check", () => {
    expect(files.length).toBeGreaterThan(500);
    expect(importsOf("cli/main.ts").length).toBeGreaterThan(1);
  });

  it("import only what lies to their left", () => {
    const crossing = files
      .filter((file) => roomOf(file) !== "index")
      .flatMap((file) => roomsOf(file).map((room) => [file, roomOf(file), room] as const))
      .filter(([, own, room]) => room !== own && !MAY_IMPORT[own]?.includes(room));
    expect(crossing).toEqual([]);
  });

  it("leave the machine to platform", () => {
    const touching = files.filter(
      (file) => roomOf(file) !== "platform" && importsOf(file).some((path) => MACHINE.test(path)),
    );
    expect(touching).toEqual([]);
  });

  it("keep the client fit for browsers: of other rooms it has types alone, and nothing of Node", () => {
    const client = files.filter((file) => roomOf(file) === "client");
    expect(client.length).toBeGreaterThan(5);
    const loaded = client.flatMap((file) =>
      [
        ...readFileSync(join(src, file), "utf8").matchAll(
          /^(?:import|export) (?!type )[^;]*?from "([^"]+)"/gm,
        ),
      ].map((match) => match[1] ?? ""),
    );
    expect(loaded.filter((path) => !path.startsWith("./"))).toEqual([]);
  });

  it("leave the pages free of Node, whose modules a browser does not have", () => {
    const loaded = new Set<string>();
    const ofNode: string[] = [];
    const load = (file: string): void => {
      if (loaded.has(file) || !/\.tsx?$/.test(file)) return;
      loaded.add(file);
      const text = readFileSync(file, "utf8");
      const paths = [
        ...text.matchAll(/^(?:import|export) (?!type )(?:[^;"]*?from )?"([^"]+)"/gm),
        ...text.matchAll(/import\("([^"]+)"\)/g),
      ].map((match) => match[1] ?? "");
      for (const path of paths) {
        if (path.startsWith("node:")) ofNode.push(`${relative(src, file)} -> ${path}`);
        if (path.startsWith(".")) load(resolve(dirname(file), path));
      }
    };
    load(resolve(src, "../web/src/main.tsx"));
    expect(loaded.size).toBeGreaterThan(300);
    expect(ofNode).toEqual([]);
  });

  it("leave the environment to one file each", () => {
    const reading = files.filter(
      (file) =>
        !READS_ENVIRONMENT.includes(file) &&
        /process\.env|os\.homedir|homedir\(/.test(readFileSync(join(src, file), "utf8")),
    );
    expect(reading).toEqual([]);
  });

  it("leave it to one file how paths of Windows and POSIX differ", () => {
    const deciding = files.filter((file) =>
      /\{[^}]*\bwin32\b[^}]*\} from "node:path"/.test(readFileSync(join(src, file), "utf8")),
    );
    expect(deciding).toEqual(["model/values/paths.ts"]);
  });

  it("keeps one source from importing another", () => {
    /** Other folders beside the sources are for all of them. */
    const sources = files.flatMap((file) => /^sources\/([^/]+)\/index\.ts$/.exec(file)?.[1] ?? []);
    expect(sources.length).toBeGreaterThan(2);
    const crossing = files
      .filter((file) => /^sources\/[^/]+\//.test(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((path) => path.startsWith("."))
          .map((path) => relative(src, resolve(src, dirname(file), path)))
          .filter((target) => {
            const [room, source = ""] = target.split("/");
            return room === "sources" && sources.includes(source) && source !== file.split("/")[1];
          })
          .map((target) => `${file} -> ${target}`),
      );
    expect(crossing).toEqual([]);
  });
});

/** What editors may not read through the SessionFs they are given, and why. */
const PAST_THE_FS: Record<string, string> = {
  "platform/sqlite/key-values-in.ts":
    "SQLite opens files itself; elsewhere than on the disk it gets a copy of the bytes",
  "platform/sqlite/key-value-db.ts": "SQLite makes the bytes of a new database in a temporary file",
  "platform/sqlite/sqlite.ts": "the codes of SQLite's errors",
  "platform/process/process-look.ts": "which processes run is known to the machine alone",
  "platform/process/lock-owner.ts": "a lock is held by a process of this machine",
};

describe("editors", () => {
  /** Types are gone when the code runs. */
  const loadedBy = (file: string): string[] =>
    [
      ...readFileSync(join(src, file), "utf8").matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)"/gm),
    ].map((match) => match[1] ?? "");
  const known = new Map<string, boolean>();
  const touchesMachine = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    known.set(file, false); // for imports in a circle
    const is = loadedBy(file).some((path) =>
      path.startsWith(".")
        ? touchesMachine(relative(src, resolve(src, dirname(file), path)))
        : MACHINE.test(path),
    );
    known.set(file, is);
    return is;
  };
  const past = files
    .filter((file) => /^sources\/[^/]+\/edit\//.test(file))
    .flatMap((file) =>
      loadedBy(file)
        .filter((path) => path.includes("/platform/"))
        .map((path) => relative(src, resolve(src, dirname(file), path)))
        .filter(touchesMachine)
        .map((module) => ({ file, module })),
    );

  it("read files through the SessionFs they are given, and no other way", () => {
    expect(past.filter(({ module }) => !(module in PAST_THE_FS))).toEqual([]);
  });

  it("have no reason that nobody needs any more", () => {
    const needed = new Set(past.map(({ module }) => module));
    expect(Object.keys(PAST_THE_FS).filter((module) => !needed.has(module))).toEqual([]);
  });
});

describe("the pages", () => {
  const web = resolve(src, "../web/src");
  const pages = globSync("**/*.{ts,tsx}", { cwd: web }).sort();
  /** Beyond types, which are gone when the code runs. */
  const loaded = pages.flatMap((file) =>
    [
      ...readFileSync(join(web, file), "utf8").matchAll(
        /(?:^(?:import|export) (?!type )[^;]*?from |import\()\s*"([^"]+)"/gm,
      ),
    ].map((match) => ({ file, path: match[1] ?? "" })),
  );
  const own = loaded.filter(({ path }) => path.startsWith("."));

  it("load nothing of the program but its client and what is pure", () => {
    expect(own.length).toBeGreaterThan(100);
    const rooms = own
      .map(({ file, path }) => ({ file, room: relative(src, resolve(web, dirname(file), path)) }))
      .filter(({ room }) => !room.startsWith("../web/"));
    expect(rooms.filter(({ room }) => !/^(client|model|present)\//.test(room))).toEqual([]);
  });

  it("load what is heavy only when a view needs it", () => {
    const heavy = /^(uplot|shiki|markdown-it|codemirror|@codemirror\/|@shikijs\/)/;
    const eager = pages
      .filter((file) => !/^(pages|text)\//.test(file))
      .filter((file) => loaded.some((each) => each.file === file && heavy.test(each.path)));
    expect(eager).toEqual([]);
  });

  it("put no HTML into the page but through the one renderer", () => {
    const writing = pages.filter((file) =>
      /dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write/.test(
        readFileSync(join(web, file), "utf8"),
      ),
    );
    expect(writing.filter((file) => !file.startsWith("text/"))).toEqual([]);
  });
});

it("names the source that was added last in its folder, and where a new one adds a line, but nowhere else", () => {
  const pages = resolve(src, "../web/src");
  const views = globSync("**/*.{ts,tsx}", { cwd: pages }).filter((file) => !file.includes(".test."));
  const named = [...files.map((file) => join(src, file)), ...views.map((file) => join(pages, file))]
    .filter((file) => /codex/i.test(readFileSync(file, "utf8")))
    .map((file) => relative(resolve(src, ".."), file).replaceAll("\\", "/"))
    .filter((file) => !file.startsWith("src/sources/codex/"));
  expect(named).toEqual(["src/demo/places.ts", "src/sources/registry.ts", "web/src/lib/sources.ts"]);
});
