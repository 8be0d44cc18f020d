/** The context board: what is worth knowing about repositories, to be read, written and kept short. */
import { useNavigate } from "@tanstack/react-router";
import { StickyNote } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { Failure } from "../../change/failure.tsx";
import { useShortcuts } from "../../keys/keys.ts";
import { boardRoute } from "../../router.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/states.tsx";
import { useSteady } from "../../ui/use-steady.ts";
import { useFilterText } from "../sessions/filter-text.ts";
import css from "./board.module.css";
import { BoardList } from "./board-list.tsx";
import { ConsolidateDialog } from "./consolidate-dialog.tsx";
import { ItemDialog } from "./item-dialog.tsx";
import { ItemView } from "./item-view.tsx";
import { type BoardFilter, filterItems, type Item, keyOf } from "./items.ts";
import { PruneDialog } from "./prune-dialog.tsx";
import { countRead, useBoard, useReadOnly } from "./use-board.ts";

type Open =
  | { readonly kind: "new" | "prune" | "consolidate" }
  | { readonly kind: "edit"; readonly item: Item };

type BoardSearch = BoardFilter & { readonly item?: string | undefined };

/** Who only passes by, from one item to the next, has not read it. */
const READ_MS = 1200;

export function Board() {
  const search = boardRoute.useSearch();
  const navigate = useNavigate();
  const { data, error, refetch } = useBoard();
  const isReadOnly = useReadOnly();
  const [open, setOpen] = useState<Open>();
  const go = (change: BoardSearch, replace = false): void =>
    void navigate({ to: "/board", search: (before) => ({ ...before, ...change }) as typeof search, replace });
  const [text, type] = useFilterText(search.q, (q) => go({ q }, true));
  const items = data?.items;
  const shown = useMemo(
    () => filterItems(items ?? [], { q: text, repo: search.repo, branch: search.branch }),
    [items, text, search.repo, search.branch],
  );
  const current = items?.find((item) => keyOf(item) === search.item);
  const currentKey = current && keyOf(current);
  useCountedRead(current, isReadOnly);

  const select = (item: Item | undefined): void =>
    item && go({ item: keyOf(item) }, currentKey !== undefined);
  const move = (by: number): void => {
    const at = shown.findIndex((item) => keyOf(item) === currentKey);
    select(shown[at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))]);
  };
  const create = (): void => setOpen({ kind: "new" });
  const edit = (): void => {
    if (current) setOpen({ kind: "edit", item: current });
  };
  useShortcuts([
    { keys: "j", label: "Next item", group: "Board", isKeyOnly: true, run: () => move(1) },
    { keys: "k", label: "Previous item", group: "Board", isKeyOnly: true, run: () => move(-1) },
    { keys: "down", label: "Next item", group: "Board", isKeyOnly: true, run: () => move(1) },
    { keys: "up", label: "Previous item", group: "Board", isKeyOnly: true, run: () => move(-1) },
    { keys: "enter", label: "Read this item", group: "Board", isKeyOnly: true, run: focusReading },
    ...(isReadOnly
      ? []
      : [
          { keys: "n", label: "New board item", group: "Board", run: create },
          ...(current ? [{ keys: "e", label: "Edit this board item", group: "Board", run: edit }] : []),
          {
            keys: "s",
            label: "Suggest board items from sessions",
            group: "Board",
            run: () => setOpen({ kind: "consolidate" }),
          },
          { keys: "p", label: "Remove board items…", group: "Board", run: () => setOpen({ kind: "prune" }) },
        ]),
  ]);
  const steady = useSteady();
  const place = {
    ...(search.repo !== undefined && { repository: search.repo }),
    ...(search.branch !== undefined && { branch: search.branch }),
  };
  return (
    <div
      className={css.view}
      data-list={current === undefined || undefined}
      data-empty={items?.length === 0 || undefined}
      {...steady}
    >
      <BoardList
        items={items}
        shown={shown}
        current={currentKey}
        filter={search}
        text={text}
        onType={type}
        onFilter={(change) => go({ ...change, item: undefined })}
        moves={{ move, open: focusReading }}
        isReadOnly={isReadOnly}
        onNew={create}
        onPrune={() => setOpen({ kind: "prune" })}
        onConsolidate={() => setOpen({ kind: "consolidate" })}
      />
      {error && !data ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : current ? (
        <ItemView
          key={currentKey}
          item={current}
          isReadOnly={isReadOnly}
          onEdit={edit}
          onGone={() => go({ item: undefined }, true)}
        />
      ) : (
        <div className={css.reading}>
          {items && (
            <Welcome
              isEmpty={items.length === 0}
              isGone={search.item !== undefined}
              isReadOnly={isReadOnly}
              onNew={create}
              onConsolidate={() => setOpen({ kind: "consolidate" })}
            />
          )}
        </div>
      )}
      {(open?.kind === "new" || open?.kind === "edit") && (
        <ItemDialog
          item={open.kind === "edit" ? open.item : undefined}
          place={place}
          items={items ?? []}
          onClose={() => setOpen(undefined)}
          onSaved={(saved) => {
            setOpen(undefined);
            go({ item: keyOf(saved) });
          }}
        />
      )}
      {open?.kind === "prune" && <PruneDialog place={place} onClose={() => setOpen(undefined)} />}
      {open?.kind === "consolidate" && <ConsolidateDialog place={place} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

function useCountedRead(item: Item | undefined, isReadOnly: boolean): void {
  const key = item && keyOf(item);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each item that is opened
  useEffect(() => {
    if (!item || isReadOnly) return;
    const timer = setTimeout(() => countRead(item), READ_MS);
    return () => clearTimeout(timer);
  }, [key]);
}

const focusReading = (): void => document.querySelector<HTMLElement>("[data-reading]")?.focus();

function Welcome({
  isEmpty,
  isGone,
  isReadOnly,
  onNew,
  onConsolidate,
}: {
  readonly isEmpty: boolean;
  readonly isGone: boolean;
  readonly isReadOnly: boolean;
  readonly onNew: () => void;
  readonly onConsolidate: () => void;
}) {
  return (
    <Empty
      title={
        isEmpty
          ? "Nothing is on the board yet"
          : isGone
            ? "This item is not on the board any more"
            : "Pick an item to read it"
      }
      icon={<StickyNote />}
      action={
        isReadOnly ? undefined : (
          <>
            <Button tone="primary" keys="n" onClick={onNew}>
              New item
            </Button>
            <Button keys="s" onClick={onConsolidate}>
              Suggest from sessions
            </Button>
          </>
        )
      }
    >
      The board holds what is worth knowing about a repository, in short texts: how it is built, what was
      decided, what to avoid. Agents get it with <code>rethread board get</code>.
    </Empty>
  );
}
