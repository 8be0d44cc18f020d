/** The working folder, home and user of this process, with fallbacks so that there is always an answer. */
import { homedir, hostname, userInfo } from "node:os";
import { isAbsolute, parse, resolve } from "node:path";

/**
 * The home of the user. A container's user may have none: neither HOME nor an entry in the list of users. Then it is the
 * root folder, as shells have it, and whoever wants to write there is told what to set.
 */
export function homeFolder(asked = { homedir, userInfo: (): { homedir: string } => userInfo() }): string {
  for (const ask of [asked.homedir, () => asked.userInfo().homedir]) {
    try {
      const home = ask();
      if (home !== "") return resolve(home);
    } catch {
      // This way gives no answer.
    }
  }
  return parse(process.execPath).root;
}

/** Also of a process whose folder was removed: then it is the path that its shell remembers, if it tells. */
export function currentFolder(remembered = ""): string {
  try {
    return process.cwd();
  } catch {
    return isAbsolute(remembered) ? remembered : parse(process.execPath).root;
  }
}

/** What the machine calls itself, without the network that it is in. */
export const machineName = (): string => hostname().split(".", 1)[0] || "this machine";
