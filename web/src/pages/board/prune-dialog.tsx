/** Removes items that nobody needs: what to go by on top, and what that would remove below it, to choose from. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { placeWords } from "../../../../src/model/board/item.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { api, keys } from "../../lib/api.ts";
import { useDebounced } from "../../lib/use-debounced.ts";
import { clean } from "../../text/clean.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { describe } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useChosen } from "./chosen.ts";
import css from "./dialogs.module.css";
import { keyOf } from "./items.ts";
import { useRemove } from "./use-board.ts";

const AGES = [
  { value: "", label: "Of any age" },
  { value: "30", label: "Not changed for 30 days" },
  { value: "90", label: "Not changed for 90 days" },
  { value: "365", label: "Not changed for a year" },
];
const DAY_MS = 24 * 60 * 60_000;

export function PruneDialog({
  place,
  onClose,
}: {
  readonly place: { readonly repository?: string; readonly branch?: string };
  readonly onClose: () => void;
}) {
  const [isUnread, setUnread] = useState(true);
  const [days, setDays] = useState("");
  const [name, setName] = useState("");
  const pattern = useDebounced(name.trim(), 150);
  const criteria = {
    ...(place.repository === undefined ? { all: true } : place),
    ...(isUnread && { unread: true }),
    ...(days !== "" && { before: startOf(Number(days)) }),
    ...(pattern !== "" && { name: pattern.includes("*") ? pattern : `*${pattern}*` }),
  };
  const isAsked = isUnread || days !== "" || pattern !== "";
  const { data, error } = useQuery({
    queryKey: [...keys.board, "prune", criteria],
    queryFn: ({ signal }) => api.pruneBoard({ ...criteria, dryRun: true }, { signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const chosen = useChosen();
  const remove = useRemove();
  const found = isAsked ? (data?.removed ?? []) : [];
  const wanted = found.filter((item) => chosen.has(keyOf(item)));
  return (
    <Dialog
      title="Remove board items"
      description={place.repository === undefined ? "On all boards" : whereWords(place)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="danger"
            disabled={wanted.length === 0 || remove.isPending}
            onClick={() => remove.mutate(wanted, { onSuccess: onClose })}
          >
            Remove {plural(wanted.length, "item", "items")}
          </Button>
        </>
      }
    >
      <div className={css.form}>
        <CheckField label="Never read" isChecked={isUnread} onCheck={setUnread} />
        <div className={css.pair}>
          <SelectField label="Age" value={days} choices={AGES} onChoose={setDays} />
          <TextField
            label="Name"
            placeholder="any; * stands for letters"
            value={name}
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        </div>
        <div role="status" className={css.status}>
          {error
            ? describe(error).message
            : !isAsked
              ? "Choose what to go by."
              : data &&
                (found.length === 0
                  ? "No item of yours matches."
                  : `${plural(found.length, "item matches", "items match")}. Removing can be undone.`)}
        </div>
        <ul className={css.rows}>
          {found.map((item) => (
            <li key={keyOf(item)}>
              <CheckField
                label={<b>{clean(item.name)}</b>}
                hint={
                  <>
                    {clean(placeWords(item))} · read {plural(item.readCount, "time", "times")}, used{" "}
                    {plural(item.useCount, "time", "times")} · changed <Time at={item.updatedAt} />
                    {item.description !== "" && <span className={css.about}>{clean(item.description)}</span>}
                  </>
                }
                isChecked={chosen.has(keyOf(item))}
                onCheck={(isChecked) => chosen.toggle(keyOf(item), isChecked)}
              />
            </li>
          ))}
        </ul>
        {isAsked && data && data.readOnly.length > 0 && (
          <p className={css.status}>
            {plural(data.readOnly.length, "item", "items")} of other programs also match, and stay:{" "}
            {data.readOnly.map((item) => clean(item.name)).join(", ")}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** The same all day long, so that the question is the same. */
function startOf(daysAgo: number): string {
  const day = new Date(Date.now() - daysAgo * DAY_MS);
  day.setHours(0, 0, 0, 0);
  return day.toISOString();
}

const whereWords = ({
  repository = "",
  branch,
}: {
  readonly repository?: string;
  readonly branch?: string;
}): string => (branch === undefined ? repository : placeWords({ repository, branch }));
