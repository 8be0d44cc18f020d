import { hash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { INNOCENT, NAMED, SECRET_VALUE, SHAPED } from "../../../test/secrets.ts";
import { createRedactor } from "./redact.ts";

/** What a text may stand in without hiding a token in it. */
const AROUND: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `see ${text}, it works`,
  (text) => `"${text}"`,
  (text) => `\`${text}\``,
  (text) => JSON.stringify({ output: `first\n${text}\nlast` }),
  (text) => JSON.stringify({ a: JSON.stringify(`\t${text}`) }),
  (text) => `+ const x = '${text}';`,
  (text) => `\u001b[32m${text}\u001b[0m`,
  (text) => `https://x.example/?q=${text}&y=1`,
  (text) => `prefix_${text}`,
  (text) => `https://x.example/?next=${encodeURIComponent(`/?q=${text}`)}`,
  (text) => JSON.stringify({ a: text }).replaceAll('"', "\\u0022"),
  (text) => JSON.stringify(JSON.stringify(`\n${text}\r\n`)),
  (text) => `<a title=&quot;${text}&quot;>`,
  (text) => `export X='${text}'`,
];

/** What may also stand right before a token that is known for sure. */
const GLUED: readonly ((text: string) => string)[] = [
  (text) => `token${text}`,
  (text) => `X${text}`,
  (text) => `7${text}_old`,
];
/** Their starts end ordinary words, too, such as `task-` and `disk_test_`. */
const APART = ["openai key", "openai project key", "stripe key", "hugging face token", "sendgrid key"];

/** However it is escaped, no piece of it that is long enough to be of use is left. */
function expectGone(text: string, secret: string): void {
  for (const line of secret.split("\n"))
    for (let at = 0; at + 12 <= line.length; at += 6)
      if (!line.startsWith("-----")) expect(text).not.toContain(line.slice(at, at + 12));
}

describe("secrets known by their looks", () => {
  it.each(Object.entries(SHAPED))("takes out a %s wherever it stands", (_, secrets) => {
    fc.assert(
      fc.property(secrets, fc.constantFrom(...AROUND), (secret, around) => {
        expectGone(createRedactor().text(around(secret)), secret);
      }),
      { numRuns: 60 },
    );
  });

  it.each(Object.entries(SHAPED).filter(([kind]) => !APART.includes(kind)))(
    "takes out a %s that something else is glued to",
    (_, secrets) => {
      fc.assert(
        fc.property(secrets, fc.constantFrom(...GLUED), (secret, glue) => {
          expectGone(createRedactor().text(glue(secret)), secret);
        }),
        { numRuns: 20 },
      );
    },
  );

  it("leaves what stands around it", () => {
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
    const redact = (text: string): string => createRedactor().text(text);
    const mark = "[redacted: github token #1]";
    expect(redact(`prefix_${token}`)).toBe(`prefix_${mark}`);
    expect(redact(`tokens/${token}_suffix`)).toBe(`tokens/${mark}_suffix`);
    expect(redact(`q%3D${token}%26r`)).toBe(`q%3D${mark}%26r`);
    expect(redact(`curl -H ${token.slice(0, 20)}\\\n  ${token.slice(20)} x`)).toBe(`curl -H ${mark} x`);
  });

  it("reads addresses that JSON or another address escapes", () => {
    const hook = `https://hooks.slack.com/services/${["T0AB12CD3", "B0EF45GH6", "aB3dE5fG7hI9jK1lM3nO5pQ7"].join("/")}`;
    const password = "postgres://app:Zx81-spectrum9@db.internal/app";
    const signed = `https://x.example/a?sig=${"aB3dE5fG7hI9".repeat(3)}&y=1`;
    const escapes: readonly ((text: string) => string)[] = [
      (text) => text,
      (text) => text.replaceAll("/", "\\/"),
      (text) => `https://x.example/?to=${encodeURIComponent(text)}`,
      (text) => text.replaceAll("&", "\\u0026").replaceAll("=", "\\u003d"),
    ];
    for (const [text, secret] of [
      [hook, "aB3dE5fG7hI9jK1lM3nO5pQ7"],
      [password, "Zx81-spectrum9"],
      [signed, "aB3dE5fG7hI9"],
    ] as const)
      for (const way of escapes) {
        const redacted = createRedactor().text(way(text));
        expect(redacted).not.toContain(secret);
      }
  });

  it("finds a token that was broken at the edge of a window", () => {
    fc.assert(
      fc.property(SHAPED["github token"] ?? fc.constant(""), fc.nat({ max: 30 }), (token, at) => {
        const broken = `${token.slice(0, 5 + at)}\n    ${token.slice(5 + at)} is the token`;
        expect(createRedactor().text(broken)).toBe("[redacted: github token #1] is the token");
      }),
    );
  });

  it("takes a private key whole, escaped, numbered by line or cut off before its end", () => {
    const body = "MIIEpAIBAAKCAQEAx1f9Z8yqkP3nT5wV7bR2sLmN4cXdJhG6oQe0iUa";
    const key = `-----BEGIN PRIVATE KEY-----\n${body}\n${body}\n-----END PRIVATE KEY-----`;
    const redact = (text: string): string => createRedactor().text(text);
    expect(redact(JSON.stringify({ key }))).toBe('{"key":"[redacted: private key #1]"}');
    const numbered = key
      .split("\n")
      .map((line, i) => `${i + 1}\t${line}`)
      .join("\n");
    expect(redact(numbered)).toBe("1\t[redacted: private key #1]");
    expect(redact(`${key.split("\n").slice(0, 3).join("\n")}\n…`)).toBe("[redacted: private key #1]\n…");
  });
});

describe("secrets known by their name", () => {
  it.each(Object.entries(NAMED))("takes the value out of %s", (_, write) => {
    fc.assert(
      fc.property(SECRET_VALUE, fc.constantFrom(...AROUND.slice(0, 2)), (value, around) => {
        const text = around(write(value));
        const redacted = createRedactor().text(text);
        expectGone(redacted, value);
        // Nothing but the value is gone.
        expect(redacted.replace(/\[redacted: [a-z ]+ #1\]/g, "").length).toBe(text.length - value.length);
      }),
      { numRuns: 60 },
    );
  });

  it("reads the escapes of JSON, however deep", () => {
    const secret = 'a"b\\c9 d';
    const once = JSON.stringify({ password: secret });
    const twice = JSON.stringify({ body: once });
    const thrice = JSON.stringify({ body: twice });
    const redact = (text: string): string => createRedactor().text(text);
    expect(redact(once)).toBe('{"password":"[redacted: password #1]"}');
    expect(JSON.parse(redact(twice))).toEqual({ body: redact(once) });
    expect(JSON.parse(redact(thrice))).toEqual({ body: redact(twice) });
  });

  it("reads quotes and signs that are written as their numbers", () => {
    const redact = (text: string): string => createRedactor().text(text);
    const json = JSON.stringify({ user: "me", password: "hunter-22", port: 1 });
    expect(redact(json.replaceAll('"', "\\u0022"))).toBe(
      json.replaceAll('"', "\\u0022").replace("hunter-22", "[redacted: password #1]"),
    );
    expect(redact("?to=%2F%3Faccess_token%3Dabc123xyz789%26y")).toBe(
      "?to=%2F%3Faccess_token%3D[redacted: token #1]%26y",
    );
  });

  it("believes a variable and a quoted password, even a plain word, but not a line of code", () => {
    const redact = (text: string): string => createRedactor().text(text);
    expect(redact("DB_PASSWORD=letmein")).toBe("DB_PASSWORD=[redacted: password #1]");
    expect(redact('password: "letmein"')).toBe('password: "[redacted: password #1]"');
    expect(redact("password: letmein")).toBe("password: letmein");
  });

  it("knows a value that was named once wherever else it stands, before that, too", () => {
    const redactor = createRedactor();
    const turns = ["is it Zx81-spectrum?", "export API_TOKEN=Zx81-spectrum", "echo gave Zx81-spectrum"];
    redactor.learn(turns);
    expect(redactor.value(turns)).toEqual([
      "is it [redacted: token #1]?",
      "export API_TOKEN=[redacted: token #1]",
      "echo gave [redacted: token #1]",
    ]);
  });

  it("does not hunt for a plain word", () => {
    const redactor = createRedactor();
    redactor.learn("PASSWORD=production");
    expect(redactor.text("deploy to production")).toBe("deploy to production");
  });
});

describe("values", () => {
  it("goes into every field, and takes the name of a field for the name of a secret", () => {
    const redactor = createRedactor();
    const given = {
      command: "login",
      password: "hunter2",
      env: [{ name: "API_TOKEN", value: "abc123xyz789" }],
      argv: ["--password", "hunter2", "--verbose"],
      port: 5432,
      nothing: null,
      tokens: 17,
    };
    expect(redactor.value(given)).toEqual({
      command: "login",
      password: "[redacted: password #1]",
      env: [{ name: "API_TOKEN", value: "[redacted: token #1]" }],
      argv: ["--password", "[redacted: password #1]", "--verbose"],
      port: 5432,
      nothing: null,
      tokens: 17,
    });
  });
});

describe("marks", () => {
  it("are the same for the same secret, and counted without telling it", () => {
    const redactor = createRedactor(["/home/dev"]);
    const text = redactor.text("A_TOKEN=abc123xyz789 B_TOKEN=zyx987cba321 A_TOKEN=abc123xyz789 /home/dev/x");
    expect(text).toBe(
      "A_TOKEN=[redacted: token #1] B_TOKEN=[redacted: token #2] A_TOKEN=[redacted: token #1] ~/x",
    );
    expect(redactor.report()).toEqual([
      { kind: "home folder", secrets: 1 },
      { kind: "token", secrets: 2 },
    ]);
  });

  it("stay as they are when redacted again", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(NAMED)), SECRET_VALUE, (write, value) => {
        const once = createRedactor().text(write(value));
        expect(createRedactor().text(once)).toBe(once);
      }),
    );
  });
});

describe("what is no secret", () => {
  it.each(INNOCENT)("stays: %s", (text) => {
    expect(createRedactor().text(text)).toBe(text);
  });

  it("stays: hashes, ids and encoded bytes, whatever they hold by accident", () => {
    let seed = "harmless";
    const next = (as: "hex" | "base64" | "base64url"): string => {
      seed = hash("sha512", seed);
      return hash("sha512", seed, as);
    };
    for (const as of ["hex", "base64", "base64url"] as const) {
      const blob = Array.from({ length: 2000 }, () => next(as)).join("");
      expect(createRedactor().text(blob)).toBe(blob);
    }
    const ids = Array.from({ length: 500 }, () => next("hex")).map(
      (hex) =>
        `task-${hex.slice(0, 32)} cache_key-${hex.slice(0, 32)} run_${hex.slice(0, 40)} TASK-${hex.slice(0, 20)}`,
    );
    for (const text of ids) expect(createRedactor().text(text)).toBe(text);
  });

  it("stays in any text without a name or a shape of one", () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ maxCount: 8 })), (lines) => {
        const text = lines.join("\n");
        expect(createRedactor().text(text)).toBe(text);
      }),
    );
  });
});
