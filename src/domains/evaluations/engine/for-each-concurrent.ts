/**
 * Runs `work` for each item, up to `atOnceMax` concurrently. After the first failure no further
 * items are started; it is thrown when those in progress are done.
 */
export async function forEachConcurrent<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  atOnceMax: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const under = new Set<Promise<void>>()
  const failures: unknown[] = []
  for await (const item of items) {
    const done: Promise<void> = work(item)
      .catch((cause: unknown) => void failures.push(cause))
      .finally(() => under.delete(done))
    under.add(done)
    if (under.size >= atOnceMax) await Promise.race(under)
    if (failures.length > 0) break
  }
  await Promise.all(under)
  if (failures.length > 0) throw failures[0]
}
