/** The bytes of a picture, fetched once and shown from memory: rows come and go while the list scrolls. */
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { api, queryClient } from "../../../lib/api.ts";
import { useReading } from "../reading.ts";

export interface LoadedImage {
  /** Of this page alone, for as long as it is held. */
  readonly url: string;
  readonly type: string;
  readonly bytes: number;
}

const KEY = "image";

export function useImage(id: string): UseQueryResult<LoadedImage> {
  const { key } = useReading();
  return useQuery({
    queryKey: [KEY, key, id],
    queryFn: async ({ signal }): Promise<LoadedImage> => {
      const blob = await api.image(key, id, { signal });
      return { url: URL.createObjectURL(blob), type: blob.type, bytes: blob.size };
    },
  });
}

// A browser holds the bytes until it is told that nobody needs them.
queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type !== "removed" || query.queryKey[0] !== KEY) return;
  const data = query.state.data as LoadedImage | undefined;
  if (data) URL.revokeObjectURL(data.url);
});
