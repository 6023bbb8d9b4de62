import path from 'node:path'
import { Command } from 'commander'
import { checkOut } from './checkout.ts'
import { type Measure, measureHouse } from './house.ts'

interface Options {
  readonly before?: string
  readonly check: boolean
  readonly list: boolean
}

const command = new Command('house')
  .description('Measures the structure of the sources against limits.')
  .option('--before <state>', 'measure a commit, or a folder with another checkout, beside it')
  .option('--check', 'exit with 1 if a limit is exceeded', false)
  .option('--list', 'list what is counted', false)
  .parse()

const options = command.opts<Options>()
const root = path.join(import.meta.dir, '../..')
const before = options.before === undefined ? undefined : await measureState(options.before)
const now = await measureHouse(root, root)

const rows = now.map((measure, index) => [
  measure.name,
  ...(before === undefined ? [] : [shown(before[index]!)]),
  shown(measure),
  measure.max === undefined ? '' : `≤ ${withUnit(measure.max, measure)}`,
])
printTable([['', ...(before === undefined ? [] : [`before (${options.before})`]), 'now', 'limit'], ...rows])

const exceeded = now.filter(({ value, max }) => max !== undefined && value > max)
for (const { name, found } of options.list ? now : options.check ? exceeded : []) {
  if (found !== undefined && found.length > 0) console.log(`\n${name}:\n${found.map((each) => `  ${each}`).join('\n')}`)
}
if (options.check && exceeded.length > 0) {
  console.error(`\nExceeded: ${exceeded.map(({ name }) => name).join('; ')}`)
  process.exitCode = 1
}

async function measureState(state: string): Promise<Measure[]> {
  await using checkout = await checkOut(root, state)
  return await measureHouse(root, checkout.folder)
}

function shown(measure: Measure): string {
  const value = withUnit(measure.value, measure)
  return measure.remark === undefined ? value : `${value} (${measure.remark})`
}

function withUnit(value: number, { unit }: Measure): string {
  return value.toLocaleString('en-US') + (unit === undefined ? '' : ` ${unit}`)
}

function printTable(lines: readonly (readonly string[])[]): void {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  for (const line of lines) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
  }
}
