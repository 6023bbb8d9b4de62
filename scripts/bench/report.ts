import { type Figure, isMet, ratioOf } from './benchmark.ts'
import type { Machine } from './machine.ts'

/** The results of one benchmark. */
export interface Outcome {
  readonly benchmark: string
  readonly description: string
  /** Load averages just before it began, which show other activity on the machine. */
  readonly loadBefore: string
  readonly seconds: number
  /** Whether each variant is a column. */
  readonly comparesVariants: boolean
  readonly figures: readonly Figure[]
}

const heading = ['', 'measured', 'ceiling', 'ratio', 'target', '']

/** Formats a benchmark as a Markdown table that is also readable in a terminal. */
export function outcomeTable(outcome: Outcome): string {
  const { benchmark, description, loadBefore, seconds, comparesVariants } = outcome
  const [head, ...rows] = comparesVariants ? matrixOf(outcome.figures) : listOf(outcome.figures)
  const isLeft = (column: number) => column === 0 || (!comparesVariants && column > 3)
  const widths = head!.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)))
  const pad = (text: string, i: number) => (isLeft(i) ? text.padEnd(widths[i]!) : text.padStart(widths[i]!))
  const line = (cells: readonly string[]) => `| ${cells.map(pad).join(' | ')} |`
  const rule = `|${widths.map((width, i) => `${'-'.repeat(width + 1)}${isLeft(i) ? '-' : ':'}`).join('|')}|`
  return [
    `### ${benchmark}`,
    '',
    `${description} (Load before: ${loadBefore}; took ${seconds.toFixed(0)} s.)`,
    '',
    line(head!),
    rule,
    ...rows.map(line),
    '',
  ].join('\n')
}

/** A row for each figure. */
function listOf(figures: readonly Figure[]): string[][] {
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
  return [heading, ...rows]
}

/** A row for each measure, a column for each variant. */
function matrixOf(figures: readonly Figure[]): string[][] {
  const variants = [...new Set(figures.map(({ variant }) => variant))]
  const measures = [...new Set(figures.map(({ measure }) => measure))]
  const rows = measures.map((measure) => {
    const cells = variants.map((variant) => figures.find((one) => one.variant === variant && one.measure === measure))
    const unit = cells.find((cell) => cell !== undefined)!.unit
    return [`${measure}, ${unit}`, ...cells.map((cell) => (cell === undefined ? '–' : quantity(cell.value)))]
  })
  return [['', ...variants], ...rows]
}

export const machineLine = ({ date, cores, memoryGiB, bun, duckdb, commit }: Machine): string =>
  `${date} UTC · ${cores} cores, ${memoryGiB} GiB · Bun ${bun} · DuckDB package ${duckdb} · commit ${commit}`

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
