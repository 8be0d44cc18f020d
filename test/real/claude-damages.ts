/** Ways in which transcripts of Claude Code get damaged, each made on the lines of a sound one. */

/** The words of the sessions that are damaged, in their order: as the program writes them, and as tests make them up. */
export const WORDS = {
  first: "Look around.",
  looking: "Looking.",
  seenOne: "Seen one.",
  second: "Go on.",
  seenTwo: "Seen both.",
  third: "Finish.",
  finished: "Finished.",
};

/** Of a rewound session: the turn that was left on purpose, and the one that took its place. */
export const LEFT = "The dead end.";

export type Base = "plain" | "compacted" | "rewound";

export interface Damage {
  readonly name: string;
  readonly base: Base;
  make(lines: readonly string[]): string | Buffer;
  /** What cannot be told any more: how these words begin. */
  readonly lost?: readonly string[];
  /** What is told again, though the program had forgotten it. */
  readonly back?: readonly string[];
  /** Nothing has to be repaired for the program to tell all of it. */
  readonly isTolerated?: boolean;
  /** The program has nothing to resume. */
  readonly isEmpty?: boolean;
}

type Row = Record<string, unknown> & { message?: { content?: unknown } & Record<string, unknown> };

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
const parse = (line: string | undefined): Row => JSON.parse(line ?? "{}");

/** The line of a row that says this, by its type. */
function at(lines: readonly string[], type: string, words: string): number {
  const found = lines.findIndex((line) => {
    const row = parse(line);
    if (row.type !== type || row.isSidechain === true) return false;
    const { content } = row.message ?? {};
    const said = typeof content === "string" ? content : JSON.stringify(content ?? "");
    return type === "user" && typeof content === "string" ? said.startsWith(words) : said.includes(words);
  });
  if (found < 0) throw new Error(`no ${type} row says ${words}`);
  return found;
}
const call = (lines: readonly string[], command: string): number => at(lines, "assistant", `echo ${command}`);
function callId(lines: readonly string[], command: string): string {
  const [block] = (parse(lines[call(lines, command)]).message?.content ?? []) as { id: string }[];
  return block?.id ?? "";
}
const result = (lines: readonly string[], command: string): number =>
  at(lines, "user", callId(lines, command));
function changed(lines: readonly string[], place: number, change: (row: Row) => void): string[] {
  const row = parse(lines[place]);
  change(row);
  return lines.with(place, JSON.stringify(row));
}
const without = (lines: readonly string[], place: number): string[] => lines.toSpliced(place, 1);
const isRow = (line: string): boolean => typeof parse(line).uuid === "string";
const later = (time: unknown, seconds: number): string =>
  new Date(Date.parse(String(time)) + seconds * 1000).toISOString();
/** With half a minute between rows nothing is bridged by luck. */
const slowly = (lines: readonly string[]): string[] =>
  lines.map((line, number) =>
    isRow(line)
      ? JSON.stringify({ ...parse(line), timestamp: later("2026-10-01T08:00:00Z", 30 * number) })
      : line,
  );
const lastRow = (lines: readonly string[]): number =>
  lines.findLastIndex((line) => ["user", "assistant"].includes(String(parse(line).type)));
const boundary = (lines: readonly string[]): number =>
  lines.findIndex((line) => parse(line).subtype === "compact_boundary");

const plain = (name: string, make: Damage["make"], more: Partial<Damage> = {}): Damage => ({
  ...{ name, base: "plain", make },
  ...more,
});

const { first, looking, seenOne, second, seenTwo, third, finished } = WORDS;

export const DAMAGES: readonly Damage[] = [
  plain("nothing", text, { isTolerated: true }),
  plain(
    "a torn last line, in its words",
    (lines) => {
      const last = at(lines, "assistant", finished);
      const cut = (lines[last] ?? "").indexOf(finished) + 5;
      return text(lines.slice(0, last)) + (lines[last] ?? "").slice(0, cut);
    },
    { lost: [finished] },
  ),
  plain("a torn last line, behind its words", (lines) => {
    const last = at(lines, "assistant", finished);
    const row = lines[last] ?? "";
    return text(lines.slice(0, last)) + row.slice(0, row.lastIndexOf('"uuid"') + 10);
  }),
  plain("a torn line in the middle", (lines) => {
    const place = at(lines, "assistant", seenOne);
    const row = lines[place] ?? "";
    return text(lines.with(place, row.slice(0, row.indexOf(seenOne) + seenOne.length)));
  }),
  plain(
    "a torn line that the next one was written behind",
    (lines) => {
      const place = at(lines, "assistant", seenOne);
      const row = lines[place] ?? "";
      return text(
        lines.toSpliced(place, 2, row.slice(0, row.indexOf(seenOne) + 4) + (lines[place + 1] ?? "")),
      );
    },
    { lost: [seenOne] },
  ),
  plain(
    "a torn call",
    (lines) => {
      const place = call(lines, "two");
      return text(
        lines.with(place, (lines[place] ?? "").slice(0, (lines[place] ?? "").indexOf("echo two") + 3)),
      );
    },
    { lost: ["call echo two"] },
  ),
  plain("two records on one line", (lines) => {
    const place = at(lines, "assistant", seenOne);
    return text(lines.toSpliced(place, 2, `${lines[place]}${lines[place + 1]}`));
  }),
  plain("all records on one line", (lines) => lines.join("")),
  plain("a record over several lines", (lines) => {
    const place = at(lines, "user", second);
    return text(lines.with(place, JSON.stringify(parse(lines[place]), null, 2)));
  }),
  plain(
    "a raw line feed in a text",
    (lines) => {
      const place = at(lines, "user", third);
      return text(lines.with(place, (lines[place] ?? "").replace(third, `${third}\n`)));
    },
    { lost: [third] },
  ),
  plain("one line written into another", (lines) => {
    const place = at(lines, "user", second);
    const row = lines[place] ?? "";
    const cut = row.indexOf(second) + 3;
    return text(lines.toSpliced(place, 2, row.slice(0, cut), lines[place + 1] ?? "", row.slice(cut)));
  }),
  plain("garbage between the rows", (lines) =>
    text(
      lines.flatMap((line, number) =>
        number % 4 === 3 ? [line, "%%% {{{", "", '"words"', "[1,2]"] : [line],
      ),
    ),
  ),
  plain("NULs between the rows, and behind them", (lines) => {
    const half = lines.length >> 1;
    return `${text(lines.slice(0, half))}${"\0".repeat(700)}\n${text(lines.slice(half))}${"\0".repeat(4096)}`;
  }),
  plain(
    "NULs over a row",
    (lines) => {
      const place = at(lines, "user", second);
      return text(lines.with(place, "\0".repeat((lines[place] ?? "").length)));
    },
    { lost: [second] },
  ),
  plain(
    "NULs over the end",
    (lines) => {
      const place = at(lines, "assistant", finished);
      const bytes = Buffer.from(text(lines));
      return bytes.fill(0, Buffer.byteLength(text(lines.slice(0, place))) + 40);
    },
    { lost: [finished] },
  ),
  plain("a byte order mark at the beginning", (lines) => `\ufeff${text(lines)}`, { isTolerated: true }),
  plain("a byte order mark before a row", (lines) => {
    const place = at(lines, "user", second);
    return text(lines.with(place, `\ufeff${lines[place]}`));
  }),
  plain("CRLF", (lines) => lines.map((line) => `${line}\r\n`).join(""), { isTolerated: true }),
  plain(
    "bytes that are not UTF-8",
    (lines) => {
      const place = at(lines, "assistant", seenTwo);
      const [before = "", behind = ""] = (lines[place] ?? "").split(seenTwo.slice(4));
      return Buffer.concat([
        Buffer.from(text(lines.slice(0, place)) + before),
        Buffer.from([0xff, 0xc3, 0x28]),
        Buffer.from(`${seenTwo.slice(4)}${behind}\n${text(lines.slice(place + 1))}`),
      ]);
    },
    { lost: [seenTwo] },
  ),
  plain("a row without its id", (lines) =>
    text(changed(lines, at(lines, "assistant", seenOne), (row) => void Reflect.deleteProperty(row, "uuid"))),
  ),
  plain("an id that is a number", (lines) =>
    text(changed(lines, at(lines, "assistant", seenOne), (row) => void Object.assign(row, { uuid: 7 }))),
  ),
  plain("two rows with one id", (lines) => {
    const uuid = parse(lines[at(lines, "assistant", looking)]).uuid;
    return text(changed(lines, at(lines, "assistant", seenTwo), (row) => void Object.assign(row, { uuid })));
  }),
  plain(
    "a row written twice",
    (lines) => {
      const place = at(lines, "assistant", seenTwo);
      return text(lines.toSpliced(place, 0, lines[place] ?? ""));
    },
    { isTolerated: true },
  ),
  plain("no times at all", (lines) =>
    text(
      lines.map((line) => {
        const { timestamp: _, ...row } = parse(line);
        return isRow(line) ? JSON.stringify(row) : line;
      }),
    ),
  ),
  plain("times that are numbers", (lines) =>
    text(
      lines.map((line) =>
        isRow(line)
          ? JSON.stringify({ ...parse(line), timestamp: Date.parse(String(parse(line).timestamp)) })
          : line,
      ),
    ),
  ),
  plain("a last message with a time that is none", (lines) =>
    text(changed(lines, lastRow(lines), (row) => void Object.assign(row, { timestamp: "soon" }))),
  ),
  plain(
    "a row without its message",
    (lines) =>
      text(
        changed(lines, at(lines, "assistant", seenOne), (row) => void Reflect.deleteProperty(row, "message")),
      ),
    { lost: [seenOne] },
  ),
  plain("a message that is a text", (lines) =>
    text(
      changed(lines, at(lines, "assistant", seenOne), (row) => void Object.assign(row, { message: seenOne })),
    ),
  ),
  plain("content that is one block", (lines) =>
    text(
      changed(lines, at(lines, "assistant", seenTwo), ({ message }) => {
        if (message) message.content = (message.content as unknown[])[0];
      }),
    ),
  ),
  plain(
    "content that is a number, and content of no blocks",
    (lines) => {
      const one = changed(
        lines,
        at(lines, "user", third),
        ({ message }) => void Object.assign(message ?? {}, { content: 42 }),
      );
      return text(
        changed(one, at(one, "assistant", seenTwo), ({ message }) => {
          Object.assign(message ?? {}, { content: [seenTwo] });
        }),
      );
    },
    { lost: [third] },
  ),
  plain("a row without its kind", (lines) =>
    text(changed(lines, at(lines, "assistant", seenOne), (row) => void Reflect.deleteProperty(row, "type"))),
  ),
  plain(
    "a lost row behind a mark of the end, beyond the seconds that the program bridges",
    (lines) => {
      const slow = slowly(lines);
      return text(without(slow, at(slow, "user", second)));
    },
    { lost: [second] },
  ),
  plain("many lost rows", (lines) => {
    const slow = slowly(lines);
    return text(
      slow.filter((line, number) => number % 5 !== 2 || !isRow(line) || parse(line).type !== "attachment"),
    );
  }),
  plain("no links at all", (lines) =>
    text(
      slowly(lines).map((line) =>
        isRow(line) ? JSON.stringify({ ...parse(line), parentUuid: null }) : line,
      ),
    ),
  ),
  plain("links that are no texts", (lines) =>
    text(
      slowly(lines).map((line, number) =>
        isRow(line) && number % 3 === 0 ? JSON.stringify({ ...parse(line), parentUuid: number }) : line,
      ),
    ),
  ),
  plain("a circle", (lines) => {
    const slow = slowly(lines);
    const { uuid } = parse(slow[at(slow, "assistant", seenTwo)]);
    return text(
      changed(slow, at(slow, "user", second), (row) => void Object.assign(row, { parentUuid: uuid })),
    );
  }),
  plain("a second beginning", (lines) =>
    text(
      changed(
        slowly(lines),
        at(lines, "user", third),
        (row) => void Object.assign(row, { parentUuid: null }),
      ),
    ),
  ),
  plain("an answer as a second beginning", (lines) =>
    text(
      changed(
        slowly(lines),
        at(lines, "assistant", seenTwo),
        (row) => void Object.assign(row, { parentUuid: null }),
      ),
    ),
  ),
  plain("everything marked as a side chain", (lines) =>
    text(lines.map((line) => (isRow(line) ? JSON.stringify({ ...parse(line), isSidechain: true }) : line))),
  ),
  plain("a mark on a side chain", (lines) => {
    const aside = { type: "user", message: { role: "user", content: "aside" } };
    const row = { ...parse(lines[lastRow(lines)]), ...aside, uuid: "aside-1", isSidechain: true };
    const mark = { type: "last-prompt", lastPrompt: "aside", leafUuid: "aside-1" };
    return text([...lines, JSON.stringify(row), JSON.stringify(mark)]);
  }),
  plain("a stale mark on one of two results", (lines) => {
    const rows = lines.filter((line) => parse(line).type !== "last-prompt");
    const place = Math.min(result(rows, "two"), result(rows, "three"));
    const mark = { type: "last-prompt", lastPrompt: "go on", leafUuid: parse(rows[place]).uuid };
    return text(rows.toSpliced(place + 1, 0, JSON.stringify(mark)));
  }),
  plain("a row of a kind nobody knows inside the chain", (lines) => {
    const slow = slowly(lines);
    const place = at(slow, "user", second);
    const strange = { ...parse(slow[place]), type: "hologram", uuid: "strange", message: undefined };
    const linked = changed(slow, place, (row) => void Object.assign(row, { parentUuid: "strange" }));
    return text(linked.toSpliced(place, 0, JSON.stringify(strange)));
  }),
  plain(
    "a result without its call",
    (lines) => {
      const slow = slowly(lines);
      return text(without(slow, call(slow, "two")));
    },
    { lost: ["call echo two"] },
  ),
  plain(
    "a call without its result",
    (lines) => {
      const slow = slowly(lines);
      return text(without(slow, result(slow, "one")));
    },
    { lost: ["call echo one", "one"] },
  ),
  plain(
    "a result before its call",
    (lines) => {
      const [from, to] = [result(lines, "one"), call(lines, "one")];
      const row = lines[from] ?? "";
      return text(without(lines, from).toSpliced(to, 0, row));
    },
    { isTolerated: true },
  ),
  plain("the id of a call used twice", (lines) => {
    return text(lines).replaceAll(callId(lines, "two"), callId(lines, "one"));
  }),
  plain("a huge line without its id", (lines) =>
    text(
      changed(lines, at(lines, "assistant", seenOne), (row) => {
        Object.assign(row, { padding: "long ".repeat(1 << 20) });
        Reflect.deleteProperty(row, "uuid");
      }),
    ),
  ),
  plain("an empty file", () => "", { isEmpty: true }),
  plain("nothing but NULs", () => "\0".repeat(4096), { isEmpty: true }),
  {
    name: "a dead branch, which stays dead when a row of the other is lost",
    base: "rewound",
    make: (lines) => {
      const slow = slowly(lines);
      return text(without(slow, at(slow, "user", third)));
    },
    lost: [third],
  },
  {
    name: "a dead branch, and garbage between",
    base: "rewound",
    make: (lines) => text(lines.flatMap((line) => [line, "{ no record"])),
  },
  {
    name: "a lost boundary of a compaction",
    base: "compacted",
    make: (lines) => text(without(slowly(lines), boundary(lines))),
    lost: [finished],
  },
  {
    name: "a lost summary of a compaction",
    base: "compacted",
    make: (lines) => text(slowly(lines).filter((line) => parse(line).isCompactSummary !== true)),
    lost: ["This session is being continued", "Summary:"],
    back: [first, looking, seenOne, second, seenTwo, third],
  },
  {
    name: "a compaction that ends before its summary",
    base: "compacted",
    make: (lines) => text(lines.slice(0, boundary(lines) + 1)),
    lost: [
      ...["This session is being continued", "Summary:", "What now?", "Now this."],
      ...["<local-command-caveat>The", "<command-name>/compact</command-name>"],
      "<local-command-stdout>Compacted",
    ],
    back: [first, looking, seenOne, second, seenTwo, third],
  },
  {
    name: "a compaction that preserved rows which are gone",
    base: "compacted",
    make: (lines) => {
      const slow = slowly(lines);
      return text(
        changed(slow, boundary(slow), (row) => {
          const { preservedMessages: kept } = row.compactMetadata as {
            preservedMessages: { uuids: string[] };
          };
          kept.uuids = ["gone", ...kept.uuids];
        }),
      );
    },
  },
];

/** What a model receives, as a list of texts: words, calls by their commands, and results; without reminders. */
export function told(
  messages: readonly {
    readonly role: string;
    readonly text: string;
    readonly toolCalls?: readonly { readonly arguments?: unknown }[];
  }[],
): string[] {
  return messages.flatMap(({ text: said, toolCalls = [] }) => {
    const words = said.replace(/<system-reminder>[\s\S]*?<\/system-reminder>\s*/g, "").trim();
    const calls = toolCalls.map(({ arguments: input }) => `call ${(input as { command?: string }).command}`);
    return [...(words === "" ? [] : [words]), ...calls];
  });
}

/** Which of the texts that a rescued session must tell it does not, in their order. */
export function missing(damage: Damage, sound: readonly string[], rescued: readonly string[]): string[] {
  const { lost = [], back = [] } = damage;
  const wanted = [
    ...back,
    ...sound.filter(
      (words) => !lost.some((each) => words.startsWith(each) && /^(\s|$)/.test(words.slice(each.length))),
    ),
  ];
  let from = 0;
  return wanted.filter((words) => {
    const found = rescued.findIndex(
      (each, place) => place >= from && (each === words || each.startsWith(`${words} `)),
    );
    if (found >= 0) from = found + 1;
    return found < 0;
  });
}
