/** A folder: any path can be written, and those that sessions are about are offered. */
import { Autocomplete } from "@base-ui/react/autocomplete";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { api, keys } from "../../lib/api.ts";
import { Field } from "../../ui/field.tsx";
import css from "./form.module.css";

interface Known {
  readonly folder: string;
  readonly sessions: number;
}

export function FolderField({
  label,
  hint,
  value,
  placeholder,
  source,
  onValue,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: string;
  readonly placeholder?: string;
  /** Only folders that this program knows. */
  readonly source?: string | undefined;
  readonly onValue: (folder: string) => void;
}) {
  const { data } = useQuery({
    queryKey: keys.workspaces,
    queryFn: ({ signal }) => api.workspaces({ signal }),
  });
  const known = useMemo((): Known[] => {
    const folders = new Map<string, number>();
    for (const each of data?.workspaces ?? [])
      if (each.folder !== null && (source === undefined || each.source === source))
        folders.set(each.folder, (folders.get(each.folder) ?? 0) + each.sessionCount);
    return [...folders].map(([folder, sessions]) => ({ folder, sessions }));
  }, [data, source]);
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <Autocomplete.Root
          items={known}
          value={value}
          onValueChange={onValue}
          itemToStringValue={({ folder }: Known) => folder}
          openOnInputClick
          limit={50}
        >
          <Autocomplete.Input
            className={css.input}
            {...ids}
            placeholder={placeholder}
            spellCheck={false}
            autoComplete="off"
          />
          <Autocomplete.Portal>
            <Autocomplete.Positioner className={css.positioner} sideOffset={4}>
              <Autocomplete.Popup className={css.popup}>
                <Autocomplete.List>
                  {(each: Known) => (
                    <Autocomplete.Item key={each.folder} value={each} className={css.option}>
                      <span>
                        <bdi>{each.folder}</bdi>
                      </span>
                      <span className={css.hint}>{plural(each.sessions, "session", "sessions")}</span>
                    </Autocomplete.Item>
                  )}
                </Autocomplete.List>
              </Autocomplete.Popup>
            </Autocomplete.Positioner>
          </Autocomplete.Portal>
        </Autocomplete.Root>
      )}
    </Field>
  );
}
