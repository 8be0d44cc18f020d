import { expect, it } from "vitest";
import type { Event } from "../../model/session/session.ts";
import { createHistory } from "./chat.ts";

const origin = { line: 1, start: 0, end: 1 };
const time = "2026-07-01T10:00:00.000Z";

it("joins the texts of an answer, and leaves out tools, thoughts and the work of helpers", () => {
  const events: Event[] = [
    { kind: "prompt", text: "Fix it", origin, time },
    { kind: "thinking", text: "hm", origin },
    { kind: "text", text: "I look.", origin, time },
    { kind: "tool-call", callId: "1", name: "bash", input: {}, origin },
    { kind: "prompt", text: "you are a helper", agent: "1", origin },
    { kind: "text", text: "I help", agent: "1", origin },
    { kind: "text", text: "Done.", origin },
    { kind: "prompt", text: "Thanks", origin },
  ];
  const history = createHistory();
  for (const event of events) history.add(event);
  expect(history.messages).toEqual([
    { role: "user", text: "Fix it", at: time },
    { role: "assistant", text: "I look.\n\nDone.", at: time },
    { role: "user", text: "Thanks", at: time },
  ]);
});
