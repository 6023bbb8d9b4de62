/**
 * Does `work` for each item, up to `atOnceMax` items at a time. The first failure stops the taking of further items and is thrown when
 * what had begun is over.
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
