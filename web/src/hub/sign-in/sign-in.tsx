/** Signs a browser in to a hub with a token, which goes into the request and nowhere else. */
import { LogIn } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError, queryClient } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import css from "../../ui/entrance.module.css";
import { TextField } from "../../ui/field.tsx";
import { describe } from "../../ui/states.tsx";
import { hubApi, hubKeys } from "../api.ts";

export function SignIn() {
  const field = useRef<HTMLInputElement>(null);
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<string>();
  useEffect(() => {
    document.title = "Sign in · Rethread";
    return () => {
      document.title = "Rethread";
    };
  }, []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    // The field keeps it, not the page: nothing that is rendered or remembered has it.
    const token = field.current?.value.trim() ?? "";
    if (token === "" || isAsking) return;
    setAsking(true);
    setError(undefined);
    try {
      await hubApi.signIn(token);
      if (field.current) field.current.value = "";
      queryClient.setQueryData(hubKeys.me, await hubApi.me());
    } catch (failure) {
      setError(sentenceFor(failure));
      field.current?.select();
    } finally {
      setAsking(false);
    }
  };
  return (
    <main className={css.page}>
      <form className={css.card} onSubmit={(event) => void submit(event)}>
        <svg className={css.logo} viewBox="0 0 32 32" aria-hidden="true">
          <path d="M10 24V13.500c0-3 2-5 5-5h7M10 16.500c4 0 12-.5 12 7.500" />
        </svg>
        <h1>Sign in to {location.host}</h1>
        <p className={css.words}>This hub keeps a team’s history of work with agents.</p>
        <TextField
          ref={field}
          autoFocus
          label="Your token"
          type="password"
          name="token"
          autoComplete="off"
          spellCheck={false}
          placeholder="rth_…"
          maxLength={200}
          required
          error={error}
        />
        <Button type="submit" tone="primary" icon={<LogIn />} disabled={isAsking}>
          {isAsking ? "Signing in…" : "Sign in"}
        </Button>
        <details className={css.help}>
          <summary>Where does a token come from?</summary>
          <p>
            Whoever runs the hub makes one for you, with <code>rethread hub user add &lt;name&gt;</code>. It
            is shown once. A token that is lost or has ended is replaced with{" "}
            <code>rethread hub user rotate &lt;name&gt;</code>.
          </p>
          <p>
            It is the same token that you give to <code>rethread hub login</code> to push your sessions. This
            page keeps none of it: the browser gets a cookie of its own, which ends after twelve hours or when
            you sign out.
          </p>
        </details>
      </form>
    </main>
  );
}

function sentenceFor(failure: unknown): string {
  if (!(failure instanceof ApiError)) return describe(failure).message;
  if (failure.status === 0) return "The hub does not answer. Look whether you are connected, then try again.";
  if (failure.status === 401)
    return "The hub does not know this token: it may be mistyped, have ended, or have been revoked.";
  if (failure.status === 429)
    return failure.retryAfter === undefined
      ? "Too many attempts. Wait a minute, then try again."
      : `Too many attempts. Try again in ${failure.retryAfter} seconds.`;
  return `${failure.message}.`;
}
