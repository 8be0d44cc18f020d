/**
 * Made-up secrets of every kind, put together at run time so that no scanner takes this file for a leak. The formats are
 * those that the vendors publish.
 */
import { BASE64, DIGITS, HEX, LOWER, type Random, UPPER, URL_SAFE, WORD } from "./random.ts";

export interface Leak {
  /** What stands in a file or a message, one line or many. */
  readonly text: string;
  /** The part of it that nobody may read. */
  readonly secret: string;
}

export type Kind = (random: Random) => Leak;

/** A token that is known by its looks: it is the whole text. */
const token =
  (make: (random: Random) => string): Kind =>
  (random) => {
    const secret = make(random);
    return { text: secret, secret };
  };
const after = (starts: string, alphabet: string, length: number): Kind =>
  token((random) => random.pick(starts.split(" ")) + random.chars(alphabet, length));
/** What is secret only by what stands around it. */
const around =
  (make: (random: Random) => string, write: (secret: string, random: Random) => string): Kind =>
  (random) => {
    const secret = make(random);
    return { text: write(secret, random), secret };
  };

const lines = (text: string, width: number): string =>
  text.replace(new RegExp(`(.{${width}})(?=.)`, "g"), "$1\n");
const pem = (label: string, bytes: number, start = "MII"): Kind =>
  token((random) => {
    const body = start + random.base64(bytes).slice(start.length);
    return `-----BEGIN ${label}-----\n${lines(body, 64)}\n-----END ${label}-----`;
  });
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** As people and their password managers make them. */
const password = (random: Random): string =>
  random.pick([
    () => random.chars(`${WORD}!@^*_+.~-`, 12 + random.below(12)).replace(/[-.!~^*+]$/, "7"),
    () =>
      `${random.pick(random.words(1)).replace(/^./, (first) => first.toUpperCase())}${random.pick(["!", "-", "_", "."])}${random.chars(WORD, 8)}`,
    () => `${random.words(3).join("-")}-${random.chars(DIGITS, 3)}`,
    () => random.chars(WORD, 16),
  ])();
const key = (random: Random): string => random.chars(random.pick([HEX, WORD, WORD]), 32 + random.below(16));
const host = (random: Random): string =>
  `${random.words(1)[0]}.${random.pick(["internal", "example.com", "example.org"])}`;
const user = (random: Random): string => random.pick(["app", "admin", "deploy", "svc-reports", "root"]);

export const KINDS: Readonly<Record<string, Kind>> = {
  "aws access key": after("AKIA ASIA", `${UPPER}234567`, 16),
  "aws secret key": around(
    (random) => random.chars(BASE64, 40),
    (secret, random) =>
      random.pick([
        `aws_secret_access_key = ${secret}`,
        `AWS_SECRET_ACCESS_KEY=${secret}`,
        `"SecretAccessKey": "${secret}"`,
      ]),
  ),
  "aws session token": around(
    (random) => `IQoJb3JpZ2lu${random.chars(BASE64, 300)}`,
    (secret) => `AWS_SESSION_TOKEN=${secret}`,
  ),
  "google api key": after("AIza", URL_SAFE, 35),
  "google oauth token": after("ya29.", URL_SAFE, 120),
  "google refresh token": around(
    (random) => `1//0${random.chars(URL_SAFE, 98)}`,
    (secret, random) =>
      random.pick([`"refresh_token": "${secret}"`, `GOOGLE_REFRESH_TOKEN=${secret}`, secret]),
  ),
  "google client secret": after("GOCSPX-", URL_SAFE, 28),
  "azure client secret": token((random) => `${random.chars(WORD, 3)}8Q~${random.chars(`${WORD}_~.-`, 33)}7`),
  "azure connection string": around(
    (random) => random.base64(64),
    (secret, random) =>
      `DefaultEndpointsProtocol=https;AccountName=${random.words(1)}st;AccountKey=${secret};EndpointSuffix=core.windows.net`,
  ),
  "azure sas url": around(
    (random) => encodeURIComponent(random.base64(32)),
    (secret, random) =>
      `https://${random.words(1)}st.blob.core.windows.net/logs/a.txt?sv=2024-11-04&se=2026-12-01T00%3A00%3A00Z&sr=b&sp=r&sig=${secret}`,
  ),
  "service bus connection": around(
    (random) => random.base64(32),
    (secret, random) =>
      `Endpoint=sb://${random.words(1)}.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${secret}`,
  ),
  "presigned url": around(
    (random) => random.chars(HEX, 64),
    (secret, random) =>
      `https://${random.words(1)}.s3.amazonaws.com/report.csv?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20261101T000000Z&X-Amz-Signature=${secret}`,
  ),
  "digitalocean token": after("dop_v1_ doo_v1_", HEX, 64),
  "cloudflare token": token(
    (random) => `${random.pick(["cfut_", "cfat_", "cfk_"])}${random.chars(WORD, 40)}${random.chars(HEX, 8)}`,
  ),
  "vercel token": after("vcp_ vck_ vca_", WORD, 40),
  "heroku key": after("HRKU-", URL_SAFE, 60),
  "fly token": token((random) => `FlyV1 fm2_${random.base64(180)}`),
  "github token": after("ghp_ gho_ ghu_ ghs_ ghr_", WORD, 36),
  "github fine-grained token": token(
    (random) => `github_pat_${random.chars(WORD, 22)}_${random.chars(WORD, 59)}`,
  ),
  "github app token": token(
    (random) =>
      `ghs_${random.chars(DIGITS, 7)}_${encoded({ alg: "ES256" })}.${encoded({ iss: random.chars(WORD, 20) })}.${random.chars(URL_SAFE, 86)}`,
  ),
  "gitlab token": after("glpat- gldt- glrt-", URL_SAFE, 20),
  "bitbucket token": after("ATBB", WORD, 32),
  "atlassian token": after("ATATT3xFfGF0", URL_SAFE, 180),
  "npm token": after("npm_", WORD, 36),
  npmrc: around(
    (random) => random.pick([() => random.chars(HEX, 32), () => random.base64(24)])(),
    (secret, random) =>
      `//registry.${host(random)}/:${random.pick(["_authToken", "_auth", "_password"])}=${secret}`,
  ),
  "pypi token": after("pypi-AgEIcHlwaS5vcmc", URL_SAFE, 150),
  "rubygems key": after("rubygems_", HEX, 48),
  "docker token": after("dckr_pat_", URL_SAFE, 27),
  "docker config": around(
    (random) => Buffer.from(`${user(random)}:${password(random)}`).toString("base64"),
    (secret, random) => `{"auths": {"https://${host(random)}/v1/": {"auth": "${secret}"}}}`,
  ),
  "openai key": token(
    (random) => `sk-proj-${random.chars(URL_SAFE, 74)}T3BlbkFJ${random.chars(URL_SAFE, 74)}`,
  ),
  "openai old key": after("sk-", WORD, 48),
  "anthropic key": token((random) => `sk-ant-api03-${random.chars(URL_SAFE, 93)}AA`),
  "hugging face token": after("hf_", `${LOWER}${UPPER}`, 34),
  "groq key": after("gsk_", WORD, 52),
  "xai key": after("xai-", WORD, 80),
  "openrouter key": after("sk-or-v1-", HEX, 64),
  "perplexity key": after("pplx-", WORD, 48),
  "replicate token": after("r8_", WORD, 37),
  "langsmith key": token((random) => `lsv2_pt_${random.chars(HEX, 32)}_${random.chars(HEX, 10)}`),
  "slack token": token(
    (random) =>
      `xox${random.pick([..."bp"])}-${random.chars(DIGITS, 12)}-${random.chars(DIGITS, 12)}-${random.chars(WORD, 24)}`,
  ),
  "slack webhook": around(
    (random) =>
      `T${random.chars(`${UPPER}${DIGITS}`, 8)}/B${random.chars(`${UPPER}${DIGITS}`, 10)}/${random.chars(WORD, 24)}`,
    (secret) => `https://hooks.slack.com/services/${secret}`,
  ),
  "discord webhook": around(
    (random) => random.chars(URL_SAFE, 68),
    (secret, random) => `https://discord.com/api/webhooks/${random.chars(DIGITS, 18)}/${secret}`,
  ),
  "discord bot token": token(
    (random) =>
      `${Buffer.from(`${1 + random.below(9)}${random.chars(DIGITS, 17)}`).toString("base64url")}.${random.chars(URL_SAFE, 6)}.${random.chars(URL_SAFE, 38)}`,
  ),
  "teams webhook": around(
    (random) =>
      `${random.chars(HEX, 32)}/${random.chars(HEX, 8)}-${random.chars(HEX, 4)}-4${random.chars(HEX, 3)}-a${random.chars(HEX, 3)}-${random.chars(HEX, 12)}`,
    (secret, random) =>
      `https://${random.words(1)}.webhook.office.com/webhookb2/${random.chars(HEX, 8)}-1111-4222-8333-${random.chars(HEX, 12)}@${random.chars(HEX, 8)}-1111-4222-8333-${random.chars(HEX, 12)}/IncomingWebhook/${secret}`,
  ),
  "telegram token": token((random) => `${random.chars(DIGITS, 10)}:AA${random.chars(URL_SAFE, 33)}`),
  "twilio key": after("SK", HEX, 32),
  "sendgrid key": token((random) => `SG.${random.chars(URL_SAFE, 22)}.${random.chars(URL_SAFE, 43)}`),
  "mailgun key": after("key-", HEX, 32),
  "mailchimp key": token((random) => `${random.chars(HEX, 32)}-us${1 + random.below(20)}`),
  "stripe key": after("sk_live_ sk_test_ rk_live_", WORD, 24),
  "stripe webhook secret": after("whsec_", WORD, 32),
  "shopify token": after("shpat_ shpss_", HEX, 32),
  "square token": after("EAAA sq0csp-", URL_SAFE, 60),
  "sentry token": token(
    (random) => `sntrys_${encoded({ iat: 1, url: random.chars(WORD, 20) })}_${random.chars(WORD, 43)}`,
  ),
  "grafana token": token((random) => `glsa_${random.chars(WORD, 32)}_${random.chars(HEX, 8)}`),
  "new relic key": after("NRAK-", `${UPPER}${DIGITS}`, 27),
  "datadog key": around(
    (random) => random.chars(HEX, 32),
    (secret, random) => `${random.pick(["DD_API_KEY", "DATADOG_APP_KEY"])}=${secret}`,
  ),
  "linear key": after("lin_api_", WORD, 40),
  "notion token": token((random) => `ntn_${random.chars(DIGITS, 11)}${random.chars(WORD, 35)}`),
  "figma token": after("figd_", URL_SAFE, 40),
  "vault token": after("hvs.", URL_SAFE, 95),
  "databricks token": after("dapi", HEX, 32),
  "tailscale key": token((random) => `tskey-auth-${random.chars(WORD, 12)}-${random.chars(WORD, 32)}`),
  "supabase key": after("sbp_ sb_secret_", HEX, 40),
  "pulumi token": after("pul-", HEX, 40),
  "terraform token": token((random) => `${random.chars(WORD, 14)}.atlasv1.${random.chars(WORD, 67)}`),
  "dynatrace token": token(
    (random) => `dt0c01.${random.chars(`${UPPER}234567`, 24)}.${random.chars(`${UPPER}234567`, 64)}`,
  ),
  "doppler token": after("dp.pt.", WORD, 43),
  "age key": after("AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
  "web token": token(
    (random) =>
      `${encoded({ alg: "HS256", typ: "JWT" })}.${encoded({ sub: random.chars(DIGITS, 10), name: random.words(2).join(" ") })}.${random.chars(URL_SAFE, 43)}`,
  ),
  "rsa key": pem("RSA PRIVATE KEY", 608),
  "pkcs8 key": pem("PRIVATE KEY", 138),
  "ec key": pem("EC PRIVATE KEY", 121, "MHcCAQEEI"),
  "encrypted key": pem("ENCRYPTED PRIVATE KEY", 700),
  "openssh key": pem("OPENSSH PRIVATE KEY", 300, "b3BlbnNzaC1rZXktdjEA"),
  "pgp key": token(
    (random) =>
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${lines(random.base64(500), 64)}\n=${random.chars(WORD, 4)}\n-----END PGP PRIVATE KEY BLOCK-----`,
  ),
  "putty key": around(
    (random) => lines(random.base64(140), 64),
    (secret, random) =>
      `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: ${user(random)}\nPublic-Lines: 1\nAAAAC3NzaC1lZDI1NTE5AAAAIG\nPrivate-Lines: 3\n${secret}\nPrivate-MAC: ${random.chars(HEX, 64)}`,
  ),
  "database url": around(
    password,
    (secret, random) =>
      `${random.pick(["postgres", "postgresql", "mysql", "mongodb+srv", "redis", "amqp"])}://${user(random)}:${encodeURIComponent(secret)}@${host(random)}:5432/main`,
  ),
  "odbc connection": around(
    password,
    (secret, random) =>
      `Server=tcp:${host(random)},1433;Database=main;User ID=${user(random)};${random.pick(["Password", "Pwd"])}=${secret};Encrypt=True`,
  ),
  "jdbc url": around(
    password,
    (secret, random) =>
      `jdbc:postgresql://${host(random)}:5432/main?user=${user(random)}&password=${encodeURIComponent(secret)}`,
  ),
  "basic auth header": around(
    (random) => Buffer.from(`${user(random)}:${password(random)}`).toString("base64"),
    (secret) => `Authorization: Basic ${secret}`,
  ),
  "bearer header": around(key, (secret) => `Authorization: Bearer ${secret}`),
  "api key header": around(
    key,
    (secret, random) =>
      `${random.pick(["X-Api-Key", "x-auth-token", "Ocp-Apim-Subscription-Key"])}: ${secret}`,
  ),
  cookie: around(
    (random) => random.chars(URL_SAFE, 40),
    (secret, random) =>
      `${random.pick(["Cookie", "Set-Cookie"])}: ${random.pick(["session", "sid", "connect.sid", "JSESSIONID"])}=${secret}; Path=/; HttpOnly`,
  ),
  "env password": around(
    password,
    (secret, random) =>
      `${random.pick(["DB_PASSWORD", "POSTGRES_PASSWORD", "SMTP_PASS", "ADMIN_PWD", "REDIS_PASSWORD"])}=${secret}`,
  ),
  "env key": around(
    key,
    (secret, random) =>
      `${random.pick(["API_KEY", "SECRET_KEY", "JWT_SECRET", "ENCRYPTION_KEY", "SESSION_SECRET", "STRIPE_SECRET"])}=${secret}`,
  ),
  "yaml setting": around(
    password,
    (secret, random) =>
      `database:\n  host: ${host(random)}\n  user: ${user(random)}\n  password: "${secret}"`,
  ),
  "json setting": around(key, (secret, random) =>
    JSON.stringify(
      {
        host: host(random),
        [random.pick(["apiKey", "clientSecret", "client_secret", "accessToken", "privateToken"])]: secret,
      },
      null,
      2,
    ),
  ),
  "toml setting": around(
    key,
    (secret, random) =>
      `[${random.words(1)}]\nregion = "eu"\n${random.pick(["token", "secret_key", "api-key"])} = "${secret}"`,
  ),
  "ini setting": around(
    password,
    (secret, random) => `[client]\nuser = ${user(random)}\npassword = ${secret}`,
  ),
  "properties setting": around(
    password,
    (secret) => `spring.datasource.url=jdbc:h2:mem\nspring.datasource.password=${secret}`,
  ),
  "kubernetes secret": around(
    (random) => Buffer.from(password(random)).toString("base64"),
    (secret, random) =>
      `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${random.words(1)}\ntype: Opaque\ndata:\n  ${random.pick(["password", "db-password", "token", "tls.key", "credentials", ".dockerconfigjson"])}: ${secret}`,
  ),
  "xml setting": around(
    password,
    (secret, random) =>
      `<server>\n  <username>${user(random)}</username>\n  <password>${secret}</password>\n</server>`,
  ),
  "command flag": around(
    password,
    (secret, random) =>
      `${random.pick(["deploy", "psqlx", "helm upgrade"])} ${random.pick(["--password", "--token", "--api-key"])}${random.pick([" ", "="])}${secret}7 --env prod`,
  ),
  "mysql option": around(
    password,
    (secret, random) => `mysql -h ${host(random)} -u ${user(random)} -p${secret} main`,
  ),
  "curl user": around(
    password,
    (secret, random) => `curl -u ${user(random)}:${secret} https://${host(random)}/status`,
  ),
  "sshpass option": around(
    password,
    (secret, random) => `sshpass -p '${secret}' ssh ${user(random)}@${host(random)}`,
  ),
  netrc: around(
    password,
    (secret, random) => `machine ${host(random)}\n  login ${user(random)}\n  password ${secret}`,
  ),
  htpasswd: around(
    (random) =>
      random.pick([
        () => `$apr1$${random.chars(WORD, 8)}$${random.chars(WORD, 22)}`,
        () => `$2y$05$${random.chars(WORD, 53)}`,
      ])(),
    (secret, random) => `${user(random)}:${secret}`,
  ),
  shadow: around(
    (random) => `$6$${random.chars(WORD, 16)}$${random.chars(WORD, 86)}`,
    (secret, random) => `${user(random)}:${secret}:19000:0:99999:7:::`,
  ),
  pgpass: around(password, (secret, random) => `${host(random)}:5432:main:${user(random)}:${secret}`),
  "oauth refresh token": around(
    key,
    (secret) => `{"token_type":"Bearer","expires_in":3600,"refresh_token":"${secret}"}`,
  ),
  "url token": around(
    key,
    (secret, random) =>
      `https://${host(random)}/v1/items?page=2&${random.pick(["access_token", "api_key", "token"])}=${secret}`,
  ),
  "password in prose": around(password, (secret, random) =>
    random.pick([
      `the password is ${secret}`,
      `Password: ${secret}`,
      `password for ${user(random)} is ${secret}`,
      `log in as ${user(random)} with password ${secret}`,
      `use the password "${secret}"`,
      `my password is '${secret}'`,
      `passphrase: ${secret}`,
    ]),
  ),
  "url password": around(
    (random) => random.chars(WORD, 20),
    (secret, random) => `https://${user(random)}:${secret}@${host(random)}/team/repo.git`,
  ),
};
