/** Converts the output of `--output-format stream-json` to conversation events; other lines are ignored. */
import type { ChatEvent } from "../../../model/chat.ts";
import {
  aboutTo,
  countAs,
  type Fields,
  notice,
  parseRecord,
  saying,
  sessionIn,
} from "../../driver-records.ts";
import { asArray, asNumber, asObject, asString } from "../../log/jsonl.ts";
import { type Block, blocksOf, resultText } from "../records.ts";

/** One for each run: whether a message has come in pieces already is remembered. */
export function createStream(): (line: string) => ChatEvent[] {
  const streamed = new Set<string>();
  const names = new Map<string, string>();
  let message = "";
  let isOver = false;
  let hasSpoken = false;
  let hasComplained = false;

  const text = (of: string, piece: unknown): ChatEvent[] => {
    if (typeof piece !== "string" || piece === "") return [];
    hasSpoken = true;
    return [{ kind: "text", message: of, text: piece }];
  };
  const complain = (what: unknown): ChatEvent[] => {
    const said = notice(what, true);
    hasComplained ||= said.length > 0;
    return said;
  };
  const piece = (event: Fields): ChatEvent[] => {
    if (event.type === "message_start") message = asString(asObject(event.message)?.id) ?? "";
    if (event.type !== "content_block_delta") return [];
    const delta = asObject(event.delta) ?? {};
    if (delta.type === "thinking_delta" && typeof delta.thinking === "string")
      return [{ kind: "thinking", text: delta.thinking }];
    if (delta.type !== "text_delta") return [];
    streamed.add(message);
    return text(message, delta.text);
  };
  const call = (block: Block): ChatEvent => {
    const [id, name] = [asString(block.id) ?? "", asString(block.name) ?? ""];
    names.set(id, name);
    return { kind: "tool", call: id, name, state: "began", ...saying(aboutTo(block.input)) };
  };
  const answer = (record: Fields, isHelpers: boolean): ChatEvent[] => {
    const body = asObject(record.message) ?? {};
    const of = asString(body.id) ?? "";
    // What the program says of a failed request, in the place of an answer.
    const isFailure = record.error !== undefined || record.is_api_error_message === true;
    return blocksOf(body).flatMap((block) => {
      if (block.type === "tool_use") return [call(block)];
      if (block.type !== "text" || isHelpers) return [];
      if (isFailure) return complain(block.text);
      return streamed.has(of) ? [] : text(of, block.text);
    });
  };
  const results = (record: Fields): ChatEvent[] =>
    blocksOf(asObject(record.message) ?? {}).flatMap((block): ChatEvent[] => {
      if (block.type !== "tool_result") return [];
      const id = asString(block.tool_use_id) ?? "";
      const hasFailed = block.is_error === true;
      return [
        {
          ...{ kind: "tool", call: id, name: names.get(id) ?? "", state: hasFailed ? "failed" : "done" },
          ...(hasFailed ? saying(resultText(block)) : {}),
        },
      ];
    });
  const end = (record: Fields): ChatEvent[] => {
    if (isOver) return [];
    isOver = true;
    const isFailed = record.is_error === true;
    const usage = asObject(record.usage) ?? {};
    // What was read from the cache, or put into it, is counted apart from the rest of the input.
    const read = [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens];
    const input = read.map(asNumber).filter((count) => count !== undefined);
    const why = hasComplained || !isFailed ? [] : [...asArray(record.errors), record.result];
    return [
      // Where nothing was said before, the answer is only here.
      ...(isFailed || hasSpoken ? [] : text("", record.result)),
      ...complain(why.find((each) => typeof each === "string" && each !== "")),
      {
        kind: "end",
        cliSession: sessionIn(record.session_id),
        ...(isFailed && { isFailed }),
        usage: {
          ...(input.length > 0 && { inputTokens: input.reduce((sum, count) => sum + count, 0) }),
          ...countAs("outputTokens", usage.output_tokens),
          ...countAs("costUsd", record.total_cost_usd),
          ...countAs("apiMs", record.duration_api_ms),
        },
      },
    ];
  };

  return (line) => {
    const record = parseRecord(line);
    if (!record) return [];
    // What a helper of the model says is for the model; its tools are shown, as they take time.
    const isHelpers = typeof record.parent_tool_use_id === "string";
    switch (record.type) {
      case "stream_event":
        return isHelpers ? [] : piece(asObject(record.event) ?? {});
      case "assistant":
        return answer(record, isHelpers);
      case "user":
        return results(record);
      case "result":
        return end(record);
      default:
        return [];
    }
  };
}
