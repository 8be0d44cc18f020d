/**
 * One folder has many names: Windows ignores case and takes either slash, WSL sees the disks of Windows below `/mnt` and is
 * seen by Windows as a share, and a container works in a folder of the machine that it runs on.
 */
import { foldPath, isWindowsPath } from "./paths.ts";
import { hostOf, pathThere } from "./workspace-place.ts";

const DISK_IN_WSL = /^\/mnt\/([a-z])(?=\/|$)/i;
const WSL_SHARE = /^[\\/]{2}wsl(?:\$|\.localhost)[\\/]([^\\/]+)/i;

/** The same text for all names of a folder. Those of other machines are not compared: their paths are alike by chance. */
export function placeKey(folder: string): string {
  const inWsl = pathInWsl(folder) ?? inContainer(folder);
  if (inWsl !== undefined) return placeKey(inWsl);
  const disk = DISK_IN_WSL.exec(folder);
  if (disk) return foldPath(`${disk[1]}:${folder.slice(disk[0].length)}`);
  return isWindowsPath(folder) ? foldPath(folder) : folder;
}

/** What this machine calls the folder, if it knows it by another name; nothing for one of this machine. */
export function nameHere(folder: string, platform: NodeJS.Platform): string | undefined {
  const path = inContainer(folder) ?? folder;
  if (platform === "win32") {
    const disk = DISK_IN_WSL.exec(path);
    if (disk) return `${disk[1]?.toUpperCase()}:${path.slice(disk[0].length).replaceAll("/", "\\") || "\\"}`;
    return path === folder || !isWindowsPath(path) ? undefined : path;
  }
  const inWsl = pathInWsl(path);
  if (inWsl !== undefined) return inWsl;
  if (/^[A-Za-z]:[\\/]/.test(path))
    return `/mnt/${path.charAt(0).toLowerCase()}${path.slice(2).replaceAll("\\", "/")}`;
  return path === folder ? undefined : path;
}

function pathInWsl(folder: string): string | undefined {
  if (/^wsl\+/i.test(hostOf(folder) ?? "")) return pathThere(folder) || "/";
  const share = WSL_SHARE.exec(folder);
  return share ? folder.slice(share[0].length).replaceAll("\\", "/") || "/" : undefined;
}

/** The folder that a container was started for, and works in under a name of its own. */
function inContainer(folder: string): string | undefined {
  const [kind, code = ""] = (hostOf(folder) ?? "").split("+");
  if (kind !== "dev-container") return undefined;
  const text = fromHex(code);
  const host = /"hostPath"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.replaceAll("\\\\", "\\") ?? text;
  // Mounted below `/workspaces`, under its own name.
  const [, top, name, ...below] = (pathThere(folder) ?? "").split("/");
  const isMounted =
    top === "workspaces" && name !== undefined && foldPath(host).endsWith(`/${name.toLowerCase()}`);
  if (!isMounted || !/^([A-Za-z]:)?[\\/]/.test(host)) return undefined;
  const separator = isWindowsPath(host) ? "\\" : "/";
  return [host, ...below].join(separator);
}

function fromHex(code: string): string {
  if (!/^(?:[0-9a-f]{2})+$/i.test(code)) return "";
  const bytes = Uint8Array.from(code.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return new TextDecoder().decode(bytes);
}
