/** The repository and branch of a new item: any can be written, and those that sessions and items are about are offered. */
import { Autocomplete } from "@base-ui/react/autocomplete";
import { useQuery } from "@tanstack/react-query";
import { EVERY_BRANCH } from "../../../../src/model/board/item.ts";
import form from "../../change/forms/form.module.css";
import { api, keys } from "../../lib/api.ts";
import { useDebounced } from "../../lib/use-debounced.ts";
import { Field } from "../../ui/field.tsx";
import { distinct, type Item } from "./items.ts";

interface PlaceFieldProps {
  readonly id: string;
  readonly value: string;
  /** All that are on the board. */
  readonly items: readonly Item[];
  readonly error: string | undefined;
  readonly onValue: (value: string) => void;
}

/** Of all sessions, or those of a repository. */
function useFacets(repo?: string) {
  const query = {
    limit: 1,
    facets: true,
    owners: false,
    ...(repo !== undefined && repo !== "" && { repo, exact: true }),
  };
  const { data } = useQuery({
    queryKey: keys.sessions(query),
    queryFn: ({ signal }) => api.sessions(query, { signal }),
  });
  return data?.facets;
}

export function RepositoryField(props: PlaceFieldProps) {
  const facets = useFacets();
  const known = distinct([
    ...props.items.map(({ repository }) => repository),
    ...(facets?.repository ?? []).map(({ value }) => value),
  ]);
  return <SuggestField {...props} label="Repository" placeholder="owner/name" known={known} />;
}

export function BranchField({
  repository,
  ...props
}: PlaceFieldProps & { /** Whose branches are offered. */ readonly repository: string }) {
  const facets = useFacets(useDebounced(repository.trim(), 200));
  const known = distinct([
    ...props.items.filter((item) => item.repository === repository).map(({ branch }) => branch),
    ...(facets?.branch ?? []).map(({ value }) => value),
  ]).filter((branch) => branch !== EVERY_BRANCH);
  return (
    <SuggestField
      {...props}
      value={props.value === EVERY_BRANCH ? "" : props.value}
      label="Branch"
      placeholder="every branch"
      known={known}
    />
  );
}

function SuggestField({
  id,
  label,
  placeholder,
  value,
  known,
  error,
  onValue,
}: Omit<PlaceFieldProps, "items"> & {
  readonly label: string;
  readonly placeholder: string;
  readonly known: readonly string[];
}) {
  return (
    <Field id={id} label={label} error={error}>
      {(ids) => (
        <Autocomplete.Root items={known} value={value} onValueChange={onValue} openOnInputClick limit={50}>
          <Autocomplete.Input
            className={form.input}
            {...ids}
            placeholder={placeholder}
            aria-invalid={error !== undefined}
            spellCheck={false}
            autoComplete="off"
          />
          <Autocomplete.Portal>
            <Autocomplete.Positioner className={form.positioner} sideOffset={4}>
              <Autocomplete.Popup className={form.popup}>
                <Autocomplete.List>
                  {(each: string) => (
                    <Autocomplete.Item key={each} value={each} className={form.option}>
                      <span>
                        <bdi>{each}</bdi>
                      </span>
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
