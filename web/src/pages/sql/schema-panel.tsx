/** What can be asked, beside the editor: saved queries, examples, views and tables with the meaning of each column. */
import { useQuery } from "@tanstack/react-query";
import { ChevronRight, Trash2 } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Failure } from "../../change/failure.tsx";
import { api, keys } from "../../lib/api.ts";
import { useStore } from "../../lib/store.ts";
import { IconButton } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/states.tsx";
import type { NamedQuery } from "./examples.ts";
import { forget, saved } from "./saved.ts";
import css from "./schema-panel.module.css";

export function SchemaPanel({
  examples,
  onInsert,
  onLoad,
}: {
  readonly examples: readonly NamedQuery[];
  /** A name goes to where the cursor is. */
  readonly onInsert: (name: string) => void;
  /** A query takes the place of what is there. */
  readonly onLoad: (query: NamedQuery) => void;
}) {
  const own = useStore(saved);
  const schema = useQuery({ queryKey: keys.schema, queryFn: ({ signal }) => api.schema({ signal }) });
  return (
    <div className={css.panel}>
      <Group key={own.length > 0 ? "some" : "none"} title="Saved queries" isOpen={own.length > 0}>
        {own.length === 0 && <p className={css.none}>Save a query to find it here.</p>}
        {own.map((query) => (
          <div key={query.name} className={css.query}>
            <button type="button" className={css.load} title={query.sql} onClick={() => onLoad(query)}>
              {query.name}
            </button>
            <IconButton
              className={css.forget}
              label={`Forget “${query.name}”`}
              onClick={() => forget(query.name)}
            >
              <Trash2 />
            </IconButton>
          </div>
        ))}
      </Group>
      <Group title="Examples" isOpen={own.length === 0}>
        {examples.map((query) => (
          <button
            key={query.name}
            type="button"
            className={css.load}
            title={query.sql}
            onClick={() => onLoad(query)}
          >
            {query.name}
          </button>
        ))}
      </Group>
      {schema.error ? (
        <Failure error={schema.error} retry={() => void schema.refetch()} />
      ) : !schema.data ? (
        <Skeleton rows={6} height={32} />
      ) : (
        <>
          <Group title="Views" isOpen>
            {schema.data.views.map((view) => (
              <Relation key={view.name} {...view} onInsert={onInsert} />
            ))}
          </Group>
          <Group title="Tables">
            {schema.data.tables.map(({ name, means, columns }) => (
              <Relation
                key={name}
                name={name}
                means={means}
                columns={columns.map((column) => ({ name: column, means: "" }))}
                onInsert={onInsert}
              />
            ))}
          </Group>
        </>
      )}
    </div>
  );
}

function Group({
  title,
  isOpen: opened = false,
  children,
}: {
  readonly title: string;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(opened);
  return (
    <section className={css.group}>
      <h2>
        <button
          type="button"
          className={css.groupHead}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight className={css.arrow} aria-hidden="true" />
          {title}
        </button>
      </h2>
      <div id={id} hidden={!isOpen}>
        {children}
      </div>
    </section>
  );
}

interface RelationProps {
  readonly name: string;
  readonly means: string;
  readonly columns: readonly { readonly name: string; readonly means: string }[];
  readonly onInsert: (name: string) => void;
}

function Relation({ name, means, columns, onInsert }: RelationProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={css.relation}>
      <div className={css.relationHead}>
        <button
          type="button"
          className={css.fold}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`Columns of ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight className={css.arrow} aria-hidden="true" />
        </button>
        <button
          type="button"
          className={css.name}
          title={`${means}\nClick to insert the name`}
          onClick={() => onInsert(name)}
        >
          {name}
        </button>
      </div>
      <div id={id} hidden={!isOpen} className={css.columns}>
        <p>{means}</p>
        <ul>
          {columns.map((column) => (
            <li key={column.name}>
              <button
                type="button"
                className={css.column}
                title="Click to insert"
                onClick={() => onInsert(column.name)}
              >
                <code>{column.name}</code>
                {column.means !== "" && <span>{column.means}</span>}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
