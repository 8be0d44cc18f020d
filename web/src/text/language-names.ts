/** Which language a fence or a file name means. */

const LANGUAGES =
  "bash c clojure cpp csharp css dart diff docker elixir go graphql haskell hcl html ini java javascript json jsonc jsx kotlin lua make markdown nix objective-c perl php powershell prisma proto python r ruby rust scala scss sql svelte swift toml tsx typescript vue xml yaml zig".split(
    " ",
  );

const OTHER_NAMES: Readonly<Record<string, string>> = {
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  console: "bash",
  shellscript: "bash",
  h: "c",
  clj: "clojure",
  "c++": "cpp",
  cc: "cpp",
  cxx: "cpp",
  hpp: "cpp",
  hh: "cpp",
  cs: "csharp",
  "c#": "csharp",
  patch: "diff",
  dockerfile: "docker",
  containerfile: "docker",
  ex: "elixir",
  exs: "elixir",
  golang: "go",
  gql: "graphql",
  hs: "haskell",
  tf: "hcl",
  terraform: "hcl",
  htm: "html",
  cfg: "ini",
  conf: "ini",
  properties: "ini",
  env: "ini",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsonl: "json",
  json5: "jsonc",
  kt: "kotlin",
  kts: "kotlin",
  makefile: "make",
  mk: "make",
  md: "markdown",
  mdx: "markdown",
  m: "objective-c",
  pl: "perl",
  ps1: "powershell",
  pwsh: "powershell",
  protobuf: "proto",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sass: "scss",
  less: "scss",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  svg: "xml",
  plist: "xml",
  yml: "yaml",
};

/** What a fence says: `ts`, `TypeScript`, `ts title="a.ts"`. */
export function languageOf(name: string): string | undefined {
  const word = (/^[^\s{,:;]+/.exec(name.trim())?.[0] ?? "").toLowerCase();
  if (LANGUAGES.includes(word)) return word;
  return Object.hasOwn(OTHER_NAMES, word) ? OTHER_NAMES[word] : undefined;
}

export function languageOfPath(path: string): string | undefined {
  const name = path.split(/[\\/]/).at(-1) ?? "";
  return languageOf(name.slice(name.lastIndexOf(".") + 1));
}
