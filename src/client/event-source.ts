/** Server-sent events from the body of an answer; unlike a browser's own EventSource, with headers and any method. */

export interface SourceEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: string;
}

/** Resolves when the stream has ended. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: SourceEvent) => void,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = toEvent(block);
        if (event) onEvent(event);
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function toEvent(block: string): SourceEvent | undefined {
  let id: string | undefined;
  let type = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ""] = /^(\w+):? ?(.*)$/s.exec(line) ?? [];
    if (field === "id") id = value;
    else if (field === "event") type = value;
    else if (field === "data") data.push(value);
  }
  return data.length > 0 ? { id, type, data: data.join("\n") } : undefined;
}
