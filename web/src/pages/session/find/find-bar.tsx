/** Finds words in the whole session, not only in what is shown, and goes from one match to the next. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { amount } from "../../../../../src/present/text/measure.ts";
import { useShortcuts } from "../../../keys/keys.ts";
import { api, keys } from "../../../lib/api.ts";
import { IconButton } from "../../../ui/button.tsx";
import { useSlow } from "../../../ui/states.tsx";
import { useReading } from "../reading.ts";
import css from "./find-bar.module.css";

const TYPED_MS = 140;
const MOST = 2_000;

export function FindBar({ onClose }: { readonly onClose: () => void }) {
  const { key, state } = useReading();
  const navigate = useNavigate({ from: "/s/$key" });
  const inAddress = useSearch({ from: "/s/$key", select: (search) => search.find });
  const [typed, setTyped] = useState(inAddress ?? "");
  const [words, setWords] = useState(typed);
  const [at, setAt] = useState(-1);
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const timer = setTimeout(() => setWords(typed.trim()), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  const { data, error, isFetching } = useQuery({
    queryKey: keys.find(key, words),
    queryFn: ({ signal }) => api.find(key, { text: words, limit: MOST }, { signal }),
    enabled: words !== "",
    placeholderData: keepPreviousData,
  });
  const isSlow = useSlow(isFetching);
  const matches = words === "" ? [] : (data?.matches ?? []);

  useEffect(() => {
    state.marked.set({ text: words });
    setAt(-1);
    void navigate({
      search: ({ find: _, ...before }) => (words === "" ? before : { ...before, find: words }),
      replace: true,
      resetScroll: false,
    });
  }, [navigate, state, words]);
  useEffect(() => () => state.marked.set({ text: "" }), [state]);

  const close = (): void => {
    void navigate({
      search: ({ find: _, ...before }) => before,
      replace: true,
      resetScroll: false,
    });
    onClose();
  };
  const go = (by: 1 | -1): void => {
    if (matches.length === 0) return;
    // The first step goes to the first match from where one is reading.
    const here = matches.findIndex(({ turn }) => (turn ?? 0) >= state.current.get());
    const start = by === 1 ? Math.max(0, here) : (here <= 0 ? matches.length : here) - 1;
    const next = at < 0 ? start : (at + by + matches.length) % matches.length;
    setAt(next);
    const match = matches[next];
    if (!match) return;
    const { turn, where, callId, line } = match;
    const isAlike = (other: typeof match): boolean =>
      other.turn === turn &&
      other.where === where &&
      other.callId === callId &&
      (other.line === line || callId !== null);
    const nth = matches.slice(0, next).filter(isAlike).length;
    state.jump.toMatch({ turn: turn ?? 0, where, callId, line, nth, text: words });
  };
  useShortcuts([
    {
      keys: "mod+f",
      label: "Find in this session",
      group: "Session",
      inFields: true,
      isKeyOnly: true,
      run: () => field.current?.select(),
    },
    {
      keys: "mod+g",
      label: "Next match",
      group: "Session",
      inFields: true,
      isKeyOnly: true,
      run: () => go(1),
    },
  ]);

  const says =
    words === ""
      ? ""
      : error
        ? error.message
        : !data || isFetching
          ? isSlow
            ? "Looking…"
            : ""
          : data.total === 0
            ? "No match"
            : `${at < 0 ? "" : `${amount(at + 1)} of `}${amount(data.total)}${data.cut ? "+" : ""}${
                at < 0 ? (data.total === 1 ? " match" : " matches") : ""
              }`;
  return (
    <search className={css.bar}>
      <input
        ref={field}
        // biome-ignore lint/a11y/noAutofocus: it was opened to type into it
        autoFocus
        type="text"
        value={typed}
        placeholder="Find in this session"
        aria-label="Find in this session"
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            go(event.shiftKey ? -1 : 1);
          } else if (event.key === "Escape") {
            event.preventDefault();
            close();
          }
        }}
      />
      <span className={css.count} role="status">
        {says}
      </span>
      <IconButton label="Previous match" disabled={matches.length === 0} onClick={() => go(-1)}>
        <ChevronUp />
      </IconButton>
      <IconButton label="Next match" keys="enter" disabled={matches.length === 0} onClick={() => go(1)}>
        <ChevronDown />
      </IconButton>
      <IconButton label="Close" keys="escape" onClick={close}>
        <X />
      </IconButton>
    </search>
  );
}
