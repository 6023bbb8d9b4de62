import { Command, Option } from 'commander'
import type { ImportReceipt } from '../domains/datasets/index.ts'
import { isProjectId } from '../lib/project-id.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import { fileAsBlob, writeChunks } from '../runtime/platform/files/file-chunks.ts'
import { fileExists } from '../runtime/platform/files/files.ts'
import { baseName } from '../runtime/platform/files/paths.ts'
import { environmentVariable } from '../runtime/platform/runtime.ts'
import { print, run } from './run.ts'

const formats = ['csv', 'jsonl', 'parquet'] as const

/** `datasets`: datasets of a running server as files and as versions. */
export const datasetsCommand = (): Command =>
  new Command('datasets')
    .description('import, export and compare datasets of a running server')
    .addCommand(importCommand())
    .addCommand(exportCommand())
    .addCommand(diffCommand())

const onServer = (command: Command): Command =>
  command
    .requiredOption('--project <entity/project>', 'project of the dataset')
    .option('--url <address>', 'address of the server (TRACELAKE_URL, default: http://127.0.0.1:8470)')
    .option('--key <key>', 'API key of the server (default: TRACELAKE_KEY)')

const importCommand = (): Command =>
  onServer(new Command('import'))
    .description('store the rows of a CSV, JSON Lines or Parquet file as a version, or nothing')
    .argument('<file>', 'file to import')
    .option('--name <name>', 'name of the dataset (default: that of the file)')
    .option('--append', 'keep the rows of the latest version and add those of the file')
    .option('--skip-equal', 'leave out rows that are there already')
    .option('--column <name=type>', 'type of a column, else guessed; may be repeated', collect)
    .option('--expect <digest>', 'fail if the latest version is another one; empty for a new dataset')
    .addOption(new Option('--format <format>', 'format of the file, else guessed').choices(formats))
    .addHelpText('after', importNotes)
    .action((file: string, options: ImportWords, self: Command) => run(self, () => importFile(self, file, options)))

const exportCommand = (): Command =>
  onServer(new Command('export'))
    .description('save a version as a file')
    .argument('<name>', 'name of the dataset')
    .argument('[version]', 'digest, v<number> or alias', 'latest')
    .requiredOption('--out <file>', 'file to write; it must not exist')
    .addOption(new Option('--format <format>', 'format (default: by the name of the file)').choices(formats))
    .action((name: string, version: string, options: ExportWords, self: Command) =>
      run(self, () => exportFile(self, { name, version }, options)),
    )

const diffCommand = (): Command =>
  onServer(new Command('diff'))
    .description('compare two versions row by row')
    .argument('<name>', 'name of the dataset')
    .argument('<from>', 'older version: digest, v<number> or alias')
    .argument('[to]', 'newer version', 'latest')
    .option('--column <name>', 'column that identifies rows')
    .option('--limit <count>', 'changed rows to list', '100')
    .action((name: string, from: string, to: string, options: DiffWords, self: Command) =>
      run(self, () => compare(self, { name, from, to }, options)),
    )

const importNotes = `
Types: text, number, boolean, json, messages. A file with a fault is refused as a whole, and the first faults are
listed with their lines.

Examples:
  tracelake datasets import questions.csv --project acme/support-bot --column zip=text
  tracelake datasets import more.jsonl --name questions --append --skip-equal --project acme/support-bot
  tracelake datasets export questions --out questions.parquet --project acme/support-bot
  tracelake datasets diff questions v0 --column id --project acme/support-bot`

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

interface ServerWords {
  readonly project: string
  readonly url?: string
  readonly key?: string
}

interface ImportWords extends ServerWords {
  readonly name?: string
  readonly append?: true
  readonly skipEqual?: true
  readonly column?: readonly string[]
  readonly expect?: string
  readonly format?: string
}

interface ExportWords extends ServerWords {
  readonly out: string
  readonly format?: string
}

interface DiffWords extends ServerWords {
  readonly column?: string
  readonly limit: string
}

async function importFile(self: Command, file: string, options: ImportWords): Promise<void> {
  if (!(await fileExists(file))) throw new ConfigError(`Import ${file}: there is no such file`)
  const fileName = baseName(file)
  const form = new FormData()
  form.set('project_id', options.project)
  form.set(
    'options',
    JSON.stringify({
      name: options.name ?? fileName.replace(/\.[^.]*$/, ''),
      mode: options.append ? 'append' : 'replace',
      equal_rows: options.skipEqual ? 'skip' : 'keep',
      format: options.format,
      expected_latest_digest: options.expect,
      columns: options.column?.map(columnOf),
    }),
  )
  form.set('file', await fileAsBlob(file), fileName)
  const answer = await ask(options, '/datasets/import', { body: form })
  const { object_id, version_index, rows, added, skipped }: ImportReceipt = JSON.parse(await answer.text())
  const left = skipped === 0 ? '' : `, ${counted(skipped)} left out that were there already`
  print(self, `${object_id}:v${version_index}: ${counted(rows)} rows, ${counted(added)} of them from the file${left}`)
}

function columnOf(text: string): { source: string; type: string } {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new ConfigError(`--column "${text}": use <name>=<type>, for example zip=text`)
  return { source: text.slice(0, at), type: text.slice(at + 1) }
}

async function exportFile(
  self: Command,
  { name, version }: { readonly name: string; readonly version: string },
  options: ExportWords,
): Promise<void> {
  const { out, project } = options
  const format = options.format ?? formats.find((each) => out.toLowerCase().endsWith(`.${each}`))
  if (format === undefined) throw new ConfigError(`--out ${out}: end it with .csv, .jsonl or .parquet, or set --format`)
  if (await fileExists(out)) throw new ConfigError(`--out ${out}: the file exists; choose another or remove it`)
  const body = { project_id: project, object_id: name, digest: version, format }
  const answer = await askJson(options, '/datasets/export', body)
  if (answer.body !== null) await writeChunks(out, answer.body)
  print(self, `${name}:${version} saved as ${out}`)
}

interface Difference {
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly same: number
  readonly changes: readonly {
    readonly kind: 'added' | 'removed' | 'changed'
    readonly from_index: number | null
    readonly from_row: unknown
    readonly to_index: number | null
    readonly to_row: unknown
  }[]
}

async function compare(
  self: Command,
  { name, from, to }: { readonly name: string; readonly from: string; readonly to: string },
  options: DiffWords,
): Promise<void> {
  const limit = Number(options.limit)
  if (!/^\d+$/.test(options.limit)) throw new ConfigError(`--limit "${options.limit}": use a whole number`)
  const body = { project_id: options.project, object_id: name, from_digest: from, to_digest: to, limit }
  const answer = await askJson(options, '/datasets/diff', { ...body, key: options.column })
  const { added, removed, changed, same, changes }: Difference = JSON.parse(await answer.text())
  const counts = { added, removed, changed, equal: same }
  const total = Object.entries(counts).map(([what, count]) => `${counted(count)} ${what}`)
  print(self, total.join(', '))
  for (const { kind, from_index, from_row, to_index, to_row } of changes) {
    if (kind !== 'added') print(self, `- row ${(from_index ?? 0) + 1} ${JSON.stringify(from_row)}`)
    if (kind !== 'removed') print(self, `+ row ${(to_index ?? 0) + 1} ${JSON.stringify(to_row)}`)
  }
  const rest = added + removed + changed - changes.length
  if (rest > 0) print(self, `${counted(rest)} more; raise --limit to list them`)
}

const counted = (count: number): string => count.toLocaleString('en-US')

const askJson = (options: ServerWords, path: string, body: object): Promise<Response> =>
  ask(options, path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

/** @throws Error with the answer of the server, and the faults of a file in lines of their own */
async function ask(options: ServerWords, path: string, request: RequestInit): Promise<Response> {
  if (!isProjectId(options.project)) throw new ConfigError(`--project "${options.project}": use <entity>/<project>`)
  const key = options.key ?? environmentVariable('TRACELAKE_KEY')
  if (key === undefined) throw new ConfigError('--key: the API key of the server is missing; set TRACELAKE_KEY')
  const server = options.url ?? environmentVariable('TRACELAKE_URL') ?? 'http://127.0.0.1:8470'
  const address = server.replace(/\/+$/, '') + path
  const headers = { ...request.headers, authorization: `Bearer ${key}` }
  const answer = await fetch(address, { ...request, method: 'POST', headers }).catch((cause: unknown) => {
    throw new Error(`Ask ${address}: the server cannot be reached`, { cause })
  })
  if (answer.ok) return answer
  const text = await answer.text()
  throw new Error(faultsIn(text) ?? `Ask ${address}: status ${answer.status}: ${text.slice(0, 1000)}`)
}

/** What is wrong with a file, if that is what an answer says. */
function faultsIn(text: string): string | undefined {
  let refusal: {
    readonly reason?: string
    readonly error_type?: string
    readonly faults?: readonly { readonly line: number; readonly column: string | null; readonly reason: string }[]
  }
  try {
    refusal = JSON.parse(text)
  } catch {
    return undefined
  }
  if (refusal.error_type !== 'InvalidRows' || refusal.reason === undefined) return undefined
  const lines = refusal.faults?.map(
    ({ line, column, reason }) => `  line ${line}${column === null ? '' : `, column ${column}`}: ${reason}`,
  )
  return [refusal.reason, ...(lines ?? [])].join('\n')
}
