import { type Figure, isMet, ratioOf } from './benchmark.ts'
import type { Machine } from './machine.ts'

/** The results of one benchmark. */
export interface Outcome {
  readonly benchmark: string
  readonly description: string
  /** Load averages just before it began, which show other activity on the machine. */
  readonly loadBefore: string
  readonly seconds: number
  readonly figures: readonly Figure[]
}

const heading = ['', 'measured', 'ceiling', 'ratio', 'target', '']

/** Formats a benchmark as a Markdown table that is also readable in a terminal. */
export function outcomeTable({ benchmark, description, loadBefore, seconds, figures }: Outcome): string {
  const rows = figures.map((figure) => {
    const ratio = ratioOf(figure)
    const met = isMet(figure)
    return [
      `${figure.variant}: ${figure.measure}`,
      `${quantity(figure.value)} ${figure.unit}`.trim(),
      figure.ceiling === undefined ? '' : quantity(figure.ceiling),
      ratio === undefined ? '' : ratio.toFixed(2),
      targetText(figure),
      met === undefined ? '' : met ? 'met' : 'missed',
    ]
  })
  const widths = heading.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => pad(cell, widths[i]!, i)).join(' | ')} |`
  const rule = `|${widths.map((width, i) => (i === 0 || i > 3 ? `${'-'.repeat(width + 2)}` : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [
    `### ${benchmark}`,
    '',
    `${description} (Load before: ${loadBefore}; took ${seconds.toFixed(0)} s.)`,
    '',
    line(heading),
    rule,
    ...rows.map(line),
    '',
  ].join('\n')
}

export const machineLine = ({ date, cores, memoryGiB, bun, duckdb, commit }: Machine): string =>
  `${date} UTC · ${cores} cores, ${memoryGiB} GiB · Bun ${bun} · DuckDB package ${duckdb} · commit ${commit}`

const pad = (text: string, width: number, column: number): string =>
  column === 0 || column > 3 ? text.padEnd(width) : text.padStart(width)

function targetText({ target }: Figure): string {
  if (target === undefined) return ''
  const { min, max, ratioMin } = target
  return [
    min === undefined ? '' : `≥ ${quantity(min)}`,
    max === undefined ? '' : `≤ ${quantity(max)}`,
    ratioMin === undefined ? '' : `ratio ≥ ${ratioMin}`,
  ]
    .filter((part) => part !== '')
    .join(', ')
}

/** Three significant digits, with thousands separators. */
function quantity(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return Number(value.toPrecision(3)).toString()
}
