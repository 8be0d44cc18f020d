/** What a client sends, line by line. Lines that are no message of the protocol are answered here: the SDK passes over them. */
import { Buffer } from "node:buffer";
import { ProtocolErrorCode, parseJSONRPCMessage } from "@modelcontextprotocol/server";

/** Far more than any question takes; what is longer is let go as it comes in. */
const LONGEST = 4 << 20;
const NEWLINE = 0x0a;

export interface LineReader {
  take(piece: Buffer): void;
}

export interface Heard {
  /** A message of the protocol, with the end of its line. */
  message(line: string): void;
  /** What to answer to anything else, as a line. */
  refusal(line: string): void;
}

export function createLineReader({ message, refusal }: Heard, longest = LONGEST): LineReader {
  let pieces: Buffer[] = [];
  let length = 0;
  const finish = (): void => {
    const isTooLong = length > longest;
    const line = isTooLong ? "" : Buffer.concat(pieces).toString("utf8");
    pieces = [];
    length = 0;
    if (isTooLong) refusal(toRefusal(ProtocolErrorCode.InvalidRequest, tooLong(longest), null));
    else if (line.trim() !== "") hear(line);
  };
  const hear = (line: string): void => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      refusal(toRefusal(ProtocolErrorCode.ParseError, "Parse error: the line is not JSON", null));
      return;
    }
    try {
      parseJSONRPCMessage(value);
    } catch {
      refusal(
        toRefusal(
          ProtocolErrorCode.InvalidRequest,
          "Invalid request: the line is no message of JSON-RPC 2.0",
          idOf(value),
        ),
      );
      return;
    }
    message(`${line}\n`);
  };
  const add = (piece: Buffer): void => {
    length += piece.length;
    if (length <= longest) pieces.push(piece);
    else pieces = [];
  };
  return {
    take(piece) {
      let from = 0;
      for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
        add(piece.subarray(from, at));
        finish();
        from = at + 1;
      }
      if (from < piece.length) add(piece.subarray(from));
    },
  };
}

const tooLong = (longest: number): string =>
  `Invalid request: a message may have ${longest >> 20} MB at most, in one line`;

/** A client finds by it which of its requests was meant. */
function idOf(value: unknown): string | number | null {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

const toRefusal = (code: number, message: string, id: string | number | null): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`;
