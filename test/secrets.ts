/** Made-up secrets of every kind, put together at run time so that no scanner takes this file for a leak. */
import fc from "fast-check";

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const WORD = `${LETTERS}0123456789`;
const URL_SAFE = `${WORD}_-`;
const HEX = "0123456789abcdef";

/** Random, but never so plain that nobody would take it for a secret. */
const random = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length })
    .map((letters) => letters.join(""))
    .filter((text) => new Set(text).size >= Math.min(7, length / 2) && /\d/.test(text));

const after = (start: string, alphabet: string, length: number): fc.Arbitrary<string> =>
  random(alphabet, length).map((rest) => start + rest);

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Known by their looks, whatever stands around them. */
export const SHAPED: Readonly<Record<string, fc.Arbitrary<string>>> = {
  "github token": fc.constantFrom("p", "o", "u", "s", "r").chain((kind) => after(`gh${kind}_`, WORD, 36)),
  "github fine-grained token": after("github_pat_", `${WORD}_`, 82),
  "gitlab token": after("glpat-", URL_SAFE, 20),
  "openai key": after("sk-", WORD, 48),
  "openai project key": after("sk-proj-", URL_SAFE, 120),
  "anthropic key": after("sk-ant-api03-", URL_SAFE, 95),
  "aws access key": fc
    .constantFrom("AKIA", "ASIA")
    .chain((start) => after(start, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)),
  "google key": after("AIza", URL_SAFE, 35),
  "google token": after("ya29.", URL_SAFE, 60),
  "slack token": fc.constantFrom("b", "p", "a", "s").chain((kind) => after(`xox${kind}-`, `${WORD}`, 48)),
  "stripe key": fc.constantFrom("sk_live_", "sk_test_", "rk_live_").chain((start) => after(start, WORD, 24)),
  "npm token": after("npm_", WORD, 36),
  "pypi token": after("pypi-", URL_SAFE, 100),
  "hugging face token": after("hf_", WORD, 34),
  "sendgrid key": fc.tuple(random(URL_SAFE, 22), random(URL_SAFE, 43)).map(([a, b]) => `SG.${a}.${b}`),
  "digitalocean token": after("dop_v1_", HEX, 64),
  "databricks token": after("dapi", HEX, 32),
  "shopify token": after("shpat_", HEX, 32),
  "web token": random(URL_SAFE, 43).map(
    (signature) =>
      `${base64({ alg: "HS256", typ: "JWT" })}.${base64({ sub: "1234567890", name: "x" })}.${signature}`,
  ),
  "private key": random(WORD, 64).map(
    (line) =>
      `-----BEGIN RSA PRIVATE KEY-----\n${line}\n${line}\n${line.slice(9)}==\n-----END RSA PRIVATE KEY-----`,
  ),
};

/** Secret only because of what stands beside it. */
export const SECRET_VALUE: fc.Arbitrary<string> = fc
  .tuple(random(`${WORD}!@^*_+.~-`, 18), random(WORD, 6))
  .map(([middle, end]) => `k${middle}${end}`);

/** How people and programs write one down. */
export const NAMED: Readonly<Record<string, (value: string) => string>> = {
  "env file": (value) => `HOST=db.internal\nDB_PASSWORD=${value}\nPORT=5432`,
  "quoted env file": (value) => `API_KEY="${value}"\n`,
  shell: (value) => `export GITHUB_TOKEN=${value} && make release`,
  docker: (value) => `docker run -e POSTGRES_PASSWORD=${value} postgres:17`,
  JSON: (value) => JSON.stringify({ user: "dev", password: value, port: 1 }),
  "JSON of many lines": (value) => JSON.stringify({ client_secret: value, clientId: "app" }, null, 2),
  "JSON in JSON": (value) => JSON.stringify({ body: JSON.stringify({ accessToken: value }) }),
  "JSON in JSON in JSON": (value) =>
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ secret: value }) }) }),
  YAML: (value) => `database:\n  host: x\n  password: ${value}\n  pool: 5`,
  "YAML in quotes": (value) => `api_key: '${value}'`,
  "YAML block": (value) => `password: |\n  ${value}\nother: 1`,
  TOML: (value) => `[registry]\ntoken = "${value}"`,
  properties: (value) => `app.name=x\nspring.datasource.password=${value}\n`,
  Kubernetes: (value) => `- name: ADMIN_PASSWORD\n  value: ${value}`,
  XML: (value) => `<server><password>${value}</password></server>`,
  Go: (value) => `apiKey := "${value}"`,
  Ruby: (value) => `config = { :password => '${value}' }`,
  "shell flag": (value) => `deploy --token ${value} --env prod`,
  header: (value) => `curl -H "Authorization: Bearer ${value}" https://api.example.com`,
  "mail account": (value) => `SMTP_HOST=mail.internal\nSMTP_PASS=${value}`,
  "Kubernetes secret in YAML": (value) => `kind: Secret\nmetadata:\n  name: x\ndata:\n  app.conf: ${value}\n`,
  "Kubernetes secret in JSON": (value) => JSON.stringify({ kind: "Secret", data: { "app.conf": value } }),
  "registry settings": (value) => `//registry.example.com/:_auth=${value.replaceAll(/\W/g, "x")}`,
  "header in JSON": (value) => JSON.stringify({ headers: { Authorization: `Bearer ${value}` } }),
  "api key header": (value) => `X-Api-Key: ${value}`,
  "query parameter": (value) => `https://api.example.com/v1?access_token=${value}&page=2`,
  "connection string": (value) => `Server=db;User Id=app;Password=${value};Encrypt=true`,
  "url password": (value) => `postgres://app:${value}@db.internal:5432/app`,
  "curl user": (value) => `curl -u admin:${value} https://example.com`,
  netrc: (value) => `machine example.com\nlogin dev\npassword ${value}`,
  prose: (value) => `The password is ${value} for now`,
};

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: they are references, and that is the point
/** Random to look at, and none of anybody's business to remove. */
export const INNOCENT: readonly string[] = [
  "commit 8f14e45fceea167a5a36dedd4bea2543f9d1c7ab",
  "session 3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  '"integrity": "sha512-8f14e45fceea167a5a36dedd4bea2543f9d1c7ab0305e82c33013f2504e04f8941d39a0c=="',
  "left-pad@1.3.0 sha1-W4o6d2Xf4AEmHd6RVYnngvjJTR4=",
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
  "interface Login { password: string; token?: string }",
  "const token = generateToken(user.id);",
  "const apiKey = process.env.API_KEY;",
  "password: user.password,",
  'password: z.string().min(8, "too short")',
  "API_KEY=$API_KEY",
  "TOKEN=`cat token.txt`",
  'PASSWORD="$(openssl rand -hex 16)"',
  "token: ${{ secrets.GITHUB_TOKEN }}",
  "Authorization: Bearer ${token}",
  "Authorization: Bearer <your token>",
  "postgres://app:${DB_PASSWORD}@db/app",
  "max_tokens: 4096, prompt_tokens=812",
  '"nextPageToken": "CAUQAA1234abcd"',
  'label: "Enter your password"',
  "Unexpected token: } in line 12",
  "password = getpass('Password: ') or exit('bye')",
  'add_header("Authorization", "Basic " + encoded + "x")',
  "provideHooks(token: vscode.CancellationToken): Thenable<void>",
  '"{": SyntaxKind.OpenBraceToken,\nexport type DotToken = PunctuationToken<SyntaxKind.DotToken>;',
  "private_key: ed25519.Ed25519PrivateKey, data: bytes",
  'const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"',
  "SHELL=/bin/sh\nPWD=/srv/app2/web\nOLDPWD=/srv/app2",
  "const least = isPassword ? SHORTEST_PASSWORD : SHORTEST_RANDOM;",
  "the --username and --password options can be used",
  'START = "-----BEGIN OPENSSH PRIVATE KEY-----"',
  "arguments('<username> <password>', 'who')",
  "bearer tokens are accepted as well",
  'render(first_pass="blur4shadow")',
  "the first password reset was two weeks ago, with passwords as before",
  'token: "variable-2", next',
  "const RFC9110_TOKEN = /^[!#$%&'*+\\-.^_`|~0-9A-Za-z]+$/;",
  "src/app.ts:1023:error:TS2345:Argument9",
  "SECRET_KEY_FILE=/run/secrets/key-2",
  "git@github.com:lumen-shop/storefront.git",
  "key: linux-node-8f14e45fceea167a5a36",
  "task-8f14e45fceea167a5a36dedd4bea2543f9d1c7ab",
  "disk_test_partitiontablelayout task_live_migrationconfiguration",
  "task-ant-design-upgrade-of-all-components",
  "task-admin-panel-redesign-of-the-whole-page",
  "berlin_api_gatewayconfigurationandrouting",
  "redis_key-8f14e45fceea167a5a36dedd4bea2543",
  "DISK8f14e45fceea167a5a36dedd4bea2543",
  "npm_config_registry npm_package_dependencies_typescript npm_lifecycle_event",
  "half_self_buf_shelf_wolf_thisIsAVeryLongCamelCaseIdentifierIndeed",
  "usbp_8f14e45fceea167a5a36dedd4bea2543f9d1c7ab",
  "tcpudp.st.abcdefghij.abcdefghijabcdefghijabcdefghijabcdefghij1234",
  "com.example.service.SG.configuration.internal",
  "build/0123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "https://user@host.example:8080/path and https://x.example/a:b@c",
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: they are references, and that is the point
