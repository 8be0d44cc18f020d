/** A disk on which something happens at the n-th moment: before and after every call, and between two pieces of a file. */
import { type Disk, localDisk } from "../../src/platform/disk/disk.ts";

export type Moment = { readonly number: number; readonly verb: keyof Disk };

export function watchedDisk(at: (moment: Moment) => void): Disk {
  let number = 0;
  const pass = (verb: keyof Disk): void => at({ number: ++number, verb });
  const around =
    <A extends unknown[]>(verb: keyof Disk, act: (...args: A) => void) =>
    (...args: A): void => {
      pass(verb);
      act(...args);
      pass(verb);
    };
  async function* torn(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      yield chunk.subarray(0, chunk.length >> 1);
      pass("write");
      yield chunk.subarray(chunk.length >> 1);
    }
  }
  return {
    makeFolder: around("makeFolder", localDisk.makeFolder),
    async write(path, content, look, state) {
      pass("write");
      await localDisk.write(path, torn(content), look, state);
      pass("write");
    },
    link: around("link", localDisk.link),
    finishFolder: around("finishFolder", localDisk.finishFolder),
    canGive: localDisk.canGive,
    pack: async () => undefined, // it costs a process, and its own tests try it
    unpack: localDisk.unpack,
    rename: around("rename", localDisk.rename),
    alias: around("alias", localDisk.alias),
    remove: around("remove", localDisk.remove),
    removeIfEmpty: around("removeIfEmpty", localDisk.removeIfEmpty),
    copyDatabase: around("copyDatabase", localDisk.copyDatabase),
    changeValues(path, table, keys, decide) {
      pass("changeValues");
      localDisk.changeValues(path, table, keys, (values) => {
        const changes = decide(values);
        pass("changeValues"); // in the middle of the transaction
        return changes;
      });
      pass("changeValues");
    },
    sync: around("sync", localDisk.sync),
  };
}
