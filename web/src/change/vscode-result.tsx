/** What a clone for VS Code says once it is written; the words are a contract with those who look for them. */
import css from "./change.module.css";
import type { Written } from "./plans.ts";

export function VsCodeResult({ written: { session, sessionPath } }: { readonly written: Written }) {
  const end = sessionPath?.split(/[\\/]/).slice(-3).join("/");
  return (
    <>
      <p>
        The cloned session will appear in VS Code's Copilot Chat when you open: <code>{end}</code>
      </p>
      <p>
        Session ID: <code>{session?.id}</code>
      </p>
      <div id="vscode-hint" className={css.hint}>
        <strong>Note:</strong> If VS Code is open, you may need to restart it or switch workspaces to see the
        cloned session.
      </div>
    </>
  );
}
