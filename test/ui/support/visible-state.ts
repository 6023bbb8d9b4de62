import type { Page } from 'playwright-core'

const pauseMs = 150
const attemptsMax = 40

/**
 * Address, title and all that is to be seen of a page, as assistive technology tells it, once it
 * does not change any more.
 */
export async function visibleState(page: Page): Promise<string> {
  let before = await stateNow(page)
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    await page.waitForTimeout(pauseMs)
    const now = await stateNow(page)
    if (now === before) return now
    before = now
  }
  throw new Error('See the page: it goes on changing')
}

async function stateNow(page: Page): Promise<string> {
  await page.evaluate(hideFeet, true)
  const { pathname, search, hash } = new URL(page.url())
  const seen = await page.locator('main').ariaSnapshot()
  await page.evaluate(hideFeet, false)
  // Other programs fill and empty the disk of the machine.
  const shown = seen.replace(/[\d.]+ [KMGT]B free$/gm, '… free')
  return [pathname + search + hash, await page.title(), shown].join('\n')
}

/** Runs in the page: what is at the foot says how long an answer took. */
function hideFeet(isHidden: boolean): void {
  for (const foot of document.querySelectorAll<HTMLElement>('main footer'))
    foot.style.visibility = isHidden ? 'hidden' : ''
}
