/** Where the query is written; the editor is loaded late, and a plain field stands in until it is there. */
import type { SQLNamespace } from "@codemirror/lang-sql";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef } from "react";
import type { Answer } from "../../../../src/client/index.ts";
import { api, keys } from "../../lib/api.ts";
import type { Editor } from "./editor.ts";
import css from "./sql.module.css";

export function EditorPane({
  editor,
  initial,
  onRun,
  onChange,
}: {
  readonly editor: RefObject<Editor | undefined>;
  readonly initial: string;
  readonly onRun: () => void;
  readonly onChange: (text: string) => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef({ onRun, onChange, initial });
  latest.current = { onRun, onChange, initial };
  const { data: schema } = useQuery({
    queryKey: keys.schema,
    queryFn: ({ signal }) => api.schema({ signal }),
  });
  const known = useRef(schema);
  known.current = schema;

  useEffect(() => {
    let isGone = false;
    void import("./editor.ts").then(({ createEditor }) => {
      if (isGone || !host.current) return;
      editor.current = createEditor({
        host: host.current,
        text: latest.current.initial,
        label: "Query",
        onRun: () => latest.current.onRun(),
        onChange: (text) => latest.current.onChange(text),
      });
      if (known.current) editor.current.setSchema(toNamespace(known.current));
      if (!matchMedia("(max-width: 700px)").matches) editor.current.focus();
    });
    return () => {
      isGone = true;
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, [editor]);
  useEffect(() => {
    if (schema) editor.current?.setSchema(toNamespace(schema));
  }, [editor, schema]);
  return <div ref={host} className={css.editor} data-testid="sql-editor" />;
}

/** As the completion of the editor takes it: what a name means is shown beside it. */
function toNamespace({ views, tables }: Answer<"schema">): SQLNamespace {
  const relation = (
    name: string,
    means: string,
    detail: string,
    columns: readonly { readonly name: string; readonly means: string }[],
  ): [string, SQLNamespace] => [
    name,
    {
      self: { label: name, type: "type", detail, info: means, boost: detail === "view" ? 2 : 1 },
      children: columns.map((column) => ({
        label: column.name,
        type: "property",
        detail: name,
        ...(column.means !== "" && { info: column.means }),
      })),
    },
  ];
  return Object.fromEntries([
    ...views.map(({ name, means, columns }) => relation(name, means, "view", columns)),
    ...tables.map(({ name, means, columns }) =>
      relation(
        name,
        means,
        "table",
        columns.map((column) => ({ name: column, means: "" })),
      ),
    ),
  ]);
}
