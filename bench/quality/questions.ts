/**
 * Questions as people type them, with the session that answers each, known from how the corpus was made. They were
 * written before the ranking was tuned and are not to be changed to please it.
 */

export interface Question {
  readonly kind: string;
  readonly text: string;
  /** Keys of the sessions that answer it; any of them is right. */
  readonly answers: readonly string[];
  /** The turn that says it, where one does. */
  readonly turn?: number;
}

const of =
  (kind: string) =>
  (text: string, answer: string | readonly string[], turn?: number): Question => ({
    kind,
    text,
    answers: typeof answer === "string" ? [answer] : answer,
    ...(turn !== undefined && { turn }),
  });

const words = of("words");
const asked = of("a question in full");
const error = of("an error message");
const name = of("a piece of a name");
const path = of("a path");
const reference = of("a number or version");
const phrase = of("a phrase");
const typo = of("a typing mistake");
const form = of("another form of the word");
const spread = of("words of several turns");
const vague = of("a word that is not there");
const latest = of("the latest of two");
const foreign = of("another language");
const command = of("a command");

export const QUESTIONS: readonly Question[] = [
  words("sliding window quota", "rate limiter/fix"),
  words("safari signed out payment", "session cookie/fix", 0),
  words("outlook link scanner token", "password reset mail/fix", 0),
  words("guest delete shared folder", "permission check/fix", 0),
  words("umlauts question marks supplier", "CSV import/fix", 0),
  words("courier signatures tunnel", "offline sync/fix", 0),
  words("voucher codes one per order", "shopping cart/feature"),
  words("retries wait longer idempotency key", "webhook delivery/fix", 1),
  words("quiet hours notification", "push notification/feature", 0),

  asked("why were customers in Chile getting deliveries a day early", "date picker/fix"),
  asked("how did I fix the flash of white before dark mode", "dark mode/fix"),
  asked("what was the reason the container died on the server but ran on my laptop", "Docker image/fix", 0),
  asked("how do we make sure two machines don't start the same job", "cron scheduler/fix", 2),
  asked("why does the same commit fail on a branch when main is green", "CI cache/fix", 0),
  asked("where did we decide how long a reset link is valid", "password reset mail/fix", 2),
  asked("how can partners check that an event really came from us", "webhook delivery/fix", 2),
  asked("what did we do about the worker that keeps growing until the kernel kills it", "memory leak/fix"),

  error("ECONNRESET socket hang up after 30000 ms", "webhook delivery/fix", 0),
  error("QueuePool limit of size 5 overflow 10 reached", "connection pool/fix", 0),
  error("Cannot return null for non-nullable field Order.product.", "GraphQL gateway/fix", 0),
  error("UnicodeDecodeError: 'utf-8' codec can't decode byte 0xfc", "CSV import/fix", 0),
  error("x509: certificate signed by unknown authority", "TLS certificate/fix", 0),
  error("Cannot find module '@rollup/rollup-linux-x64-gnu'", "CI cache/fix", 0),
  error("exec format error", "Docker image/fix", 0),
  error("BR-CO-10 sum of line amounts", "invoice export/fix", 0),
  error("TypeError: Cannot read properties of undefined (reading 'rolloutPercent')", "feature flags/fix", 0),

  name("slidingWin", [
    "rate limiter/fix",
    "rate limiter/feature",
    "rate limiter/tests",
    "rate limiter/tests 2",
    "rate limiter/rename",
    "rate limiter/explain",
    "rate limiter/explain 2",
    "rate limiter/review",
    "rate limiter/review 2",
  ]),
  name("presigned", [
    "file upload/speed",
    "file upload/explain",
    "file upload/explain 2",
    "file upload/tests",
    "file upload/tests 2",
    "file upload/rename",
    "file upload/feature",
    "file upload/fix",
    "file upload/review",
    "file upload/review 2",
  ]),
  name("merge guest cart bug", "shopping cart/fix"),
  name("fails loudly when webhook_attempts", ["webhook delivery/tests", "webhook delivery/tests 2"]),
  name("error_budget page", "metrics dashboard/feature"),
  name("calendar grid tests", ["date picker/tests", "date picker/tests 2"]),
  name("swallows isEnabled", ["feature flags/review", "feature flags/review 2"]),
  name("backfill batch", "schema migration/fix", 2),

  path("src/auth/csrf.ts", [
    "session cookie/fix",
    "session cookie/rename",
    "session cookie/explain",
    "session cookie/explain 2",
  ]),
  path("calendar.ts RangeError", "date picker/fix", 0),
  path("rate-limiter.test.ts coverage", ["rate limiter/tests", "rate limiter/tests 2"]),
  path("web/src/cart quantity keystroke", "shopping cart/speed"),
  path("AppDelegate.swift token", "push notification/fix"),
  path(".dockerignore", [
    "Docker image/fix",
    "Docker image/rename",
    "Docker image/explain",
    "Docker image/explain 2",
  ]),
  path("0042_split_address.sql lock", "schema migration/fix"),
  path("warehouse etl/encodings.py", [
    "CSV import/fix",
    "CSV import/rename",
    "CSV import/explain",
    "CSV import/explain 2",
  ]),

  reference("pull/455", "GraphQL gateway/fix", 3),
  reference("#612 OR #610", "date picker/fix", 3),
  reference("PR 398", "offline sync/fix", 3),
  reference("rails 7.2", "cron scheduler/upgrade", 0),
  reference("node 24 worker", "memory leak/upgrade", 0),
  reference("postgres 17", "schema migration/upgrade"),
  reference("react 19 upgrade", "shopping cart/upgrade"),

  phrase('"first match wins"', "permission check/fix", 0),
  phrase('"one slow receiver"', "webhook delivery/speed", 0),
  phrase('"classic N+1"', "GraphQL gateway/speed", 0),
  phrase('"half to even" invoice', "invoice export/fix", 1),
  phrase('"before the first paint"', "dark mode/fix", 1),
  phrase('"swaps the machine to death"', "CSV import/speed", 0),

  typo("certifcate intermediate chain", "TLS certificate/fix"),
  typo("idempotant merging basket", "shopping cart/fix", 1),
  typo("elasticsaerch opensearch client", "search index/upgrade", 0),
  typo("advisroy lock", "cron scheduler/fix", 2),
  typo("thumnails upload", "file upload/feature", 0),
  typo("synonims sneakers", "search index/feature", 0),
  typo("holydays selectable", "date picker/feature", 0),

  form("listener never removing", "memory leak/fix"),
  form("duplicated events customer webhook", "webhook delivery/fix"),
  form("rounding taxes invoices", "invoice export/fix", 0),
  form("translator plurals polish", "translation files/fix"),
  form("truncating picture upload", "file upload/fix", 0),
  form("locked migrations deploying", "schema migration/fix"),
  form("wildcards certificates preview", "TLS certificate/feature", 0),
  form("partition archiving old entry", "audit log/feature", 0),
  form("alerting checked out connection", "connection pool/fix", 2),

  spread("signed out safari csrf forged", "session cookie/fix"),
  spread("jeans alias roll back", "search index/fix"),
  spread("order.created eleven times hmac", "webhook delivery/fix"),
  spread("basket twice sold out", "shopping cart/fix"),
  spread("heap out of memory snapshots AbortSignal", "memory leak/fix"),
  spread("stock report sunday utc advisory", "cron scheduler/fix"),
  spread("iphone token percent devices", "push notification/fix"),

  vague("sso logout bug after paypal redirect safari", "session cookie/fix"),
  vague("kubernetes container exec format arm", "Docker image/fix"),
  vague("daylight saving job ran twice", "cron scheduler/fix"),
  vague("timezone off by one day delivery picker", "date picker/fix"),
  vague("flicker white dark theme page load", "dark mode/fix"),
  vague("double charged cent difference invoice", "invoice export/fix"),
  vague("database locked during deploy ALTER TABLE", "schema migration/fix"),

  latest("review shopping cart", "shopping cart/review 2"),
  latest("tests for the date picker", "date picker/tests 2"),
  latest("how does the audit log work", "audit log/explain 2"),
  latest("cron scheduler tests coverage", "cron scheduler/tests 2"),
  latest("review feature flags branch", "feature flags/review 2"),
  latest("explain docker image", "Docker image/explain 2"),

  foreign("Lagerbestand negativ gleichzeitig", "de-lager"),
  foreign("Mahnung trotz Überweisung", "de-mahnung"),
  foreign("rechnungsnummern lucken", "de-rechnung"),
  foreign("Etikettendrucker Halle", "de-drucker"),
  foreign("文字化け メール", "ja-mail"),
  foreign("全文検索 速度", "ja-search"),
  foreign("ログイン 固まる", "ja-login"),
  foreign("重复扣款", "zh-payment"),
  foreign("缓存击穿", "zh-cache"),
  foreign("分页 重复 订单", "zh-order"),

  command("list-multipart-uploads", "file upload/fix", 0),
  command("docker buildx --platform linux/arm64", "Docker image/fix", 0),
  command("pg_stat_activity group by", "connection pool/fix", 0),
  command("promtool check rules", "metrics dashboard/fix", 0),
  command("simctl push booted", "push notification/fix", 0),
  command("openssl s_client showcerts", "TLS certificate/fix", 0),
];
