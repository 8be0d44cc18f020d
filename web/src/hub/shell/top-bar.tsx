/** Above all views: which hub this is, and who is signed in. */

import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, LogOut, Monitor, Moon, Share2, Sun } from "lucide-react";
import { setTheme } from "../../lib/theme.ts";
import { line } from "../../lib/titles.ts";
import { Menu } from "../../ui/menu.tsx";
import { signOut, useAccount } from "../account.ts";
import css from "./top-bar.module.css";

export function TopBar() {
  const { user, teams } = useAccount();
  const navigate = useNavigate();
  return (
    <header className={css.bar}>
      <span className={css.hub}>
        <b className="ellipsis">{location.host}</b>
        <span className={css.kind}>team hub</span>
      </span>
      <span className={css.teams}>
        {teams.length > 0 && (
          <span className="ellipsis">{teams.map(({ name }) => line(name)).join(", ")}</span>
        )}
      </span>
      <Menu
        trigger={
          <button type="button" className={css.account} data-initial={initial(user)}>
            <span className="sr-only">Signed in as </span>
            <span className="ellipsis">{line(user)}</span>
            <ChevronDown aria-hidden="true" />
          </button>
        }
        items={[
          { label: "What I share", icon: <Share2 />, run: () => void navigate({ to: "/sharing" }) },
          { label: "Light theme", icon: <Sun />, isApart: true, run: () => setTheme("light") },
          { label: "Dark theme", icon: <Moon />, run: () => setTheme("dark") },
          { label: "Theme of the system", icon: <Monitor />, run: () => setTheme("system") },
          { label: "Sign out", icon: <LogOut />, isApart: true, run: () => void signOut() },
        ]}
      />
    </header>
  );
}

const initial = (name: string): string => ([...line(name)][0] ?? "?").toUpperCase();
