/** Which calls of tools are commands that build, check or run a project, and which of them are the same. Pure. */

/** Programs that do; what only looks around or writes history is no knowledge about a project. */
const PROGRAMS: ReadonlySet<string> = new Set(
  `npm pnpm yarn bun bunx npx node deno tsc vitest jest playwright eslint biome prettier
   make just task cmake ctest ninja meson bazel cargo go gotestsum golangci-lint
   python python3 pytest tox nox uv poetry pipenv ruff mypy black django-admin
   mvn ./mvnw gradle ./gradlew sbt lein dotnet msbuild
   bundle rake rspec rubocop rails mix composer phpunit artisan php
   flutter dart swift xcodebuild pod fastlane
   docker docker-compose podman terraform tofu helm ansible-playbook alembic`
    .split(/\s+/)
    .filter(Boolean),
);

/** These name what they run in their second word. */
const RUNNERS: ReadonlySet<string> = new Set([
  "npx",
  "bunx",
  "uv",
  "poetry",
  "bundle",
  "docker",
  "yarn",
  "pnpm",
]);
const RUN_WORDS: ReadonlySet<string> = new Set(["run", "exec", "compose", "x", "dlx"]);

/** What they run is their first word that is no option. */
const INTERPRETERS: ReadonlySet<string> = new Set(["node", "deno", "python", "python3", "php"]);
/** Done once, for one package. */
const INSTALLS: ReadonlySet<string> = new Set([
  "install",
  "i",
  "add",
  "remove",
  "uninstall",
  "update",
  "upgrade",
]);

/** Pipes, redirections and several lines belong to one occasion. */
const OCCASIONAL = /[|;<>\n`]|\$\(/;
const LONGEST = 120;

export interface Command {
  /** As it was run, without going to a folder first. */
  readonly text: string;
  /** What it has in common with runs of the same with other files and options. */
  readonly head: string;
}

/** Nothing for what is no such command. */
export function toCommand(label: string): Command | undefined {
  const text = label
    .trim()
    .replace(/^cd \S+ && /, "")
    .replace(/[ \t]+/g, " ");
  if (text === "" || text.length > LONGEST || OCCASIONAL.test(text)) return undefined;
  const words = text.split(" ");
  // Variables that are set for the run stand before it.
  const from = words.findIndex((word) => !/^\w+=/.test(word));
  const [program = "", second = "", ...rest] = words.slice(Math.max(0, from));
  const [third = ""] = rest;
  if (!PROGRAMS.has(program)) return undefined;
  if (INSTALLS.has(second) && rest.some((word) => !word.startsWith("-"))) return undefined;
  if (INTERPRETERS.has(program)) return { text, head: [program, second, third].join(" ").trim() };
  const isPlain = (word: string): boolean => /^[a-z][\w:-]*$/i.test(word);
  const named = [program, ...(isPlain(second) ? [second] : [])];
  const hasThird = named.length === 2 && isPlain(third) && (RUNNERS.has(program) || RUN_WORDS.has(second));
  return { text, head: [...named, ...(hasThird ? [third] : [])].join(" ") };
}
