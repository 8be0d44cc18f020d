/** The left side of the board: what it is narrowed to, and its items by repository and branch. */
import { Link } from "@tanstack/react-router";
import { EllipsisVertical, Eraser, Plus, Sparkles } from "lucide-react";
import { useEffect, useRef } from "react";
import { EVERY_BRANCH, isOwn } from "../../../../src/model/board/item.ts";
import { amount, plural } from "../../../../src/present/text/measure.ts";
import { clean } from "../../text/clean.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { SourceMark } from "../../ui/marks.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { FilterField, type ListMoves } from "../sessions/filter-field.tsx";
import css from "./board.module.css";
import { type BoardFilter, distinct, groupsOf, type Item, keyOf } from "./items.ts";

interface Props {
  readonly items: readonly Item[] | undefined;
  readonly shown: readonly Item[];
  readonly current: string | undefined;
  readonly filter: BoardFilter;
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly onFilter: (change: BoardFilter) => void;
  readonly moves: ListMoves;
  readonly isReadOnly: boolean;
  readonly onNew: () => void;
  readonly onPrune: () => void;
  readonly onConsolidate: () => void;
}

export function BoardList(props: Props) {
  const { items, shown, current, filter, isReadOnly } = props;
  const isNarrowed = filter.repo !== undefined || filter.branch !== undefined || props.text.trim() !== "";
  return (
    <nav className={css.list} aria-label="Board items">
      <header className={css.listHead}>
        <h1>Board</h1>
        <span className={css.count}>{items && plural(shown.length, "item", "items")}</span>
        {!isReadOnly && (
          <>
            <Button size="small" icon={<Plus />} onClick={props.onNew}>
              New
            </Button>
            <Menu
              trigger={
                <IconButton label="More">
                  <EllipsisVertical />
                </IconButton>
              }
              items={[
                { label: "Suggest from sessions…", icon: <Sparkles />, keys: "s", run: props.onConsolidate },
                { label: "Remove items…", icon: <Eraser />, keys: "p", run: props.onPrune },
              ]}
            />
          </>
        )}
      </header>
      <div className={css.filters}>
        <FilterField
          text={props.text}
          onType={props.onType}
          label="Filter the board"
          placeholder="Filter items"
          moves={props.moves}
        />
        <Places items={items ?? []} filter={filter} onFilter={props.onFilter} />
      </div>
      {!items && <Skeleton rows={6} height={52} />}
      {items && shown.length === 0 && items.length > 0 && (
        <p className={css.none}>
          No item matches.{" "}
          {isNarrowed && (
            <button
              type="button"
              className={css.link}
              onClick={() => {
                props.onType("");
                props.onFilter({ repo: undefined, branch: undefined, q: undefined });
              }}
            >
              Show all {amount(items.length)}
            </button>
          )}
        </p>
      )}
      {groupsOf(shown).map(({ repository, branch, items: own }, at, all) => (
        <section key={`${repository} ${branch}`} aria-label={`${repository}, ${branchLabel(branch)}`}>
          {all[at - 1]?.repository !== repository && (
            <h2 className={css.repository} title={repository}>
              <bdi>{clean(repository)}</bdi>
            </h2>
          )}
          <h3 className={css.branch} title={branchLabel(branch)}>
            {clean(branchLabel(branch))}
          </h3>
          <ul>
            {own.map((item) => (
              <Row key={keyOf(item)} item={item} isCurrent={keyOf(item) === current} />
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

export const branchLabel = (branch: string): string => (branch === EVERY_BRANCH ? "every branch" : branch);

function Row({ item, isCurrent }: { readonly item: Item; readonly isCurrent: boolean }) {
  const row = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <li>
      <Link
        ref={row}
        to="/board"
        search={(before) => ({ ...before, item: keyOf(item) })}
        className={css.entry}
        aria-current={isCurrent ? "true" : undefined}
      >
        <span className={css.entryName}>
          <span className="ellipsis">{clean(item.name)}</span>
          {!isOwn(item) && <SourceMark source={item.keptBy} />}
          {item.readCount > 0 && <span className={css.reads}>{plural(item.readCount, "read", "reads")}</span>}
        </span>
        <span className={`${css.entryWords} ellipsis`}>{clean(item.description)}</span>
      </Link>
    </li>
  );
}

/** Which repository, and which of its branches. */
function Places({
  items,
  filter,
  onFilter,
}: {
  readonly items: readonly Item[];
  readonly filter: BoardFilter;
  readonly onFilter: (change: BoardFilter) => void;
}) {
  const repositories = distinct(items.map(({ repository }) => repository));
  const branches = distinct(
    items.filter(({ repository }) => repository === filter.repo).map(({ branch }) => branch),
  );
  if (repositories.length < 2 && filter.repo === undefined) return null;
  return (
    <div className={css.places}>
      <select
        aria-label="Repository"
        value={filter.repo ?? ""}
        onChange={({ target }) => onFilter({ repo: target.value || undefined, branch: undefined })}
      >
        <option value="">All repositories</option>
        {distinct([...repositories, ...(filter.repo === undefined ? [] : [filter.repo])]).map(
          (repository) => (
            <option key={repository} value={repository}>
              {repository}
            </option>
          ),
        )}
      </select>
      {filter.repo !== undefined && (
        <select
          aria-label="Branch"
          value={filter.branch ?? ""}
          onChange={({ target }) => onFilter({ branch: target.value || undefined })}
        >
          <option value="">All branches</option>
          {distinct([...branches, ...(filter.branch === undefined ? [] : [filter.branch])]).map((branch) => (
            <option key={branch} value={branch}>
              {branchLabel(branch)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
