/** Reads one picture of a session: by what its bytes are, not by what they are called. */
import { AppError } from "../model/errors.ts";
import { isPlaceholder } from "../model/redact/media-formats.ts";
import { parseImageId } from "../model/session/image-ref.ts";
import type { Artifact } from "../model/session/session.ts";
import { formatKey } from "../model/values/id.ts";
import { type Raster, rasterOf } from "../model/values/raster.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { Progress } from "./heads.ts";
import { isPartOf, reading } from "./record.ts";
import { locateSession, type Naming } from "./resolve.ts";

export interface SessionImage extends Raster {
  readonly content: Uint8Array;
}

/** Programs send less than this to a model, and no page should have to hold more. */
const MOST_BYTES = 20 << 20;
/** Few bytes can be very many pixels, and a browser holds four bytes for each. */
const MOST_PIXELS = 50_000_000;

export async function imageOf(
  catalog: Catalog,
  name: string,
  id: string,
  { progress, naming }: { readonly progress?: Progress; readonly naming?: Naming } = {},
): Promise<SessionImage> {
  const artifact = await locateSession(catalog, name, progress, naming);
  const place = parseImageId(id);
  if (!place) throw notFound(artifact);
  if ("file" in place && place.file !== undefined && place.file !== artifact.path) {
    const packing = await catalog.packing(artifact);
    if (!(await isPartOf(catalog, artifact, packing, place.file))) throw notFound(artifact);
  }
  const content = await reading(artifact, () => catalog.image(artifact, place, MOST_BYTES));
  if (content === undefined) throw notFound(artifact);
  if (content === "too-large") throw tooLarge("it has more than 20 MB");
  if (isPlaceholder(content))
    throw new AppError(
      "image-left-out",
      "The image is not shown: it stays on the machine it came from",
      "Look at the session there",
    );
  const raster = rasterOf(content);
  if (!raster)
    throw new AppError(
      "image-unknown",
      "The image is not shown: it is no PNG, JPEG, GIF, WebP or AVIF",
      "Look at its record instead",
    );
  if (raster.width * raster.height > MOST_PIXELS)
    throw tooLarge(`it has ${raster.width} × ${raster.height} pixels`);
  return { ...raster, content };
}

const tooLarge = (why: string): AppError =>
  new AppError("image-too-large", `The image is not shown: ${why}`, "Look at its record instead");

const notFound = (artifact: Artifact): AppError =>
  new AppError("image-not-found", `Session ${artifact.id} has no such image`, {
    say: "Show the whole session",
    remedy: { action: "show", session: formatKey(artifact) },
  });
