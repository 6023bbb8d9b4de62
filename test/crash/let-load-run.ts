import { until } from '../conformance/support/until.ts'

/**
 * Waits for so long, and on a slow machine until something was acknowledged, unless the load ends
 * before.
 */
export async function letLoadRun(ms: number, load: Promise<unknown>, hasBegun: () => boolean): Promise<void> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  const over = load.then(end, end)
  await Promise.race([Bun.sleep(ms), over])
  await until(() => isOver || hasBegun())
}
