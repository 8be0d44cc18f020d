/** Secrets in options that only one program reads: `curl -u name:…`, `sshpass -p …`, `~/.netrc`. */
import { toSpan } from "./names.ts";
import type { Span } from "./span.ts";

const OPTIONS: readonly { readonly needs: string; readonly before: RegExp }[] = [
  {
    needs: "curl",
    before:
      /\bcurl\b[^\n|]{0,300}?[ \t](?:-[a-zA-Z]{0,4}u|--user|--proxy-user)[ =]?\\*["']?[^\s:"'\\]{1,80}:/g,
  },
  { needs: "sshpass", before: /\bsshpass[ \t]+-p[ \t]*/g },
  { needs: "mysql", before: /\bmysql(?:dump|admin)?\b[^\n|]{0,200}?[ \t]-p(?=\S)/g },
  { needs: "redis-cli", before: /\bredis-cli\b[^\n|]{0,200}?[ \t](?:-a|--pass)[ \t]+/g },
  { needs: "login", before: /\blogin[ \t\n]+\S{1,80}[ \t\n]+password[ \t\n]+/g },
];

export function findInOptions(text: string): Span[] {
  return OPTIONS.filter(({ needs }) => text.includes(needs)).flatMap(({ before }) =>
    Array.from(text.matchAll(before)).flatMap((match) => {
      const at = match.index + match[0].length;
      return toSpan(text, { at, kind: "password", manner: "plain", bare: "word" }) ?? [];
    }),
  );
}
