/** What narrows and sorts hits beside the facets: who said it, in which file, best or latest first. */
import { Check, FileCode } from "lucide-react";
import { useState } from "react";
import { isHub } from "../../lib/mode.ts";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import type { Narrow } from "../sessions/filters.ts";
import { roleOf, sortOf } from "./search-query.ts";
import css from "./search-tools.module.css";

/** On a hub, several people ask. */
const roles = () =>
  [
    { value: "all", label: "All" },
    { value: "user", label: isHub() ? "People" : "You" },
    { value: "assistant", label: "Agent" },
    { value: "tool", label: "Tools" },
  ] as const;

export function RoleFilter({ role, narrow }: { readonly role: string | undefined; readonly narrow: Narrow }) {
  return (
    <Segmented
      label="Who said it"
      choices={roles()}
      value={(role === undefined ? undefined : roleOf({ role })) ?? "all"}
      onChoose={(value) => narrow({ role: value === "all" ? undefined : value })}
    />
  );
}

export function FileFilter({ file, narrow }: { readonly file: string | undefined; readonly narrow: Narrow }) {
  const [text, setText] = useState(file ?? "");
  const [before, setBefore] = useState(file);
  if (before !== file) {
    setBefore(file);
    setText(file ?? "");
  }
  const apply = (): void => {
    const path = text.trim() === "" ? undefined : text.trim();
    if (path !== file) narrow({ file: path });
  };
  return (
    <label className={css.file}>
      <FileCode aria-hidden="true" />
      <span className="sr-only">Only sessions that touched a file whose path contains</span>
      <input
        type="text"
        placeholder="touched file…"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key === "Enter") apply();
        }}
      />
    </label>
  );
}

const SORTS = [
  { sort: "relevance", label: "Best first" },
  { sort: "newest", label: "Latest first" },
] as const;

export function SortChoice({ sort, narrow }: { readonly sort: string | undefined; readonly narrow: Narrow }) {
  const chosen = sortOf(sort === undefined ? {} : { sort });
  return (
    <Menu
      trigger={<Button size="small">{SORTS.find((each) => each.sort === chosen)?.label}</Button>}
      items={SORTS.map((each) => ({
        label: each.label,
        icon: each.sort === chosen ? <Check /> : undefined,
        run: () => narrow({ sort: each.sort === "relevance" ? undefined : each.sort }),
      }))}
    />
  );
}
