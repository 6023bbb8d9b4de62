import type { AxeResults, ElementContext, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const axeSource = await Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text()

/** The rules of WCAG 2.2, levels A and AA. */
export const accessibilityRules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

/** The only ones whose result depends on colors. */
export const rulesOfColor = ['color-contrast', 'link-in-text-block']

/** What axe says about a page. */
export interface AccessibilityReport {
  /** One line each: rule, how often, and the first places. */
  readonly violations: string[]
  readonly rules: number
}

/** Runs axe on the page as it is: all rules, or only those named. */
export async function checkAccessibility(
  page: Page,
  { only }: { only?: readonly string[] } = {},
): Promise<AccessibilityReport> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const runOnly: RunOptions['runOnly'] =
    only === undefined ? { type: 'tag', values: accessibilityRules } : { type: 'rule', values: [...only] }
  const results = await page.evaluate(async (chosen) => {
    const { axe } = globalThis as unknown as {
      axe: { run(on: ElementContext, options: RunOptions): Promise<AxeResults> }
    }
    return axe.run(document, { runOnly: chosen, resultTypes: ['violations'] })
  }, runOnly)
  const { violations, passes, incomplete, inapplicable } = results
  return {
    violations: violations.map(({ id, nodes }) => {
      const places = nodes.slice(0, 3).map(
        ({ target, any, all }) =>
          `${target.join(' ')} (${[...any, ...all]
            .map(({ message }) => message)
            .join('; ')
            .slice(0, 160)})`,
      )
      return `${id} × ${nodes.length}: ${places.join(' | ')}`
    }),
    rules: violations.length + passes.length + incomplete.length + inapplicable.length,
  }
}
