/** An answer that is sent while it is made. */

/** What fails before the first piece is an error as usual; after it, the connection breaks off, so nobody takes a part for the whole. */
export async function streamed(
  pieces: AsyncGenerator<Uint8Array>,
  media: string,
  signal: AbortSignal,
): Promise<Response> {
  let next: IteratorResult<Uint8Array> | undefined = await pieces.next();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = next ?? (await pieces.next());
        next = undefined;
        if (done || signal.aborted) return controller.close();
        controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { headers: { "content-type": media } });
}
