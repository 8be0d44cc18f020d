/**
 * Removes secrets from the raw files of a session before they leave the machine. Records stay what they are: of JSON only
 * texts change, and every other character stays, so that the vendor's program still reads them.
 */
import { createHmac } from "node:crypto";
import { detachString } from "../text/detach-string.ts";
import { findOverBorders, type Piece } from "./borders.ts";
import { findDisguised } from "./disguised.ts";
import { findSecrets } from "./find.ts";
import { decodeJsonText, eachJsonText, type JsonText, toRawPlaces } from "./json-texts.ts";
import { createKnownSecrets } from "./known.ts";
import { quoteMarks, toMark, toNamePart } from "./marks.ts";
import { findNamedValue } from "./names.ts";
import { findShapes, type Shape, shapesIn } from "./shapes.ts";
import { mergeSpans, type Span } from "./span.ts";
import { createStreams, type RecordPieces } from "./streams.ts";
import { findWithout } from "./without.ts";

export interface OutgoingRedactor {
  /**
   * Learns secrets without changing anything: call it for all files of a session first. `jsonl`: each line is a record;
   * `json`: the whole is one document.
   */
  learn(text: string, manner: "jsonl" | "json" | "yaml" | "text"): void;
  /** The same for a log that is too long for one text. `endLines` comes after its last line. */
  learnLine(line: string): void;
  /** What comes next is another log, whose first line continues nothing; after learning and after redacting one. */
  endLines(): void;
  /**
   * One line of a .jsonl without its line feed: what is JSON stays JSON of the same shape. A line that is none is redacted
   * as text. The lines of a file come in their order.
   */
  line(line: string): string;
  /** A whole JSON document, likewise. */
  json(text: string): string;
  /** A whole YAML document: its values get quotes where a mark needs them. */
  yaml(text: string): string;
  /** A whole text file: secrets over line borders (private keys, wrapped tokens) included. */
  text(text: string): string;
  /**
   * The path of a file, with slashes, as which it leaves: it stays one. Only tokens beyond doubt go, as other words of a path
   * tie files together, whoever uses them as a password.
   */
  path(path: string): string;
  /** How many different secrets of a kind there are, and in how many places something was taken out. */
  report(): OutgoingRedaction[];
}

export interface OutgoingRedaction {
  readonly kind: string;
  readonly secrets: number;
  readonly places: number;
}

/** A secret in the text as it was given. */
interface Hit {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly secret: string;
}

/** What the JSON around a text says about it. */
interface Label {
  /** The name of its member, of the `name` beside it, or the flag before it. */
  readonly name?: string;
  readonly shapes?: readonly Shape[] | undefined;
  /** It stays as it is unless it is a token beyond doubt. */
  readonly isId?: boolean;
  /** It is a name itself, and names nothing. */
  readonly isName?: boolean;
}

/** The values of such members tie records together. They are no secrets, whatever they look like and whoever uses them as one. */
const ID_NAME =
  /(?:^|[a-z\d_-])(?:I[dD]s?|_ids?|-ids?|U?UIDs?|Uuids?|Hash|Sha(?:1|256|512)?|Signature|Checksum|Digest|Commit|Timestamp)$|^(?:id|ids|uuid|hash|sha|sha1|sha256|signature|checksum|digest|commit|timestamp|type|version)$/;
const ID_VALUE = /^[\w.:+/=@-]+$/;

/** JSON in JSON in JSON is read as such up to here; deeper it is read as text with escapes. */
const DEEPEST = 4;
const SHORTEST = 8;
const SHORTEST_NAMED = 4;

/** `key`: random bytes that the machine keeps. The same secret has the same mark everywhere, and the mark does not give it away. */
export function createOutgoingRedactor({ key }: { readonly key: Uint8Array }): OutgoingRedactor {
  const known = createKnownSecrets({ isCutOff: true });
  const streams = createStreams();
  /** By the secret itself, however it is broken or escaped. */
  const marks = new Map<string, { readonly kind: string; readonly mark: string }>();
  const places = new Map<string, number>();
  let isLearning = false;

  const markOf = (secret: string, kind: string): string => {
    const plain = toPlain(known.wordingOf(secret));
    let given = marks.get(plain);
    if (!given) {
      const digest = createHmac("sha256", key).update(plain).digest("hex").slice(0, 8);
      given = { kind, mark: toMark(kind, digest) };
      marks.set(detachString(plain), given);
    }
    places.set(given.kind, (places.get(given.kind) ?? 0) + 1);
    return given.mark;
  };

  const remember = (secret: string, kind: string): void => {
    known.remember(secret, kind);
    if (kind === "authorization") known.remember(passwordIn(secret), "password");
  };

  const spansIn = (text: string, label: Label, depth: number): readonly Span[] => {
    const { name, shapes, isId, isName } = label;
    if (isId) return findShapes(text, shapes);
    if (isName) return mergeSpans([...findShapes(text, shapes), ...(isLearning ? [] : known.find(text))]);
    const spans = findSecrets(text, shapes);
    if (name !== undefined) spans.push(...findNamedValue(name, text));
    if (depth < DEEPEST && looksLikeJson(text)) spans.push(...toSpans(hitsInJson(text, depth + 1)));
    for (const { start, end, kind, secret } of spans) remember(secret ?? text.slice(start, end), kind);
    if (!isLearning) spans.push(...findKnown(text));
    return mergeSpans(spans);
  };

  /** Also those that a terminal has broken, or that something else disguises. */
  const findKnown = (text: string): Span[] => [
    ...known.find(text),
    ...(text.includes("\n") ? findWithout(text, BREAK, known.find) : []),
    ...findDisguised(text, known.find),
  ];

  const hitsInText = (text: string, label: Label, depth: number): Hit[] =>
    spansIn(text, label, depth).map(({ start, end, kind, secret }) => ({
      start,
      end,
      kind,
      secret: secret ?? text.slice(start, end),
    }));

  /** Nothing for what is no JSON. */
  const hitsInJson = (json: string, depth: number, record?: RecordPieces): Hit[] | undefined => {
    // An escaped letter hides the start of a token in the text as a whole.
    const shapes = json.includes("\\u00") ? undefined : shapesIn(json);
    const hits: Hit[] = [];
    const pieces = new Map<string, JsonPiece[]>();
    const siblings = createSiblings();
    const isJson = eachJsonText(json, (place) => {
      const { start, end, isName, name, path, isItem } = place;
      if (isName) {
        if (place.holder === 0) record?.addName(json.slice(start, end));
        if (end - start < SHORTEST) return;
      } else if (end - start < SHORTEST_NAMED && !isPieceOfStream(record, name)) return;
      const raw = json.slice(start, end);
      const text = decodeJsonText(raw);
      const add = (label: Label): void => {
        for (const hit of toRaw(hitsInText(text, label, depth), raw, start)) hits.push(hit);
      };
      if (isName) {
        add({ isName: true, shapes });
        return;
      }
      const isId = ID_NAME.test(name) && ID_VALUE.test(text);
      siblings.meet(place, text, (label) => add({ shapes, isId, name: label }));
      if (isId) return;
      const piece = { start, end, text, isItem, raw };
      const ofPath = pieces.get(path);
      if (ofPath) ofPath.push(piece);
      else pieces.set(path, [piece]);
    });
    if (!isJson) return undefined;
    siblings.end();
    for (const [path, ofPath] of pieces) {
      if (ofPath.length > 1)
        for (const { piece, start, end, kind, secret } of findOverBorders(ofPath, findJoined)) {
          const { raw, start: at } = ofPath[piece] as JsonPiece;
          hits.push(...toRaw([{ start, end, kind, secret }], raw, at));
        }
      record?.add(path, ofPath);
    }
    return hits;
  };

  const findJoined = (text: string, isSure: boolean): readonly Span[] => {
    const spans = isSure ? findShapes(text) : findSecrets(text);
    for (const { start, end, kind } of spans) remember(text.slice(start, end), kind);
    return isLearning ? spans : [...spans, ...known.find(text)];
  };

  const replace = (text: string, hits: readonly Hit[]): string => {
    let out = "";
    let at = 0;
    for (const { start, end, kind, secret } of hits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
      // Two rules may see the same place differently: all of it goes, under one mark.
      if (start >= at) out += text.slice(at, start) + markOf(secret, kind);
      at = Math.max(at, end);
    }
    return at === 0 ? text : out + text.slice(at);
  };

  const asText = (text: string): string => replace(text, hitsInText(text, {}, 0));

  const asSegment = (segment: string): string => {
    const hits = hitsInText(segment, { isId: true }, 0);
    return hits.length === 0 ? segment : toNamePart(replace(segment, hits));
  };

  const learnLine = (line: string): void => {
    const record = streams.record();
    if (hitsInJson(line, 0, record)) streams.learn(record, findJoined);
    else spansIn(line, {}, 0);
  };

  return {
    learn(text, manner) {
      isLearning = true;
      try {
        if (manner === "jsonl") {
          eachLine(text, learnLine);
          streams.endLearning(findJoined);
        } else if (manner !== "json" || !hitsInJson(text, 0)) spansIn(text, {}, 0);
      } finally {
        isLearning = false;
      }
    },
    learnLine(line) {
      isLearning = true;
      try {
        if (line !== "") learnLine(line);
      } finally {
        isLearning = false;
      }
    },
    endLines() {
      isLearning = true;
      try {
        streams.endLearning(findJoined);
      } finally {
        isLearning = false;
      }
    },
    line(line) {
      const record = streams.record();
      const hits = hitsInJson(line, 0, record);
      if (!hits) return asText(line);
      for (const { path, piece, start, end, kind, secret } of streams.find(record)) {
        const { raw, start: at } = record.pieceAt(path, piece) as JsonPiece;
        hits.push(...toRaw([{ start, end, kind, secret }], raw, at));
      }
      return replace(line, hits);
    },
    json(text) {
      const hits = hitsInJson(text, 0);
      return hits ? replace(text, hits) : asText(text);
    },
    yaml(text) {
      const after = asText(text);
      return after === text ? text : quoteMarks(after);
    },
    text: asText,
    path: (path) => path.split("/").map(asSegment).join("/"),
    report() {
      const secrets = new Map<string, number>();
      for (const { kind } of marks.values()) secrets.set(kind, (secrets.get(kind) ?? 0) + 1);
      return [...secrets]
        .map(([kind, count]) => ({ kind, secrets: count, places: places.get(kind) ?? 0 }))
        .sort((a, b) => (a.kind < b.kind ? -1 : 1));
    },
  };
}

interface JsonPiece extends Piece {
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

/** The pieces of a stream may be as short as a letter. */
const isPieceOfStream = (record: RecordPieces | undefined, name: string): boolean =>
  record !== undefined && !ID_NAME.test(name);

/** From the text as it is meant to the text between the quotes, and to the whole that this stands in. */
function toRaw(hits: readonly Hit[], raw: string, at: number): Hit[] {
  if (hits.length === 0) return [];
  const places = toRawPlaces(
    raw,
    hits.flatMap(({ start, end }) => [start, end]),
  );
  return hits.map((hit, i) => ({
    ...hit,
    start: at + (places[2 * i] ?? 0),
    end: at + (places[2 * i + 1] ?? 0),
  }));
}

const toSpans = (hits: readonly Hit[] | undefined): Span[] =>
  (hits ?? []).map(({ start, end, kind }) => ({ start, end, kind, isNamed: false }));

/** What stands beside a text and names it: a `name` or `key` beside a `value`, a flag before an item. */
function createSiblings(): {
  meet(place: JsonText, text: string, add: (name: string) => void): void;
  end(): void;
} {
  const names = new Map<number, string>();
  const waiting: { readonly holder: number; readonly add: (name: string) => void }[] = [];
  let flag: { readonly holder: number; readonly text: string } | undefined;
  return {
    meet({ name, holder, isItem }, text, add) {
      if (isItem) {
        add(flag?.holder === holder ? flag.text : name);
        flag = text.startsWith("-") ? { holder, text } : undefined;
        return;
      }
      if (name === "name" || name === "key") names.set(holder, text);
      if (name === "value") waiting.push({ holder, add });
      else add(name);
    },
    end() {
      for (const { holder, add } of waiting) add(names.get(holder) ?? "value");
    },
  };
}

const BREAK = /\r?\n[ \t]*/g;

/** The secret without what a terminal, JSON and an address have made of it. */
function toPlain(secret: string): string {
  const joined = secret.replace(/(?:\\*(?:\r?\n|\\r|\\n)[ \t]*)+/g, "");
  if (!/%[0-9A-Fa-f]{2}/.test(joined)) return joined;
  try {
    return decodeURIComponent(joined);
  } catch {
    return joined;
  }
}

/** Of `Basic …`: the password of the user, which may stand elsewhere by itself. */
function passwordIn(secret: string): string {
  const text = /^[A-Za-z0-9+/]{8,}={0,2}$/.test(secret) ? Buffer.from(secret, "base64").toString() : "";
  return /^[\x20-\x7e]+$/.test(text) && text.includes(":") ? text.slice(text.indexOf(":") + 1) : "";
}

const looksLikeJson = (text: string): boolean =>
  (text.startsWith("{") && text.endsWith("}")) || (text.startsWith("[") && text.endsWith("]"));

function eachLine(text: string, visit: (line: string) => void): void {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    if (to > from) visit(text.slice(from, to));
    from = to + 1;
  }
}
