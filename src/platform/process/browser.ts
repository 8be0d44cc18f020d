/** Opens a file or an address in the browser of whoever sits at this machine. */
import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { findProgram } from "./find-program.ts";

export interface BrowserPlace {
  readonly platform: NodeJS.Platform;
  readonly vars: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}

/** Nothing where no browser would be seen: over SSH, in a container, on a server. */
export function browserCommand(path: string, { platform, vars, folder }: BrowserPlace): string[] | undefined {
  const url = /^https?:\/\//.test(path) ? path : pathToFileURL(path).href;
  // The first of several; editors set it in their terminals, also where there is no screen of its own.
  const chosen = vars.BROWSER?.split(platform === "win32" ? ";" : ":")[0]?.trim();
  if (chosen)
    return chosen.includes("%s")
      ? chosen.split(/\s+/).map((word) => word.replaceAll("%s", url))
      : [chosen, url];
  if (platform === "darwin") return ["open", path];
  // Not `cmd /c start`, for which an ampersand in the path is another command.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  const programs = vars.WSL_DISTRO_NAME
    ? ["wslview"]
    : vars.DISPLAY || vars.WAYLAND_DISPLAY
      ? ["xdg-open"]
      : [];
  const program = programs.find((name) => findProgram(name, folder, vars));
  return program === undefined ? undefined : [program, path];
}

/** Starts a program that outlives this one; false when it could not be started. */
export function startDetached(
  [program = "", ...args]: readonly string[],
  vars: BrowserPlace["vars"],
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: "ignore", env: { ...vars } });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
