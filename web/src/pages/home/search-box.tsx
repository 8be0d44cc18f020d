/** The search field of the home page, with the cursor in it. */
import { useNavigate } from "@tanstack/react-router";
import { CornerDownLeft, Search } from "lucide-react";
import { type FormEvent, useState } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import css from "./search-box.module.css";

export function SearchBox({ sessionCount = 0 }: { readonly sessionCount?: number | undefined }) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== "") void navigate({ to: "/search", search: { q: text.trim() } });
  };
  return (
    <search>
      <form className={css.box} onSubmit={submit}>
        <Search aria-hidden="true" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the page is opened to look for something
          autoFocus
          data-search
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          aria-label="Search everything that was said"
          placeholder={
            sessionCount > 0
              ? `Search everything said in ${plural(sessionCount, "session", "sessions")}`
              : "Search everything that was said"
          }
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" aria-label="Search" disabled={text.trim() === ""}>
          <CornerDownLeft aria-hidden="true" />
        </button>
      </form>
    </search>
  );
}
