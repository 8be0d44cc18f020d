/** Finds the hub's database: a server that its operator names, or the embedded one in our own folder. */
import { type EmbeddedOptions, openEmbedded } from "./embedded.ts";
import { type OpenPlace, placeOf } from "./place.ts";
import { hubSecret } from "./secret.ts";

export interface PlaceOptions extends Omit<EmbeddedOptions, "secret"> {
  readonly databaseUrl?: string;
  /** Instead of the one in the hub's folder. */
  readonly secret?: string;
}

export async function openPlace({
  databaseUrl,
  secret: given,
  ...options
}: PlaceOptions): Promise<OpenPlace> {
  const secret = hubSecret(options.folder, given);
  return databaseUrl === undefined ? openEmbedded({ ...options, secret }) : placeOf(databaseUrl, secret);
}
