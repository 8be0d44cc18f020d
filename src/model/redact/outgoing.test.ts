import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NAMED, SECRET_VALUE, SHAPED } from "../../../test/secrets.ts";
import { createOutgoingRedactor, type OutgoingRedactor } from "./outgoing.ts";

const KEY = new Uint8Array(32).fill(7);
const create = (): OutgoingRedactor => createOutgoingRedactor({ key: KEY });

const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
const markOf = (secret: string, kind: string): string =>
  `[redacted: ${kind} ${createHmac("sha256", KEY).update(secret).digest("hex").slice(0, 8)}]`;
const MARK = markOf(TOKEN, "github token");
const body = "MIIEpAIBAAKCAQEAx1f9Z8yqkP3nT5wV7bR2sLmN4cXdJhG6oQe0iUa";
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${`${body}\n`.repeat(9)}-----END RSA PRIVATE KEY-----`;

/** All lines of a log, learned first, as a whole session is. */
function redactLog(records: readonly unknown[]): string[] {
  const lines = records.map((record) => (typeof record === "string" ? record : JSON.stringify(record)));
  const redactor = create();
  redactor.learn(`${lines.join("\n")}\n`, "jsonl");
  return lines.map((line) => redactor.line(line));
}

describe("a record", () => {
  it("keeps every character that belongs to no secret", () => {
    const line = String.raw`{ "a":1.0e5, "a":-0,"big":12345678901234567890 ,"u":"\u0041\/\ud83d\ude00\n","s":"x \u0022 ${TOKEN}\t\u00e4","n":null}  `;
    expect(create().line(line)).toBe(line.replace(TOKEN, MARK));
  });

  it("stays the same JSON where nothing is secret, however it is written", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom("", "\ufeff", "  "), (json, before) => {
        expect(create().line(before + json)).toBe(before + json);
        expect(create().json(before + json)).toBe(before + json);
      }),
    );
  });

  it.each(Object.entries(SHAPED))(
    "loses a %s at any depth of JSON in JSON, and nothing else",
    (_, secrets) => {
      fc.assert(
        fc.property(secrets, fc.nat({ max: 3 }), (secret, depth) => {
          const wrap = (text: string): string => {
            let value: unknown = { output: `first "quoted"\n${text}\nlast` };
            for (let i = 0; i < depth; i++) value = { arguments: JSON.stringify(value), n: i };
            return JSON.stringify(value);
          };
          const redacted = create().line(wrap(secret));
          const mark = /\[redacted: [^\]]+\]/.exec(redacted)?.[0] ?? "";
          expect(redacted).toBe(wrap(mark));
        }),
        { numRuns: 20 },
      );
    },
  );

  it.each(Object.entries(NAMED))("loses the value in %s inside a tool's result", (_, write) => {
    fc.assert(
      fc.property(SECRET_VALUE, (value) => {
        const redacted = create().line(JSON.stringify({ result: { content: write(value) } }));
        expect(redacted).not.toContain(value);
        expect(() => JSON.parse(redacted)).not.toThrow();
      }),
      { numRuns: 20 },
    );
  });

  it("takes the names of members, of siblings and of flags for names of secrets", () => {
    const redacted = create().line(
      JSON.stringify({
        password: "hunter2-and",
        env: [
          { value: "abc123xyz789", name: "API_TOKEN" },
          { key: "DB_PASSWORD", value: "Zx81-spectrum" },
        ],
        argv: ["--password", "hunter3-and", "--verbose"],
      }),
    );
    for (const secret of ["hunter2", "abc123", "Zx81", "hunter3"]) expect(redacted).not.toContain(secret);
    expect(redacted).toContain('"--verbose"');
  });

  it("loses a secret that is split between chunks of one message", () => {
    const record = {
      content: [
        { type: "text", text: `the token ${TOKEN.slice(0, 17)}` },
        { type: "text", text: `${TOKEN.slice(17)} works` },
      ],
    };
    const [line = ""] = redactLog([record]);
    expect(JSON.parse(line)).toEqual({
      content: [
        { type: "text", text: `the token ${MARK}` },
        { type: "text", text: `${MARK} works` },
      ],
    });
    const key = redactLog([{ lines: PEM.split("\n") }])[0] ?? "";
    expect(key).not.toContain(body.slice(0, 12));
  });

  const PASSWORD = "Tr0ub4dor&3xyzQ";
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const wide = (text: string): string =>
    text.replaceAll(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
  const between = (mark: string): string => [...TOKEN].join(mark);
  it.each([
    ["a token in base64", `echo ${base64(TOKEN)} | base64 -d`],
    ["a token in an address of data", `data:text/plain;base64,${base64(`use ${TOKEN}`)}`],
    ["a known password in base64", `basic ${base64(`robin:${PASSWORD}`)}`],
    [
      "a file of settings in base64, in lines",
      base64(`${"# no\n".repeat(30)}K=${PASSWORD}\n`).replace(/.{76}/g, "$&\n"),
    ],
    [
      "a token that a search has coloured",
      `ghp_\u001b[01;31m\u001b[K${TOKEN.slice(4, 9)}\u001b[m\u001b[K${TOKEN.slice(9)}`,
    ],
    ["a token with letters without width", between("\u200b")],
    ["a token in UTF-16 that was read as bytes", between("\0")],
    ["a known password that a shell has quoted", PASSWORD.replace("&", "\\&")],
    ["a token in hex", Buffer.from(`use ${TOKEN}`).toString("hex")],
    ["a known password in hex", Buffer.from(`robin:${PASSWORD}`).toString("hex").toUpperCase()],
    ["a token in escapes of a program", TOKEN.replaceAll(/./g, (c) => `\\x${c.charCodeAt(0).toString(16)}`)],
    ["a token in wide letters", wide(TOKEN)],
    ["a token that begins with wide letters", wide(TOKEN.slice(0, 7)) + TOKEN.slice(7)],
    [
      "a token in letters of mathematics",
      TOKEN.replaceAll(/[a-z]/g, (c) => String.fromCodePoint(c.charCodeAt(0) - 97 + 0x1d5ba)),
    ],
    ["a known password in wide letters", wide(PASSWORD)],
  ])("loses %s", (_, text) => {
    const [, line = ""] = redactLog([{ run: `export DB_PASSWORD='${PASSWORD}'` }, { output: `a ${text} b` }]);
    expect(JSON.parse(line)).toEqual({
      output: expect.stringMatching(/^a (?:\S+ )?\S*\[redacted: [^\]]+\]\S*(?: \| base64 -d)? b$/),
    });
    const plain = create();
    const both = `export DB_PASSWORD='${PASSWORD}'\n\n${text}\n`;
    plain.learn(both, "text");
    for (const secret of [text, PASSWORD, TOKEN.slice(9)]) expect(plain.text(both)).not.toContain(secret);
  });

  it.each([
    ["+", `"${TOKEN.slice(0, 4)}" + "${TOKEN.slice(4)}"`],
    [". of PHP, in single quotes", `'${TOKEN.slice(0, 9)}' . '${TOKEN.slice(9)}'`],
    [
      "lines of a program",
      `"${TOKEN.slice(0, 4)}" +\n    "${TOKEN.slice(4, 20)}" +\n    "${TOKEN.slice(20)}"`,
    ],
    ["texts side by side", `("${TOKEN.slice(0, 14)}"\n  "${TOKEN.slice(14)}")`],
    ["a shell", `echo "${TOKEN.slice(0, 4)}"'${TOKEN.slice(4)}'`],
    ["JSON in a text", JSON.stringify({ code: `t = "${TOKEN.slice(0, 4)}" + "${TOKEN.slice(4)}"` })],
    ["a known password", `"${PASSWORD.slice(0, 7)}" + "${PASSWORD.slice(7)}"`],
  ])("loses a secret that a program puts together: %s", (_, text) => {
    const lines = redactLog([{ run: `export DB_PASSWORD='${PASSWORD}'` }, { output: `a ${text} b` }]);
    for (const part of [TOKEN.slice(4, 20), TOKEN.slice(22), PASSWORD.slice(7), PASSWORD.slice(0, 7)])
      expect(lines[1]).not.toContain(part);
    expect(lines[1]).toContain("[redacted: ");
  });

  it("keeps what only looks put together or encoded", () => {
    for (const text of [
      'const header = "Authorization: Bearer " + "token of the user";',
      'const a = "sk-" + name + "-" + "x".repeat(40);',
      `password: " + "nothing to see" + "`,
      Buffer.from("nothing to hide in here, and nothing to find").toString("hex"),
      "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      "ＡＢＣ　これは普通のテキスト（全角）です：１２３４５６７８９０",
    ])
      expect(redactLog([{ text }])).toEqual([JSON.stringify({ text })]);
  });

  it("keeps base64 in which nothing is secret, and colours", () => {
    const text = `${base64("nothing to hide in here, and nothing to find")} \u001b[31m${"abc".repeat(20)}\u001b[0m`;
    expect(redactLog([{ text }])).toEqual([JSON.stringify({ text })]);
  });

  it("leaves the word behind a whole token alone, in the next chunk and in the next record", () => {
    const record = { content: [{ text: TOKEN }, { text: "continue" }] };
    expect(redactLog([record])).toEqual([JSON.stringify(record).replace(TOKEN, MARK)]);
    expect(redactLog([{ text: TOKEN }, { text: "push" }])).toEqual([`{"text":"${MARK}"}`, '{"text":"push"}']);
    expect(redactLog([{ argv: [TOKEN, "push"] }])).toEqual([`{"argv":["${MARK}","push"]}`]);
  });

  it("loses a secret that consecutive records hold in pieces", () => {
    const push = (value: string): unknown => ({ kind: 2, k: ["requests", 0, "response"], v: [{ value }] });
    const pieces = [`my ${TOKEN.slice(0, 3)}`, ...(TOKEN.slice(3).match(/.{1,5}/g) ?? []), " is it"];
    const other = { kind: 1, k: ["customTitle"], v: "ghp" };
    const lines = redactLog([...pieces.map(push), other, push(pieces[1] ?? "")]);
    const texts = lines.map((line) => (JSON.parse(line) as { v: [{ value: string }] }).v[0].value);
    expect(texts.slice(0, pieces.length)).toEqual([
      `my ${MARK}`,
      ...pieces.slice(1, -1).map(() => MARK),
      " is it",
    ]);
    // The same piece elsewhere is no part of a secret.
    expect(texts.at(-1)).toBe(pieces[1]);
    expect(lines[pieces.length]).toBe(JSON.stringify(other));
  });

  it("loses the beginning of a secret where its text was cut off", () => {
    const lines = redactLog([
      { a: `run with ${TOKEN}` },
      { b: `run with ${TOKEN.slice(0, 25)}` },
      { b: `${TOKEN.slice(0, 20)}…` },
    ]);
    expect(lines.slice(1).join()).not.toContain(TOKEN.slice(0, 12));
  });

  it("knows a value by its name in any other file of the session", () => {
    const redactor = create();
    redactor.learn("DB_PASSWORD=Zx81-spectrum&9\n", "text");
    redactor.learn('{"headers":{"Authorization":"Basic YXBwOmg1bnRlci0yMkB4eQ=="}}', "json");
    const mark = markOf("Zx81-spectrum&9", "password");
    expect(redactor.line('{"a":"is it Zx81-spectrum&9?"}')).toBe(`{"a":"is it ${mark}?"}`);
    expect(redactor.text("x?p=Zx81-spectrum%269&y")).toBe(`x?p=${mark}&y`);
    expect(redactor.text("Zx81-spec\n  trum&9 it is")).toBe(`${mark} it is`);
    expect(redactor.text("login h5nter-22@xy")).not.toContain("h5nter-22@xy");
  });

  it("is redacted as text where it is no JSON", () => {
    const torn = JSON.stringify({ a: `x ${TOKEN}`, b: "y" }).slice(0, -3);
    expect(redactLog([torn])).toEqual([torn.replace(TOKEN, MARK)]);
  });
});

describe("what ties records together", () => {
  const uuid = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
  it("stays, even where somebody uses it as a password", () => {
    const record = {
      id: uuid,
      parentUuid: uuid,
      tool_use_id: "toolu_01A09q90qw90lq917835lq9",
      data: {
        sessionId: uuid,
        contentHash: "8f14e45fceea167a5a36dedd4bea2543f9d1c7ab",
        startTime: "2026-11-01T10:00:00.000Z",
      },
    };
    const lines = redactLog([record, { text: `SESSION_TOKEN=${uuid}` }]);
    expect(lines[0]).toBe(JSON.stringify(record));
    expect(lines[1]).not.toContain(uuid);
  });

  it("stays: signatures, encrypted reasoning and pictures", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 200, maxLength: 4000 }), (bytes) => {
        const base64 = Buffer.from(bytes).toString("base64");
        const line = JSON.stringify({
          signature: base64,
          encrypted_content: Buffer.from(bytes).toString("base64url"),
          source: { type: "base64", media_type: "image/png", data: base64 },
          url: `data:image/png;base64,${base64}`,
        });
        expect(create().line(line)).toBe(line);
      }),
    );
  });
});

describe("a text", () => {
  it("loses a private key over its lines, and a wrapped token", () => {
    expect(create().text(`# notes\n${PEM}\nend`)).toMatch(
      /^# notes\n\[redacted: private key [0-9a-f]{8}\]\nend$/,
    );
    expect(create().text(`${TOKEN.slice(0, 30)}\n    ${TOKEN.slice(30)} is it`)).toBe(`${MARK} is it`);
  });
});

describe("marks", () => {
  it("are the same in every run and session of a machine, and others elsewhere", () => {
    expect(create().text(`a ${TOKEN}`)).toBe(`a ${MARK}`);
    expect(create().line(JSON.stringify([TOKEN]))).toBe(JSON.stringify([MARK]));
    expect(createOutgoingRedactor({ key: new Uint8Array(32) }).text(TOKEN)).not.toBe(MARK);
  });

  it("stay as they are when redacted again", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(NAMED)), SECRET_VALUE, (write, value) => {
        const once = create().line(JSON.stringify({ text: write(value) }));
        expect(create().line(once)).toBe(once);
      }),
    );
  });

  it("are counted: different secrets, and places", () => {
    const redactor = create();
    redactor.text(`${TOKEN} ${TOKEN} A_PASSWORD=hunter-22`);
    expect(redactor.report()).toEqual([
      { kind: "github token", secrets: 1, places: 2 },
      { kind: "password", secrets: 1, places: 1 },
    ]);
  });
});

/** Texts that make careless patterns read everything once for each character: tens of billions of steps. */
const HOSTILE: Readonly<Record<string, string>> = {
  "starts of web tokens": "eyJ",
  "lines that start like web tokens": `eyJ${"a".repeat(70)}\n`,
  "starts of private keys": "-----BEGIN PRIVATE KEY-----\na-",
  "names without values": "password=",
  "quotes that never close": 'password="',
  backslashes: "\\",
  "escaped quotes": '\\"',
  addresses: "://a:b@",
  commands: "curl -u a",
  cookies: "cookie: ",
  "token starts": "sk-a",
};

describe("hostile texts", () => {
  it.each(Object.entries(HOSTILE))(
    "are read to their end: %s",
    (_, piece) => {
      const text = piece.repeat(150_000 / piece.length);
      const redactor = create();
      const line = JSON.stringify({ text });
      redactor.learn(line, "jsonl");
      expect(() => JSON.parse(redactor.line(line))).not.toThrow();
      expect(redactor.text(text).length).toBeGreaterThan(0);
    },
    60_000,
  );

  it("are read to their end: as many secrets as lines, and nesting beyond reason", () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `X${i}_TOKEN=abc${i}def${i * 7}xyz`);
    const redactor = create();
    const line = JSON.stringify({ text: lines.join("\n"), lines });
    redactor.learn(line, "jsonl");
    expect(redactor.line(line)).not.toMatch(/abc\d+def/);
    const deep = `${"[".repeat(100_000)}"${TOKEN}"${"]".repeat(100_000)}`;
    expect(redactor.line(deep)).toBe(deep.replace(TOKEN, MARK));
  }, 60_000);
});
