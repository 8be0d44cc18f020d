import fc from "fast-check";
import { expect, it } from "vitest";
import { createLineReader } from "./lines.ts";

interface Heard {
  readonly messages: string[];
  readonly refused: { id: unknown; error: { code: number } }[];
}

function hear(text: string, sizes: readonly number[], longest?: number): Heard {
  const heard: Heard = { messages: [], refused: [] };
  const reader = createLineReader(
    {
      message: (line) => void heard.messages.push(line),
      refusal: (line) => void heard.refused.push(JSON.parse(line)),
    },
    longest,
  );
  const bytes = Buffer.from(text);
  let at = 0;
  for (let piece = 0; at < bytes.length; piece++) {
    const size = sizes[piece % Math.max(1, sizes.length)] ?? bytes.length;
    reader.take(bytes.subarray(at, at + size));
    at += size;
  }
  return heard;
}

const PING = '{"jsonrpc":"2.0","id":"ö","method":"ping"}';

it("passes on the same messages however they come in, also where a piece ends within a letter", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
      expect(hear(`${PING}\n\r\n${PING}\r\n  \n${PING}`, sizes)).toEqual({
        messages: [`${PING}\n`, `${PING}\r\n`],
        refused: [],
      });
    }),
  );
});

it.each([
  ["{", null, -32700],
  ["\u0000", null, -32700],
  ["1", null, -32600],
  ["[]", null, -32600],
  [`[${PING}]`, null, -32600],
  ['{"jsonrpc":"1.0","id":3,"method":"ping"}', 3, -32600],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32600],
  ['{"jsonrpc":"2.0","id":"a","method":7}', "a", -32600],
])("answers %s", (line, id, code) => {
  const { messages, refused } = hear(`${line}\n${PING}\n`, []);
  expect(messages).toEqual([`${PING}\n`]);
  expect(refused).toEqual([{ jsonrpc: "2.0", id, error: { code, message: expect.any(String) } }]);
});

it("refuses a line that is too long once, and hears the next", () => {
  const { messages, refused } = hear(`${"x".repeat(500)}\n${PING}\n${"y".repeat(101)}`, [7], 100);
  expect(messages).toEqual([`${PING}\n`]);
  expect(refused.map(({ id, error }) => [id, error.code])).toEqual([[null, -32600]]);
});
