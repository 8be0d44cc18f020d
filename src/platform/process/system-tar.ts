/**
 * Reads and sets extended attributes (including Linux ACLs) with the system's tar, because Node has no calls for them.
 */
import { spawn } from "node:child_process";
import { chmodSync, statSync } from "node:fs";

/** Where systems keep their own programs; others on PATH are not used. */
const ENV = { PATH: "/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin" };

/** GNU's tar on Linux, that of BSD on macOS. Windows has neither owners nor attributes of this kind. */
const ATTRIBUTES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["--xattrs", "--xattrs-include=*"],
  darwin: ["--xattrs", "--acls", "--no-mac-metadata"],
};
const options = ATTRIBUTES[process.platform];

/**
 * An archive of files and folders, in the order given and without what is in the folders, piece by piece until `take`
 * has enough. Nothing, or not all of them, where the system has no tar that reads attributes, or where it cannot read one of them.
 */
export async function packFiles(
  paths: readonly string[],
  take: (bytes: Buffer) => "more" | "enough",
): Promise<void> {
  if (!options || paths.length === 0) return;
  const names = ["-P", "--no-recursion", "--null", "-T", "-"];
  await run(["-c", "--format=pax", ...options, "-f", "-", ...names], `${paths.join("\0")}\0`, take);
}

/**
 * Makes the files and folders of an archive, with absolute names, writable for us until they get their own modes. False
 * where one of them is not there afterwards; whether it has its attributes is for the caller to see.
 */
export async function unpackFiles(archive: Uint8Array, paths: readonly string[]): Promise<boolean> {
  if (!options) return false;
  await run(["-x", ...options, "-f", "-", "-P", "-p", "--no-same-owner"], archive, () => "more");
  for (const path of paths) {
    const made = statSync(path, { throwIfNoEntry: false });
    if (!made) return false;
    chmodSync(path, made.isDirectory() ? 0o700 : 0o600);
  }
  return true;
}

/** How it ends does not matter: what it has told or made is looked at anyway. */
function run(
  args: readonly string[],
  input: string | Uint8Array,
  take: (bytes: Buffer) => "more" | "enough",
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("tar", args, { env: ENV, stdio: ["pipe", "pipe", "ignore"] });
    child.stdout.on("data", (bytes: Buffer) => {
      try {
        if (take(bytes) === "enough") child.kill();
      } catch (error) {
        child.kill();
        reject(error);
      }
    });
    child.stdin.on("error", () => undefined); // it ended before it had read all
    child.stdin.end(input);
    child.on("error", () => resolve()); // there is none
    child.on("close", () => resolve());
  });
}
