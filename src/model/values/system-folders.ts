/** Folders that are nobody's work, whatever a log says: those of the system, and those that hold everybody's. */
import { foldPath, isAtOrBelow, isRootPath, withoutEndSeparators } from "./paths.ts";

/** With all that is in them. */
const SYSTEM = [
  ...["/etc", "/proc", "/sys", "/boot", "/run/secrets", "/run/credentials"],
  ...["/var/lib", "/var/log", "/var/spool", "/var/db", "/var/backups", "/var/mail"],
  ...["/private/etc", "/private/var/db", "/private/var/log", "/Library", "/System"],
  ...["C:/Windows", "C:/Program Files", "C:/Program Files (x86)", "C:/ProgramData"],
];
/** By themselves: a project in them is one. */
const SHARED = [
  ...[
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/usr",
    "/usr/local",
    "/opt",
    "/dev",
    "/dev/shm",
    "/run",
    "/run/user",
  ],
  ...[
    "/tmp",
    "/var",
    "/var/tmp",
    "/var/run",
    "/srv",
    "/mnt",
    "/media",
    "/home",
    "/root",
    "/Users",
    "/Volumes",
  ],
  ...["/private", "/private/tmp", "/private/var", "/Applications", "C:/Users", "C:/Temp"],
];
/** The home of somebody. */
const HOME = /^(?:\/home|\/users|[a-z]:\/users)\/[^/]+$/i;

/** Where programs keep what is theirs in somebody's home: keys, mails, cookies. Folders that a cloud keeps are there, too. */
const PROGRAMS =
  /^\/users\/[^/]+\/library(?:$|\/(?!mobile documents\/|cloudstorage\/))|^[a-z]:\/users\/[^/]+\/appdata(?:$|\/(?!local\/temp\/))/i;

/** `path` without links. */
export function isSystemFolder(path: string): boolean {
  const folder = withoutEndSeparators(path).replaceAll("\\", "/");
  if (isRootPath(path) || folder === "" || HOME.test(folder) || PROGRAMS.test(folder)) return true;
  const [plain, isSame] = [foldPath(folder), (each: string): boolean => foldPath(each) === foldPath(folder)];
  return SYSTEM.some((each) => isAtOrBelow(plain, foldPath(each))) || SHARED.some(isSame);
}
