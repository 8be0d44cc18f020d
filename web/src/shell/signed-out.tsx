/** What somebody sees who opened the pages without the address that signs in: what to do, and nothing that cannot work. */
import { useEffect } from "react";
import { type Remedy, toCommand } from "../../../src/model/remedy.ts";
import { type ApiError, api, keys, notSignedIn, queryClient } from "../lib/api.ts";
import { CopyButton } from "../text/code.tsx";
import css from "../ui/entrance.module.css";

export function SignedOut({ error: { remedy } }: { readonly error: ApiError }) {
  useEffect(() => watchSignIn(), []);
  useEffect(() => {
    document.title = "Not signed in · Rethread";
    return () => {
      document.title = "Rethread";
    };
  }, []);
  const command = remedy?.action === "serve" ? toCommand(remedy as Remedy) : "rethread serve";
  return (
    <main className={css.page}>
      <div className={css.card}>
        <svg className={css.logo} viewBox="0 0 32 32" aria-hidden="true">
          <path d="M10 24V13.500c0-3 2-5 5-5h7M10 16.500c4 0 12-.5 12 7.500" />
        </svg>
        <h1>This browser is not signed in</h1>
        <p className={css.words}>
          Only those who run Rethread see its sessions. Run this command again, and open the address that it
          prints: it signs this browser in.
        </p>
        <div className={css.command}>
          <code>{command}</code>
          <CopyButton text={command} what="Command" />
        </div>
      </div>
    </main>
  );
}

/** Another tab may have opened the address meanwhile: the cookie is that of the whole browser. */
function watchSignIn(): () => void {
  const look = async (): Promise<void> => {
    if (document.visibilityState !== "visible") return;
    try {
      queryClient.setQueryData(keys.index, await api.index());
    } catch {
      return; // nothing has changed
    }
    notSignedIn.set(undefined);
    await queryClient.resetQueries();
  };
  const listen = (): void => void look();
  document.addEventListener("visibilitychange", listen);
  return () => document.removeEventListener("visibilitychange", listen);
}
