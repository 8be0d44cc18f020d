/**
 * Three things that are easily got wrong with data from outside, looked for in every file by its types: members that
 * are read or set by a key that may be any text (`constructor`, `__proto__`), values of any kind that are put into a
 * text or made a number (an object whose `toString` is no function throws), and texts that are put into a line for a
 * shell without quotes.
 */
import { join, relative } from "node:path";
import type { Node } from "typescript/unstable/ast";
import {
  isBinaryExpression,
  isCallExpression,
  isDeleteExpression,
  isElementAccessExpression,
  isIdentifier,
  isNewExpression,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isTemplateSpan,
  SyntaxKind,
} from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";
import { beforeAll, expect, it } from "vitest";
import { COMMANDS } from "../src/cli/commands.ts";

const root = join(import.meta.dirname, "..");
/** What may be done nowhere else is done here. */
const HELPERS = ["src/model/values/member.ts", "src/model/text/printed.ts"];
/** Values of databases are texts, numbers or nothing, whatever their type says. */
const SAFE_VALUES = ["src/store/", "src/platform/", "src/cli/print/answers/rows.ts"];

const ANY_TEXT = /^(string|any|unknown)\b/;
const ANYTHING = /^(unknown|any|object|JsonObject|Fields|Block|\{\})\b|^\{\}|Record<string, unknown>/;
const CONVERTING = new Set(["String", "Number", "BigInt", "Date", "parseInt", "parseFloat"]);

/** A command begins here, and a value of this type follows in it. */
const COMMAND = new RegExp(
  `(?:^|[\\s:(])(?:rethread (?:${Object.keys(COMMANDS).join("|")})\\b|(?:copilot|claude|code) --)[^.;,]*$`,
);
/** They speak of our own words only. */
const OWN_WORDS = ["src/cli/main.ts", "src/cli/print/terminal/completion.ts"];
/** Numbers, and a choice of texts of our own. */
const HARMLESS = /^(?:number\b|"[^"]*"(?: \| "[^"]*")*$)/;

const found = {
  lookups: [] as string[],
  conversions: [] as string[],
  unquoted: [] as string[],
  files: 0,
};

beforeAll(() => {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, "tsconfig.json")] }).getProjects();
    if (!project) throw new Error("there is no project to look at");
    const { checker, program } = project;
    const typeOf = (node: Node): string => {
      const type = checker.getTypeAtLocation(node);
      return type ? checker.typeToString(type) : "any";
    };
    for (const path of program.getSourceFileNames()) {
      const file = relative(root, path).replaceAll("\\", "/");
      if (!file.startsWith("src/") || file.endsWith(".test.ts") || HELPERS.includes(file)) continue;
      const source = program.getSourceFile(path);
      if (!source) continue;
      found.files++;
      const shown = (node: Node): string => {
        const text = source.text.slice(node.pos, node.end);
        const line = source.text.slice(0, node.end - text.trimStart().length).split("\n").length;
        return `${file}:${line} ${text.trim().replaceAll(/\s+/g, " ").slice(0, 80)}`;
      };
      const isSafe = SAFE_VALUES.some((place) => file.startsWith(place));
      const convert = (value: Node, whole: Node): void => {
        // What is caught was thrown by code, not by data.
        const isError = isIdentifier(value) && value.text === "error";
        if (!isSafe && !isError && ANYTHING.test(typeOf(value))) found.conversions.push(shown(whole));
      };
      const visit = (node: Node, above: Node): void => {
        if (isElementAccessExpression(node) && !isDeleteExpression(above)) {
          const isTextual = ANY_TEXT.test(typeOf(node.argumentExpression));
          if (isTextual) found.lookups.push(shown(node));
        }
        if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword)
          if (ANY_TEXT.test(typeOf(node.left)) && !typeOf(node.left).startsWith('"'))
            found.lookups.push(shown(node));
        if (isTemplateExpression(node) && !isTaggedTemplateExpression(above) && !OWN_WORDS.includes(file))
          for (const [number, span] of node.templateSpans.entries()) {
            const before = number === 0 ? node.head : node.templateSpans[number - 1]?.literal;
            const isQuoted =
              isTaggedTemplateExpression(span.expression) || HARMLESS.test(typeOf(span.expression));
            if (before && COMMAND.test(before.text) && !isQuoted) found.unquoted.push(shown(node));
          }
        if (isTemplateSpan(node)) convert(node.expression, node.expression);
        if ((isCallExpression(node) || isNewExpression(node)) && isIdentifier(node.expression)) {
          const [value] = node.arguments ?? [];
          if (value && CONVERTING.has(node.expression.text)) convert(value, node);
        }
        node.forEachChild((child) => visit(child, node));
      };
      source.forEachChild((child) => visit(child, source));
    }
  } finally {
    api.close();
  }
}, 120_000);

it("looks at every file", () => {
  expect(found.files).toBeGreaterThan(500);
});

it("reads and sets members by names from outside as own members only", () => {
  expect(found.lookups, "use memberOf and setMember of src/model/values/member.ts, or a Map").toEqual([]);
});

it("puts no value of an unknown kind into a text or a number as it is", () => {
  expect(found.conversions, "use printed of src/model/text/printed.ts, or ask for the type first").toEqual(
    [],
  );
});

it("quotes what it puts into lines for a shell", () => {
  expect(found.unquoted, "use shellLine or toShell of src/model/text/shell-words.ts").toEqual([]);
});
