const dayMs = 86_400_000
const marginMs = 60_000

/** Waits for midnight UTC if it is near: what belongs to a day begins anew then. */
export async function untilDayLasts(): Promise<void> {
  const leftMs = dayMs - (Date.now() % dayMs)
  if (leftMs < marginMs) await Bun.sleep(leftMs + 1)
}
