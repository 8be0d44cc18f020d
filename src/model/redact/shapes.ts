/** Finds secrets by their format: the table of token formats, keys and URLs. */
import type { Span } from "./span.ts";
import { looksRandom } from "./values.ts";

export interface Shape {
  readonly kind: string;
  /** A text without any of this holds none of these; asking is far cheaper than matching. */
  readonly needs: readonly string[];
  /** Group `before` stays, group `secret` goes; without groups all of the match goes. */
  readonly pattern: RegExp;
  readonly accepts?: (secret: string) => boolean;
}

/**
 * Where a token may begin. `anywhere`: its start is so telling that even letters may stand right before it, as in
 * `prefix_ghp_…` or `tokenghp_…`; only inside a long run of letters it is an accident. `apart`: the start also ends
 * ordinary words (`task-`, `berlin_api_`), so no letter or digit comes before it. `alone`: not even an underscore does.
 */
type Stand = "anywhere" | "apart" | "alone";

/** Escapes of JSON, of addresses and of mail, and a color of the terminal: they end in a letter or a digit, too. */
const ESCAPE = String.raw`\\[nrtbf]|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2}|=[0-9A-F]{2}|\[[\d;]{0,9}m`;

/** Asked behind the start and not before it, because a pattern that begins with plain letters is found much faster. */
function atStart(start: string, stand: Stand): string {
  const notInside = `(?<![A-Za-z0-9_-]{64}${start})`;
  if (stand === "anywhere") return `${start}${notInside}(?<![A-Za-z0-9+/]{20}${start})`;
  const before = stand === "apart" ? "[^A-Za-z0-9]" : "[^A-Za-z0-9_]";
  return `${start}${notInside}(?<=(?:^|${before}|${ESCAPE})${start})`;
}

/** Terminals and mails break long tokens; in JSON inside a text the line feed itself is escaped. */
const BREAK = String.raw`(?:\\?\r?\n[ \t]*|(?:\\\\)?(?:\\r)?\\n[ \t]*)`;

const WORD = "[A-Za-z0-9]";
const URL_SAFE = "[A-Za-z0-9_-]";
const HEX = "[0-9a-f]";
/** With what JSON and addresses make of its signs. */
const BASE64 = "(?:[A-Za-z0-9+=_-]|\\\\?/|%2[BbFf]|%3[Dd])";

/** Service, what its tokens start with (a pattern), of which characters and how many they are made at least, and where they begin. */
const TOKENS: readonly (readonly [
  service: string,
  needs: string,
  start: string,
  of: string,
  least: number,
  stand?: Stand,
])[] = [
  ["github token", "gh", "gh[pousr]_", WORD, 36],
  ["github token", "ghs_", "ghs_\\d{1,20}_", "[A-Za-z0-9_.-]", 60],
  ["github token", "github_pat_", "github_pat_", "[A-Za-z0-9_]", 40],
  ["gitlab token", "gl", "gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent|oas)-", "[A-Za-z0-9_.-]", 20],
  ["anthropic key", "sk-ant-", "sk-ant-[a-z]{3,5}\\d\\d-", URL_SAFE, 24],
  ["anthropic key", "sk-ant-", "sk-ant-", URL_SAFE, 24, "apart"],
  ["openai key", "T3BlbkFJ", "sk-[A-Za-z0-9_-]{16,90}T3BlbkFJ", URL_SAFE, 16],
  ["openai key", "sk-", "sk-(?:proj|svcacct|admin|None)-", URL_SAFE, 20, "apart"],
  ["openai key", "sk-", "sk-", WORD, 32, "apart"],
  ["openrouter key", "sk-or-", "sk-or-v\\d-", WORD, 32],
  ["google key", "AIza", "AIza", URL_SAFE, 35],
  ["google token", "1//0", "1//0[A-Za-z0-9]", URL_SAFE, 60, "apart"],
  ["google secret", "GOCSPX-", "GOCSPX-", URL_SAFE, 24],
  ["google token", "ya29.", "ya29\\.", URL_SAFE, 20],
  ["slack token", "xox", "xox[abeoprs](?:\\.xox[bp])?-", "[A-Za-z0-9-]", 10],
  ["slack token", "xapp-", "xapp-\\d-", "[A-Za-z0-9-]", 20],
  ["stripe key", "k_", "(?:sk|rk)_(?:live|test|prod)_", WORD, 16, "apart"],
  ["square token", "sq0", "sq0(?:csp|atp)-", URL_SAFE, 22],
  ["square token", "EAAA", "EAAA", URL_SAFE, 56, "alone"],
  ["webhook secret", "whsec_", "whsec_", BASE64, 24],
  ["bitbucket token", "ATBB", "ATBB", WORD, 28, "apart"],
  ["bitbucket token", "ATCTT3", "ATCTT3", "[A-Za-z0-9_=-]", 60],
  ["npm token", "npm_", "npm_", WORD, 36],
  ["pypi token", "pypi-", "pypi-", URL_SAFE, 50],
  ["rubygems key", "rubygems_", "rubygems_", HEX, 40],
  ["docker token", "dckr_", "dckr_(?:pat|oat)_", URL_SAFE, 24],
  ["hugging face token", "hf_", "hf_", WORD, 30, "apart"],
  ["groq key", "gsk_", "gsk_", WORD, 40],
  ["xai key", "xai-", "xai-", WORD, 60],
  ["perplexity key", "pplx-", "pplx-", WORD, 40],
  ["langsmith key", "lsv2_", "lsv2_(?:pt|sk)_", "[0-9a-f_]", 32],
  ["replicate token", "r8_", "r8_", WORD, 36, "apart"],
  ["sendgrid key", "SG.", "SG\\.[A-Za-z0-9_-]{16,32}\\.", URL_SAFE, 32, "apart"],
  ["cloudflare token", "cf", "cf(?:k|ut|at)_", WORD, 40],
  ["vercel token", "vc", "vc[aikpr]_", WORD, 24, "apart"],
  ["heroku key", "HRKU-", "HRKU-", URL_SAFE, 30],
  ["fly token", "fm", "fm(?:1[ar]|2)_", BASE64, 100],
  ["pulumi token", "pul-", "pul-", HEX, 40, "apart"],
  ["digitalocean token", "_v1_", "do[opr]_v1_", HEX, 64],
  ["databricks token", "dapi", "dapi", HEX, 32],
  ["vault token", "hv", "hv[sbr]\\.", URL_SAFE, 24, "apart"],
  ["doppler token", "dp.", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?", WORD, 40, "apart"],
  ["linear key", "lin_", "lin_(?:api|oauth)_", WORD, 32, "apart"],
  ["notion token", "ntn_", "ntn_", WORD, 40],
  ["shopify token", "shp", "shp(?:at|ca|pa|ss)_", "[0-9a-fA-F]", 32],
  ["twilio key", "SK", "SK", HEX, 32, "apart"],
  ["mailgun key", "key-", "key-", HEX, 32, "alone"],
  ["figma token", "figd_", "figd_", URL_SAFE, 36],
  ["postman key", "PMAK-", "PMAK-", "[0-9a-f-]", 50],
  ["new relic key", "NRAK-", "NRAK-", "[A-Z0-9]", 27],
  ["sentry token", "sntry", "sntry[su]_", BASE64, 40],
  ["grafana token", "gl", "gl(?:sa|c)_", BASE64, 32],
  ["dynatrace token", "dt0", "dt0[a-z]\\d\\d\\.[A-Z2-7]{24}\\.", "[A-Z2-7]", 60],
  ["supabase token", "sb_secret_", "sb_secret_", URL_SAFE, 20],
  ["supabase token", "sbp_", "sbp_", HEX, 40, "apart"],
  ["planetscale token", "pscale_", "pscale_(?:tkn|pw|oauth)_", "[A-Za-z0-9_.=-]", 32],
  ["tailscale key", "tskey-", "tskey-[a-z]+-", URL_SAFE, 20],
  ["1password token", "ops_eyJ", "ops_eyJ", BASE64, 100],
  ["atlassian token", "ATATT3", "ATATT3", "[A-Za-z0-9_=-]", 60],
  ["azure secret", "Q~", "[A-Za-z0-9_~.-]{3}\\dQ~", "[A-Za-z0-9_~.-]", 31],
  ["age key", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1", "[A-Z0-9]", 50],
  ["aws access key", "IA", "A[KS]IA", "[A-Z2-7]", 16],
];

const toShape = ([kind, needs, start, of, least, stand = "anywhere"]: (typeof TOKENS)[number]): Shape => ({
  kind,
  needs: [needs],
  pattern: new RegExp(
    `${atStart(start, stand)}(?:${of}{${least},}|(?:${of}${BREAK}?){${least - 1}}${of}+)`,
    "g",
  ),
  accepts: isMadeUpOfMany,
});

/** Nobody's token is `ghp_xxxxxxxx…`; and over a line break a column of plain words may look like one. */
function isMadeUpOfMany(secret: string): boolean {
  if (new Set(secret.slice(-16)).size < 5) return false;
  return !/[\n\\]/.test(secret) || (/\d/.test(secret) && secret.split(/\n|\\n/).length <= 4);
}

/** Broken at the edge of a window, all lines but the first and the last are long. */
const JWT_PART = `${URL_SAFE}+(?:${BREAK}${URL_SAFE}{20,}){0,60}(?:${BREAK}${URL_SAFE}+)?`;
const GAP = "(?: |%20|\\+)";
const PRIVATE_KEY = `PRIVATE${GAP}KEY(?:${GAP}BLOCK)?-----`;

/** As addresses have them, also where JSON or another address escapes these. */
const SLASH = "(?:\\\\?/|%2[Ff])";
const PARAMETER = "(?:[?&]|\\\\u0026|%3[Ff]|%26)";
const EQUALS = "(?:=|\\\\u003[Dd]|%3[Dd])";

const isNoReference = (secret: string): boolean =>
  !/^[${[*]|^%(?![0-9A-Fa-f]{2})|^(?:x+|password|passwd|pass|pwd|secret|token)$/i.test(secret);

const fromBase64 = (text: string): string => Buffer.from(text, "base64").toString("latin1");

/** `user:password`, encoded as `Basic` wants it. */
export const isUserAndPassword = (text: string): boolean =>
  /^[\x21-\x7e]+:[\x20-\x7e]{3,}$/.test(fromBase64(text));

const OTHERS: readonly Shape[] = [
  {
    kind: "private key",
    needs: ["PRIVATE KEY", "PRIVATE%20KEY", "PRIVATE+KEY"],
    // Up to its end; where that was cut off, as long as lines of it follow, whatever stands at their beginning.
    pattern: new RegExp(
      `-----BEGIN${GAP}(?:[A-Z0-9]{1,12}${GAP}){0,4}${PRIVATE_KEY}(?:(?:[^-]|-(?!----BEGIN)){0,20000}?-----END${GAP}(?:[A-Z0-9]{1,12}${GAP}){0,4}${PRIVATE_KEY}|(?:[\\s\\S]{0,24}?[A-Za-z0-9+/=]{32,})+)`,
      "g",
    ),
  },
  {
    kind: "web token",
    needs: ["eyJ"],
    pattern: new RegExp(
      `${atStart("eyJ", "anywhere")}${JWT_PART}\\.${BREAK}?(?:eyJ)?${JWT_PART}\\.${BREAK}?${URL_SAFE}{8,}`,
      "g",
    ),
  },
  {
    kind: "aws secret key",
    needs: ["IA"],
    // As in the file that AWS gives out, and in what its tools print: the one beside the other.
    pattern:
      /(?<before>(?:AKIA|ASIA)[A-Z2-7]{16}(?:\\[nrt]|[\s,;:|"'\\]){1,8})(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/g,
  },
  {
    kind: "private key",
    needs: ["Private-Lines:"],
    // PuTTY's own format, up to its checksum or as long as lines of it follow.
    pattern:
      /(?<before>Private-Lines:[ \t]?\d{1,4})(?<secret>[\s\S]{0,20000}?Private-MAC:[ \t]?[0-9a-f]*|(?:[\s\S]{0,24}?[A-Za-z0-9+/=]{32,})+)/g,
  },
  {
    kind: "discord token",
    needs: ["MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"],
    pattern:
      /(?:M[Tjz]|N[DTjz]|O[DT])(?<![A-Za-z0-9_-]..)[A-Za-z0-9]{20,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/g,
    // The number of the bot's account.
    accepts: (secret) => /^\d{17,20}$/.test(fromBase64(secret.slice(0, secret.indexOf(".")))),
  },
  {
    kind: "teams webhook",
    needs: ["IncomingWebhook"],
    pattern: new RegExp(
      `(?<before>IncomingWebhook${SLASH})(?<secret>[0-9a-f]{32}${SLASH}[0-9A-Za-z_/-]{20,})`,
      "g",
    ),
  },
  {
    kind: "mailchimp key",
    needs: ["-us"],
    pattern: /(?<![0-9A-Za-z])[0-9a-f]{32}-us\d{1,2}(?![0-9A-Za-z])/g,
    accepts: isMadeUpOfMany,
  },
  {
    kind: "terraform token",
    needs: [".atlasv1."],
    pattern: new RegExp(
      `[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{20,}(?:${BREAK}[A-Za-z0-9_=-]{20,})?`,
      "g",
    ),
  },
  {
    kind: "registry password",
    needs: ["auth"],
    // Docker's settings: user and password, encoded.
    pattern:
      /(?<before>["']auth\\*["'][ \t]{0,9}:[ \t]{0,9}\\*["'])(?<secret>[A-Za-z0-9+/]{8,4000}={0,2})(?=\\*["'])/g,
    accepts: isUserAndPassword,
  },
  {
    kind: "registry password",
    needs: [":_auth"],
    pattern: /(?<before>:_auth[ \t]{0,9}=[ \t]{0,9}\\*["']?)(?<secret>[A-Za-z0-9+/=_-]{8,4000})/g,
  },
  {
    kind: "database password",
    needs: [":"],
    // A line of .pgpass: host, port, database, user and password.
    pattern:
      /(?<before>:\d{4,5}:(?<=[\w*]:\d{4,5}:)[A-Za-z*][\w.*-]{0,62}:[A-Za-z*][\w.*-]{0,62}:)(?<secret>[^\s"'`:]{6,100})/g,
    accepts: (secret) => looksRandom(secret, 6) && !/^[A-Za-z]+\d{0,2}$/.test(secret),
  },
  {
    kind: "aws secret key",
    needs: ["ecret"],
    // Some of them begin like a path.
    pattern:
      /(?<before>[Ss]ecret_?[Aa]ccess_?[Kk]ey\\*["']?[ \t]{0,9}[:=][ \t]{0,9}\\*["']?)(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/g,
    accepts: isMadeUpOfMany,
  },
  {
    kind: "azure key",
    needs: ["Key=", "Key%3"],
    pattern:
      /(?<before>(?:AccountKey|SharedAccessKey|AccessKey)(?:=|%3[Dd]))(?<secret>(?:[A-Za-z0-9+]|\\?\/|%2[BbFf]){20,}(?:=|%3[Dd]){0,2})/g,
  },
  {
    kind: "url signature",
    needs: ["sig"],
    pattern: new RegExp(`(?<before>${PARAMETER}sig${EQUALS})(?<secret>[A-Za-z0-9%+/=_-]{20,})`, "g"),
  },
  {
    kind: "url signature",
    needs: ["X-"],
    pattern: new RegExp(
      `(?<before>${PARAMETER}X-(?:Amz|Goog)-(?:Signature|Security-Token|Credential)${EQUALS})(?<secret>[A-Za-z0-9%+/=_.-]{16,})`,
      "g",
    ),
  },
  {
    kind: "slack webhook",
    needs: ["hooks.slack.com"],
    pattern: new RegExp(
      `(?<before>hooks\\.slack\\.com${SLASH}(?:services|workflows|triggers)${SLASH})(?<secret>[A-Za-z0-9]+${SLASH}[A-Za-z0-9]+${SLASH}(?:[A-Za-z0-9]|${SLASH})+)`,
      "g",
    ),
  },
  {
    kind: "discord webhook",
    needs: ["webhooks/", "webhooks\\/", "webhooks%2"],
    pattern: new RegExp(
      `(?<before>discord(?:app)?\\.com${SLASH}api${SLASH}(?:v\\d+${SLASH})?webhooks${SLASH}\\d+${SLASH})(?<secret>[A-Za-z0-9_-]{40,})`,
      "g",
    ),
  },
  {
    kind: "telegram token",
    needs: [":AA", "%3AAA", "%3aAA"],
    pattern: /(?<!\d)\d{8,10}(?::|%3[Aa])AA[A-Za-z0-9_-]{33}/g,
    accepts: isMadeUpOfMany,
  },
  {
    kind: "password hash",
    needs: ["$"],
    pattern:
      /\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|(?:apr1|[156])\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{22,86})/g,
  },
  {
    kind: "cookie",
    needs: ["ookie"],
    pattern:
      /(?<before>(?<![A-Za-z])(?:set-)?cookie\\*["']?[ \t]{0,9}:[ \t]{0,9}\\*["']?)(?<secret>[^\r\n"'\\]{8,4000})/gi,
    accepts: (secret) => /=[^;\s]{0,200}\d/.test(secret) && /[A-Za-z0-9%_+/-]{16,}/.test(secret),
  },
  {
    kind: "url password",
    needs: ["://", ":\\/\\/"],
    // To the last @ before a slash, because people do not escape the ones in their passwords.
    pattern: new RegExp(
      `(?<before>:${SLASH}{2}[^\\s/@:"'<>\\\\]{0,100}:)(?<secret>[^\\s/"'<>\\\\]{1,200})(?=@)`,
      "g",
    ),
    accepts: isNoReference,
  },
  {
    kind: "url password",
    needs: ["%40"],
    // The whole address as a parameter of another.
    pattern:
      /(?<before>%3A%2F%2F(?:[^\s/@:"'<>\\%]|%(?!3A|40|2F)){0,100}%3A)(?<secret>(?:[^\s/"'<>\\&%]|%(?!40|2F)){1,200})(?=%40)/gi,
    accepts: isNoReference,
  },
];

const SHAPES: readonly Shape[] = [...TOKENS.map(toShape), ...OTHERS];

/** The shapes that may be found in a text, or in texts that are parts of it. */
export const shapesIn = (text: string): readonly Shape[] =>
  SHAPES.filter(({ needs }) => needs.some((start) => text.includes(start)));

export function findShapes(text: string, shapes: readonly Shape[] = SHAPES): Span[] {
  const spans: Span[] = [];
  for (const { kind, needs, pattern, accepts } of shapes) {
    if (!needs.some((start) => text.includes(start))) continue;
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.secret ?? match[0];
      if (accepts && !accepts(secret)) continue;
      const start = match.index + (match.groups?.before?.length ?? 0);
      spans.push({ start, end: start + secret.length, kind, isNamed: false });
    }
  }
  return spans;
}
