import type { Page } from 'playwright-core'

/** A stop of the Tab key. */
interface TabStop {
  /** For messages: `button "Filter"`. */
  readonly name: string
  readonly hasVisibleFocus: boolean
  /** Whether something else covers the middle of it. */
  readonly isCovered: boolean
}

/** What the Tab key reaches on a page, and what it does not. */
export interface TabOrder {
  readonly stops: readonly TabStop[]
  /** Controls that people see, that are meant to be stops, and that were not. */
  readonly missed: readonly string[]
  /** Whether the key led out of the page, or round to the first stop. */
  readonly ends: boolean
}

const stopsMax = 400

/** Presses Tab from the top of the page until it comes round. */
export async function walkTabOrder(page: Page): Promise<TabOrder> {
  await page.evaluate(() => {
    const walk = globalThis as unknown as TabWalk
    walk.reached = new Set()
    walk.nameOf = (element) => {
      const role = element.getAttribute('role') ?? element.localName
      const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
      return `${role} "${name.trim().slice(0, 40)}" ${String(element.className).slice(0, 40)}`
    }
    // The order begins where the focus was last, and pages may put it somewhere.
    const top = document.createElement('span')
    top.tabIndex = -1
    document.body.prepend(top)
    top.focus()
  })
  const stops: TabStop[] = []
  let ends = false
  while (!ends && stops.length < stopsMax) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(lookAtStop)
    if (stop === null) ends = true
    else stops.push(stop)
  }
  return { stops, missed: await page.evaluate(findMissed), ends }
}

interface TabWalk {
  reached: Set<Element>
  nameOf(element: Element): string
}

/** Runs in the page. @returns null at the end of the page, and where the order begins again */
async function lookAtStop(): Promise<TabStop | null> {
  const { reached, nameOf } = globalThis as unknown as TabWalk
  const element = document.activeElement
  if (!element || element === document.body) return null
  // Controls of players are stops inside one element.
  if (reached.has(element) && !element.matches('audio, video')) return null
  reached.add(element)
  // A windowed list renders its next rows within a frame, and a page what the focus opens; people
  // do not press Tab faster than that.
  if (isCoveredNow() || element.closest('[role=presentation]'))
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const isCovered = isCoveredNow()
  // The mark may be around a part of the element, or around what it is a part of.
  const marked = [element, ...element.querySelectorAll('*'), ...parents(element)]
  // The browser marks what has the focus inside a player.
  const hasVisibleFocus = element.matches('audio, video') || marked.some(isMarked)
  return { name: nameOf(element), hasVisibleFocus, isCovered }

  function isCoveredNow(): boolean {
    const { left, top, width, height } = element!.getBoundingClientRect()
    const hit = document.elementFromPoint(left + Math.min(width, innerWidth) / 2, top + Math.min(height, 40) / 2)
    return !hit || !(element!.contains(hit) || hit.contains(element) || hit.closest('label')?.contains(element!))
  }
  function parents(of: Element): Element[] {
    return [of.parentElement, of.parentElement?.parentElement].filter((each) => each != null)
  }
  function isMarked(each: Element): boolean {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each)
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  }
}

/** Runs in the page. */
function findMissed(): string[] {
  const { reached, nameOf } = globalThis as unknown as TabWalk
  const controls = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, summary'
  return (
    [...document.querySelectorAll(`${controls}, [tabindex="0"]`)]
      .filter((element) => element instanceof HTMLElement && element.tabIndex >= 0 && element.checkVisibility())
      // Of radio buttons with one name, the chosen one is the stop.
      .filter((element) => !(element instanceof HTMLInputElement && element.type === 'radio' && !element.checked))
      .filter((element) => !element.closest('[inert], [aria-hidden=true]') && !reached.has(element))
      .map(nameOf)
  )
}
