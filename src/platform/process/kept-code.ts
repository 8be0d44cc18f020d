/**
 * Loads a bundled file together with what V8 compiled of it when the same command ran before. Node's own cache is
 * written before anything has run, so each function of it is compiled again by every process that calls it. Ours is kept
 * beside Node's, with a sum of its bytes behind it, as V8 would end the process over damaged ones; V8 itself refuses one
 * of another version, or with other flags.
 */
import { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { basename, dirname, join } from "node:path";
import { constants, Script } from "node:vm";
import { setMember } from "../../model/values/member.ts";

/** Of a file in plain ASCII. Afterwards `require` finds it loaded. Where Node keeps no compiled code, nothing is done, and it loads it itself. */
export function loadWithKeptCode(file: string, command: string): void {
  const folder = nodeModule.getCompileCacheDir?.();
  // Any other word is none of the commands, and takes a place that nobody fills.
  if (folder === undefined || !/^[a-z-]{1,24}$/.test(command)) return;
  // The name of the file has the hash of its content: of the source, V8 compares only the length.
  const place = join(folder, `${basename(file)}-${command}`);
  const cachedData = readOwn(place);
  const script = new Script(nodeModule.Module.wrap(readFileSync(file, "latin1")), {
    filename: file,
    ...(cachedData && { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const require = nodeModule.createRequire(file);
  const loaded = new nodeModule.Module(file);
  loaded.filename = file;
  setMember(require.cache, file, loaded);
  script.runInThisContext()(loaded.exports, require, loaded, file, dirname(file));
  loaded.loaded = true;
  if (cachedData && script.cachedDataRejected !== true) return;
  process.once("exit", (code) => {
    if (code === 0) write(place, script.createCachedData());
  });
}

/** Somebody else's would be run as if it were ours. */
function readOwn(place: string): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(place, "r");
    if (fstatSync(fd).uid !== (process.getuid?.() ?? 0)) return undefined;
    const bytes = readFileSync(fd);
    const code = bytes.subarray(0, -SUM);
    return bytes.readUInt32LE(code.length) === sumOf(code) ? code : undefined;
  } catch {
    return undefined; // the first time, it is not there; or it was cut short
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Loaded when it is used: an entry that keeps nothing needs no `zlib`. */
const sumOf = (code: Uint8Array): number => process.getBuiltinModule("node:zlib").crc32(code);
/** So many bytes has the sum. */
const SUM = 4;

/** Without it, only the next start takes longer. */
function write(place: string, code: Uint8Array): void {
  const sum = Buffer.alloc(SUM);
  sum.writeUInt32LE(sumOf(code));
  const next = `${place}.${process.pid}`;
  try {
    writeFileSync(next, Buffer.concat([code, sum]), { mode: 0o600, flag: "wx" });
    renameSync(next, place);
  } catch {
    rmSync(next, { force: true });
  }
}
