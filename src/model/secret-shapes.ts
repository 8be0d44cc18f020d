/** Secrets known by their looks alone, wherever they stand: the table of token formats, keys and URLs. */
import type { Span } from "./secret-span.ts";

interface Shape {
  readonly kind: string;
  /** A text without this holds none of these; asking is far cheaper than matching. */
  readonly needs: string;
  /** Group `before` stays, group `secret` goes; without groups all of the match goes. */
  readonly pattern: RegExp;
  readonly accepts?: (secret: string) => boolean;
}

/**
 * A token starts where a word does; but an escaped line feed and a color of the terminal end in a letter, too. Asked
 * behind the start and not before it, because a pattern that begins with plain letters is found much faster.
 */
const atStart = (start: string): string =>
  String.raw`${start}(?<=(?:^|[^A-Za-z0-9_]|\\[nrtbf]|\[[\d;]{0,9}m)${start})`;
/** Terminals and mails break long tokens; in JSON inside a text the line feed itself is escaped. */
const BREAK = String.raw`(?:\\?\r?\n[ \t]*|(?:\\r)?\\n[ \t]*)`;

const WORD = "[A-Za-z0-9]";
const URL_SAFE = "[A-Za-z0-9_-]";
const HEX = "[0-9a-f]";

/** Service, what its tokens start with (a pattern), of which characters and how many they are made at least. */
const TOKENS: readonly (readonly [
  service: string,
  needs: string,
  start: string,
  of: string,
  least: number,
])[] = [
  ["github token", "gh", "gh[pousr]_", WORD, 36],
  ["github token", "github_pat_", "github_pat_", "[A-Za-z0-9_]", 40],
  ["gitlab token", "gl", "gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent|oas)-", "[A-Za-z0-9_.-]", 20],
  ["anthropic key", "sk-ant-", "sk-ant-", URL_SAFE, 24],
  ["openai key", "sk-", "sk-(?:proj|svcacct|admin|None)-", URL_SAFE, 20],
  ["openai key", "sk-", "sk-", WORD, 32],
  ["openrouter key", "sk-or-", "sk-or-v\\d-", WORD, 32],
  ["google key", "AIza", "AIza", URL_SAFE, 35],
  ["google secret", "GOCSPX-", "GOCSPX-", URL_SAFE, 24],
  ["google token", "ya29.", "ya29\\.", URL_SAFE, 20],
  ["slack token", "xox", "xox[abeoprs](?:\\.xox[bp])?-", "[A-Za-z0-9-]", 10],
  ["slack token", "xapp-", "xapp-\\d-", "[A-Za-z0-9-]", 20],
  ["stripe key", "k_", "(?:sk|rk)_(?:live|test|prod)_", WORD, 16],
  ["webhook secret", "whsec_", "whsec_", "[A-Za-z0-9+/=]", 24],
  ["npm token", "npm_", "npm_", WORD, 36],
  ["pypi token", "pypi-", "pypi-", URL_SAFE, 50],
  ["rubygems key", "rubygems_", "rubygems_", HEX, 40],
  ["docker token", "dckr_", "dckr_(?:pat|oat)_", URL_SAFE, 24],
  ["hugging face token", "hf_", "hf_", WORD, 30],
  ["groq key", "gsk_", "gsk_", WORD, 40],
  ["xai key", "xai-", "xai-", WORD, 60],
  ["perplexity key", "pplx-", "pplx-", WORD, 40],
  ["replicate token", "r8_", "r8_", WORD, 36],
  ["sendgrid key", "SG.", "SG\\.[A-Za-z0-9_-]{16,32}\\.", URL_SAFE, 32],
  ["digitalocean token", "_v1_", "do[opr]_v1_", HEX, 64],
  ["databricks token", "dapi", "dapi", HEX, 32],
  ["vault token", "hv", "hv[sbr]\\.", URL_SAFE, 24],
  ["doppler token", "dp.", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?", WORD, 40],
  ["linear key", "lin_", "lin_(?:api|oauth)_", WORD, 32],
  ["notion token", "ntn_", "ntn_", WORD, 40],
  ["shopify token", "shp", "shp(?:at|ca|pa|ss)_", "[0-9a-fA-F]", 32],
  ["twilio key", "SK", "SK", HEX, 32],
  ["mailgun key", "key-", "key-", HEX, 32],
  ["figma token", "figd_", "figd_", URL_SAFE, 36],
  ["postman key", "PMAK-", "PMAK-", "[0-9a-f-]", 50],
  ["new relic key", "NRAK-", "NRAK-", "[A-Z0-9]", 27],
  ["sentry token", "sntry", "sntry[su]_", "[A-Za-z0-9+/=_-]", 40],
  ["grafana token", "gl", "gl(?:sa|c)_", "[A-Za-z0-9+/=_]", 32],
  ["supabase token", "sbp_", "sbp_", HEX, 40],
  ["planetscale token", "pscale_", "pscale_(?:tkn|pw|oauth)_", "[A-Za-z0-9_.=-]", 32],
  ["tailscale key", "tskey-", "tskey-[a-z]+-", URL_SAFE, 20],
  ["1password token", "ops_eyJ", "ops_eyJ", "[A-Za-z0-9+/=_-]", 100],
  ["atlassian token", "ATATT3", "ATATT3", "[A-Za-z0-9_=-]", 60],
  ["azure secret", "Q~", "[A-Za-z0-9_~.-]{3}\\dQ~", "[A-Za-z0-9_~.-]", 31],
  ["age key", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1", "[A-Z0-9]", 50],
  ["aws access key", "IA", "A[KS]IA", "[A-Z2-7]", 16],
];

const toShape = ([kind, needs, start, of, least]: (typeof TOKENS)[number]): Shape => ({
  kind,
  needs,
  pattern: new RegExp(`${atStart(start)}(?:${of}{${least},}|(?:${of}${BREAK}?){${least - 1}}${of}+)`, "g"),
  accepts: isMadeUpOfMany,
});

/** Nobody's token is `ghp_xxxxxxxx…`; and over a line break a column of plain words may look like one. */
function isMadeUpOfMany(secret: string): boolean {
  if (new Set(secret.slice(-16)).size < 5) return false;
  return !/[\n\\]/.test(secret) || (/\d/.test(secret) && secret.split(/\n|\\n/).length <= 4);
}

/** Broken at the edge of a window, all lines but the first and the last are long. */
const JWT_PART = `${URL_SAFE}+(?:${BREAK}${URL_SAFE}{20,}){0,60}(?:${BREAK}${URL_SAFE}+)?`;
const PRIVATE_KEY = "PRIVATE KEY(?: BLOCK)?-----";

const OTHERS: readonly Shape[] = [
  {
    kind: "private key",
    needs: "PRIVATE KEY",
    // Up to its end; where that was cut off, as long as lines of it follow, whatever stands at their beginning.
    pattern: new RegExp(
      `-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}${PRIVATE_KEY}(?:(?:[^-]|-(?!----BEGIN)){0,20000}?-----END (?:[A-Z0-9]{1,12} ){0,4}${PRIVATE_KEY}|(?:[\\s\\S]{0,24}?[A-Za-z0-9+/=]{32,})+)`,
      "g",
    ),
  },
  {
    kind: "web token",
    needs: "eyJ",
    pattern: new RegExp(
      `${atStart("eyJ")}${JWT_PART}\\.${BREAK}?(?:eyJ)?${JWT_PART}\\.${BREAK}?${URL_SAFE}{8,}`,
      "g",
    ),
  },
  {
    kind: "aws secret key",
    needs: "IA",
    // As in the file that AWS gives out, and in what its tools print: the one beside the other.
    pattern:
      /(?<before>(?:AKIA|ASIA)[A-Z2-7]{16}[\s,;:|"'\\]{1,8})(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/g,
  },
  {
    kind: "azure key",
    needs: "Key=",
    pattern: /(?<before>(?:AccountKey|SharedAccessKey|AccessKey)=)(?<secret>[A-Za-z0-9+/]{20,}={0,2})/g,
  },
  {
    kind: "url signature",
    needs: "sig",
    pattern: /(?<before>[?&]sig=)(?<secret>[A-Za-z0-9%+/=_-]{20,})/g,
  },
  {
    kind: "url signature",
    needs: "X-",
    pattern:
      /(?<before>[?&]X-(?:Amz|Goog)-(?:Signature|Security-Token|Credential)=)(?<secret>[A-Za-z0-9%+/=_.-]{16,})/g,
  },
  {
    kind: "slack webhook",
    needs: "hooks.slack.com/",
    pattern:
      /(?<before>hooks\.slack\.com\/(?:services|workflows|triggers)\/)(?<secret>[A-Za-z0-9]+\/[A-Za-z0-9]+\/[A-Za-z0-9/]+)/g,
  },
  {
    kind: "discord webhook",
    needs: "/api/webhooks/",
    pattern: /(?<before>discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d+\/)(?<secret>[A-Za-z0-9_-]{40,})/g,
  },
  {
    kind: "telegram token",
    needs: ":AA",
    pattern: /(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g,
  },
  {
    kind: "password hash",
    needs: "$",
    pattern:
      /\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|(?:apr1|[156])\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{22,86})/g,
  },
  {
    kind: "cookie",
    needs: "ookie",
    pattern:
      /(?<before>(?<![A-Za-z])(?:set-)?cookie\\*["']?[ \t]{0,9}:[ \t]{0,9}\\*["']?)(?<secret>[^\r\n"'\\]{8,4000})/gi,
    accepts: (secret) => /=[^;\s]{0,200}\d/.test(secret) && /[A-Za-z0-9%_+/-]{16,}/.test(secret),
  },
  {
    kind: "url password",
    needs: "://",
    // To the last @ before a slash, because people do not escape the ones in their passwords.
    pattern: /(?<before>:\/\/[^\s/@:"'<>\\]{0,100}:)(?<secret>[^\s/"'<>\\]{1,200})(?=@)/g,
    accepts: (secret) => !/^[$%{[*]|^(?:x+|password|passwd|pass|pwd|secret|token)$/i.test(secret),
  },
];

const SHAPES: readonly Shape[] = [...TOKENS.map(toShape), ...OTHERS];

export function findShapes(text: string): Span[] {
  const spans: Span[] = [];
  for (const { kind, needs, pattern, accepts } of SHAPES) {
    if (!text.includes(needs)) continue;
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.secret ?? match[0];
      if (accepts && !accepts(secret)) continue;
      const start = match.index + (match.groups?.before?.length ?? 0);
      spans.push({ start, end: start + secret.length, kind, isNamed: false });
    }
  }
  return spans;
}
