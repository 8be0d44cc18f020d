/** Encrypts what the hub is to keep and not to read, for the owner's own identity (age). */
import type { Decrypter, Encrypter } from "age-encryption";
import { AppError } from "../../model/errors.ts";
import type { SessionFacts } from "../protocol.ts";

/** Opens and closes with one identity. */
export interface Seal {
  readonly recipient: string;
  close(bytes: Uint8Array): Promise<Uint8Array>;
  open(bytes: Uint8Array): Promise<Uint8Array>;
}

/** The first line of what a sealed file holds: which part of which file it is, and what the hub is not told of the session. */
export interface SealedHead {
  readonly path: string;
  readonly mode: number;
  readonly mtimeMs: number;
  /** Where in the file it belongs. */
  readonly start: number;
  readonly facts: SessionFacts;
}

/** Below which sealed files are kept; their names say nothing. */
export const SEALED_FOLDER = "sealed";

/** Loaded only here: most people seal nothing. */
const load = () => import("age-encryption");

export const newIdentity = async (): Promise<string> => (await load()).generateX25519Identity();

export async function createSeal(identity: string): Promise<Seal> {
  const age = await load();
  const recipient = await age.identityToRecipient(identity).catch((error: unknown) => {
    throw new AppError(
      "usage",
      "That is no identity of age",
      "It is one line that begins with AGE-SECRET-KEY-1",
      error,
    );
  });
  const encrypter: Encrypter = new age.Encrypter();
  encrypter.addRecipient(recipient);
  const decrypter: Decrypter = new age.Decrypter();
  decrypter.addIdentity(identity);
  return {
    recipient,
    close: (bytes) => encrypter.encrypt(bytes),
    open: (bytes) =>
      decrypter.decrypt(bytes).catch((error: unknown) => {
        throw notOurs(error);
      }),
  };
}

export const notOurs = (cause?: unknown): AppError =>
  new AppError(
    "hub-refused",
    "The session is sealed with a key that this machine does not have",
    "Bring the key here from the machine that sealed it: rethread hub key show there, rethread hub key import here",
    cause,
  );
