/** A field for one more tag, which suggests those that are in use. */
import { useState } from "react";
import { AppError } from "../../../src/model/errors.ts";
import { toTag } from "../../../src/model/session/tags.ts";
import { line } from "../lib/titles.ts";
import { Suggest } from "../ui/suggest.tsx";
import { useTags } from "./tagging.ts";
import css from "./tags.module.css";

/** So many are suggested at a time. */
const MOST = 8;

export function TagField({
  has,
  onAdd,
  size = "normal",
}: {
  /** Those that need not be suggested. */
  readonly has: readonly string[];
  readonly onAdd: (tag: string) => void;
  readonly size?: "small" | "normal";
}) {
  const all = useTags();
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string>();
  const part = typed.trim().toLowerCase();
  const items = all.filter((tag) => !has.includes(tag) && tag.includes(part)).slice(0, MOST);
  const add = (text: string): void => {
    // Several at once are typed with commas between them.
    const texts = text.split(",").filter((each) => each.trim() !== "");
    if (texts.length === 0) return;
    try {
      for (const tag of texts.map(toTag)) onAdd(tag);
      setTyped("");
      setError(undefined);
    } catch (problem) {
      if (!(problem instanceof AppError)) throw problem;
      setError(problem.message);
    }
  };
  return (
    <div>
      <Suggest
        label="Add a tag"
        placeholder="Add a tag"
        value={typed}
        onChange={(text) => {
          setTyped(text);
          setError(undefined);
        }}
        items={items}
        toText={(tag) => tag}
        onPick={add}
        onEnter={() => add(typed)}
        size={size}
      >
        {(tag) => line(tag)}
      </Suggest>
      {error !== undefined && (
        <p className={css.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
