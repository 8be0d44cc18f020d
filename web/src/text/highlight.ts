/** Asks the worker for the colours of code, once for each text; without them the code stands as it is. */
import { useEffect, useState } from "react";
import type { HighlightAnswer, HighlightRequest, Piece } from "./highlight-types.ts";
import workerAddress from "./highlight-worker.ts?worker&url";
import { startWorker } from "./policy.ts";

export type Lines = readonly (readonly Piece[])[];

/** Longer code is shown without colours. */
const LONGEST = 100_000;
/** Texts whose colours are kept, so that a block which is scrolled back into view does not flicker. */
const KEPT = 400;

const known = new Map<string, Lines>();
/** By the text's key: who waits for it. One that is scrolled away meanwhile still gets its colours kept. */
const waiting = new Map<string, Set<() => void>>();
const asked = new Map<number, string>();
let worker: Worker | undefined;
let isBroken = false;
let last = 0;

function workerOnce(): Worker | undefined {
  if (isBroken) return undefined;
  if (worker) return worker;
  try {
    worker = startWorker(workerAddress);
  } catch {
    isBroken = true;
    return undefined;
  }
  worker.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => {
    const key = asked.get(data.id) ?? "";
    asked.delete(data.id);
    if (known.size >= KEPT) known.delete(known.keys().next().value ?? "");
    known.set(key, data.lines);
    for (const notify of waiting.get(key) ?? []) notify();
    waiting.delete(key);
  };
  worker.onerror = () => {
    isBroken = true;
  };
  return worker;
}

const keyOf = (code: string, language: string): string => `${language}\n${code}`;

function ask(code: string, language: string, notify: () => void): () => void {
  const key = keyOf(code, language);
  const others = waiting.get(key);
  if (others) others.add(notify);
  else {
    const target = workerOnce();
    if (!target) return () => undefined;
    waiting.set(key, new Set([notify]));
    asked.set(++last, key);
    target.postMessage({ id: last, code, language } satisfies HighlightRequest);
  }
  return () => void waiting.get(key)?.delete(notify);
}

export function useHighlight(code: string, language: string | undefined): Lines | undefined {
  const wanted = code.length <= LONGEST ? language : undefined;
  const found = wanted === undefined ? undefined : known.get(keyOf(code, wanted));
  const isKnown = found !== undefined;
  const [, setArrived] = useState(0);
  useEffect(() => {
    if (wanted === undefined || isKnown) return;
    return ask(code, wanted, () => setArrived((count) => count + 1));
  }, [code, isKnown, wanted]);
  return found;
}
