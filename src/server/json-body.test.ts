import { expect, it } from "vitest";
import { PIECE, toBody, toPieces } from "./json-body.ts";

const read = async (body: string | ReadableStream<Uint8Array>): Promise<string> => new Response(body).text();

it("sends a short text whole, and a long one in pieces that are made when they are taken", async () => {
  expect(toBody(toPieces('{"a":1}'))).toEqual({ body: '{"a":1}', bytes: 7 });
  const text = JSON.stringify({ text: "x".repeat(3 * PIECE) });
  const { body, bytes } = toBody(toPieces(text));
  expect([typeof body, bytes]).toEqual(["object", text.length]);
  const sizes: number[] = [];
  for await (const piece of body as ReadableStream<Uint8Array>) sizes.push(piece.length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(PIECE);
  expect(sizes.length).toBe(4);
});

it("cuts no character in two, wherever the pieces end", async () => {
  for (const before of [0, 1, 2, 3]) {
    const text = "x".repeat(PIECE - 2 + before) + "😀é€".repeat(PIECE);
    const { body, bytes } = toBody(toPieces(text));
    expect(await read(body)).toBe(text);
    expect(bytes).toBe(Buffer.byteLength(text));
  }
});
