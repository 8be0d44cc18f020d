/** Pictures in a row, small; a click shows one large. What cannot be shown is named, and why. */
import { ImageOff } from "lucide-react";
import { useState } from "react";
import type { ImageRef } from "../../../../../src/model/session/image-ref.ts";
import { clean } from "../../../text/clean.ts";
import { useReading } from "../reading.ts";
import css from "./image-strip.module.css";
import { useImage } from "./use-image.ts";

/** One that its session holds. */
export type HeldImage = ImageRef & { readonly id: string };

export const isHeld = (image: ImageRef): image is HeldImage => image.id !== undefined;

/** `about` says whose pictures they are, for those without a name. */
export function ImageStrip({
  images,
  about,
}: {
  readonly images: readonly ImageRef[];
  readonly about: string;
}) {
  const { showImages } = useReading();
  const held = images.filter(isHeld);
  const others = images.filter((image) => !isHeld(image));
  return (
    <ul className={css.strip} aria-label="Images">
      {held.map((image, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may be there twice
        <li key={at}>
          <Thumbnail
            image={image}
            name={nameOf(image, about)}
            onOpen={() => showImages({ images: held, at, about })}
          />
        </li>
      ))}
      {others.map((image, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <li key={`other ${at}`}>
          <Missing name={nameOf(image, about)} why="not kept in the session" />
        </li>
      ))}
    </ul>
  );
}

/** Some programs give no name, and their media type says little. */
export const nameOf = ({ name }: ImageRef, about: string): string =>
  name === undefined || /^image(\/[\w+.-]+)?$/.test(name) ? about : clean(name);

function Thumbnail({
  image,
  name,
  onOpen,
}: {
  readonly image: HeldImage;
  readonly name: string;
  readonly onOpen: () => void;
}) {
  const { data, error } = useImage(image.id);
  const [look, setLook] = useState<"small" | "large" | "broken">();
  if (error) return <Missing name={name} why={reasonOf(error)} />;
  if (look === "broken") return <Missing name={name} why="damaged" />;
  return (
    <button
      type="button"
      className={css.thumb}
      title={name}
      aria-label={`Open image: ${name}`}
      onClick={onOpen}
    >
      {data && (
        <img
          src={data.url}
          alt={name}
          data-look={look}
          decoding="async"
          draggable={false}
          // One that is smaller than its place is not blown up.
          onLoad={({ currentTarget: { naturalWidth, naturalHeight, clientWidth, clientHeight } }) =>
            setLook(naturalWidth < clientWidth && naturalHeight < clientHeight ? "small" : "large")
          }
          onError={() => setLook("broken")}
        />
      )}
    </button>
  );
}

/** "The image is not shown: it is no PNG …" says it twice where the chip has said the first half. */
const reasonOf = ({ message }: Error): string => message.replace(/^The image is not shown: /, "");

const Missing = ({ name, why }: { readonly name: string; readonly why: string }) => (
  <span className={css.missing} title={`${name}: ${why}`}>
    <ImageOff aria-hidden="true" />
    <span className="ellipsis">{name}</span>
    <span className="muted">{why}</span>
  </span>
);
