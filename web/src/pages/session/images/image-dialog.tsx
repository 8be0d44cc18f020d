/** One picture, large: as much as fits, or pixel by pixel; the arrow keys go to its neighbours. */
import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import { useRef, useState } from "react";
import { bytes } from "../../../../../src/present/text/measure.ts";
import { Failure } from "../../../change/failure.tsx";
import { Button, buttonClass, IconButton } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Skeleton } from "../../../ui/states.tsx";
import css from "./image-dialog.module.css";
import { type HeldImage, nameOf } from "./image-strip.tsx";
import { useImage } from "./use-image.ts";

export interface ImageRequest {
  readonly images: readonly HeldImage[];
  readonly at: number;
  readonly about: string;
}

export function ImageDialog({
  request: { images, at: first, about },
  onClose,
}: {
  readonly request: ImageRequest;
  readonly onClose: () => void;
}) {
  const [at, setAt] = useState(first);
  const image = images[at] as HeldImage;
  const { data, error, refetch } = useImage(image.id);
  /** Of the picture that is shown; nothing while another one is decoded. */
  const [size, setSize] = useState<{ id: string; width: number; height: number; isLarger: boolean }>();
  const [isActual, setActual] = useState(false);
  const known = size?.id === image.id ? size : undefined;
  const view = useRef<HTMLElement>(null);
  const name = nameOf(image, about);
  const go = (by: 1 | -1): void => {
    setAt((at + by + images.length) % images.length);
    setActual(false);
  };
  return (
    <Dialog
      title={name}
      description={
        data &&
        [
          known && `${known.width} × ${known.height}`,
          data.type.replace("image/", "").toUpperCase(),
          bytes(data.bytes),
          images.length > 1 && `${at + 1} of ${images.length}`,
        ]
          .filter(Boolean)
          .join(" · ")
      }
      size="large"
      isBare
      onClose={onClose}
      initialFocus={() => view.current}
      footer={
        <>
          {images.length > 1 && (
            <span className={css.turn}>
              <IconButton label="Previous image" onClick={() => go(-1)}>
                <ChevronLeft />
              </IconButton>
              <IconButton label="Next image" onClick={() => go(1)}>
                <ChevronRight />
              </IconButton>
            </span>
          )}
          {known?.isLarger && (
            <Button aria-pressed={isActual} onClick={() => setActual(!isActual)}>
              {isActual ? "Fit" : "Actual size"}
            </Button>
          )}
          {data && (
            <a className={buttonClass({})} href={data.url} download={fileName(name, data.type)}>
              <Download />
              Download
            </a>
          )}
        </>
      }
    >
      <figure
        ref={view}
        aria-label={name}
        className={css.view}
        data-actual={isActual || undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled, and left for its neighbours, with the arrow keys
        tabIndex={0}
        onKeyDown={(event) => {
          const by = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[event.key];
          if (by === undefined || images.length < 2 || isActual) return;
          event.preventDefault();
          go(by);
        }}
      >
        {error ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : data ? (
          <img
            key={data.url}
            src={data.url}
            alt={name}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height, clientWidth } }) =>
              setSize({ id: image.id, width, height, isLarger: width > clientWidth })
            }
          />
        ) : (
          <Skeleton rows={1} height={320} />
        )}
      </figure>
    </Dialog>
  );
}

/** What was pasted has no name that ends as files do. */
const fileName = (name: string, type: string): string =>
  /\.(png|jpe?g|gif|webp|avif)$/i.test(name)
    ? name
    : `${name.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}.${type.replace("image/", "")}`;
