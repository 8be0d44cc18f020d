/** The library exports its types whole: whatever an exported one speaks of has a name that can be imported, too. */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { builtLibrary } from "./built.ts";

let folder: string;
beforeAll(() => {
  folder = join(builtLibrary(), "types");
}, 120_000);

interface Declared {
  readonly file: string;
  readonly name: string;
  readonly text: string;
  readonly isExported: boolean;
}

const DECLARATION = /^(export )?(?:declare )?(?:interface|type|function|const|class) (\w+)/gm;
const NAMES = /(?:import|export) (?:type )?\{([^}]*)\} from "(\.[^"]+)\.ts"/g;

const declaredIn = (file: string): Declared[] => {
  const text = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const found = [...text.matchAll(DECLARATION)];
  return found.map((match, at) => ({
    file,
    name: match[2] ?? "",
    text: text.slice(match.index, found[at + 1]?.index),
    isExported: match[1] !== undefined,
  }));
};

/** Names that a file has from others, and where they come from. */
const importedBy = (file: string): Map<string, { file: string; name: string }> =>
  new Map(
    [...readFileSync(file, "utf8").matchAll(NAMES)].flatMap(([, names = "", path = ""]) =>
      names
        .split(",")
        .map((part) => part.trim().replace(/^type /, ""))
        .filter((part) => part !== "")
        .map((part) => {
          const [name = "", as = name] = part.split(" as ");
          return [as, { file: `${join(dirname(file), path)}.d.ts`, name }] as const;
        }),
    ),
  );

function find(file: string, name: string): Declared | undefined {
  const here = declaredIn(file).find((it) => it.name === name);
  const from = here ? undefined : importedBy(file).get(name);
  return from ? find(from.file, from.name) : here;
}

/** Words that begin with a capital; of a type that is only picked from, the parts matter and not the name. */
const spokenOf = ({ text }: Declared): Set<string> =>
  new Set(
    text
      .replace(/"[^"]*"/g, "")
      .replace(/\b(Pick|Omit)<\w+/g, "")
      .match(/\b[A-Z]\w*[a-z]\w*\b/g),
  );

it("leaves no type without a name", () => {
  const index = join(folder, "index.d.ts");
  const key = ({ file, name }: Declared): string =>
    `${name} (src/${relative(folder, file).replace(".d.ts", ".ts")})`;
  const exported = [...importedBy(index).values()].flatMap(({ file, name }) => find(file, name) ?? []);
  const names = new Set(exported.map(key));
  const missing = exported.flatMap((it) =>
    [...spokenOf(it)].flatMap((word) => {
      const meant = find(it.file, word);
      return meant?.isExported && !names.has(key(meant)) ? [`${it.name} speaks of ${key(meant)}`] : [];
    }),
  );
  expect(exported.length).toBeGreaterThan(100);
  expect(missing, "export these from src/index.ts, too").toEqual([]);
});
