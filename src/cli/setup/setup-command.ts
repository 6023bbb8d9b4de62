import { Argument, Command } from 'commander'
import { createTwoFilesPatch } from 'diff'
import { applyEdits, findNodeAtLocation, getNodeValue, modify, type ParseError, parseTree } from 'jsonc-parser'
import { present } from '../../lib/present.ts'
import { ConfigError } from '../../runtime/config/config-error.ts'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { ensureFolder, findRealPath, findText, removeFile } from '../../runtime/platform/files/files.ts'
import { dirName, joinPath } from '../../runtime/platform/files/paths.ts'
import { askYesNo } from '../../runtime/platform/processes/terminal-input.ts'
import { environmentVariable } from '../../runtime/platform/runtime.ts'
import { print, run } from '../run.ts'
import { codingAgents, type FileChange, type Member } from './agents.ts'
import { targetOf, withTarget } from './run-command.ts'

const begin = '# tracelake setup: begin'
const end = '# tracelake setup: end'

/** The text of a file after a change; the same text if it is there already. @throws ConfigError */
function changed(text: string | undefined, change: FileChange): string {
  return change.kind === 'json' ? withMembers(text, change) : withBlock(text, change)
}

/** Settings are JSON with comments; both stay as they are elsewhere. */
function withMembers(text: string | undefined, { file, members }: FileChange & { kind: 'json' }): string {
  let next = text === undefined || text.trim() === '' ? '{}\n' : text
  checkObject(next, file)
  for (const { path, value } of members) {
    if (JSON.stringify(valueAt(next, path)) !== JSON.stringify(value)) next = withMember(next, path, value)
  }
  return next
}

/** The values that members have in a text; undefined where there is none. */
const membersIn = (text: string | undefined, members: readonly Member[]) =>
  members.map(({ path }) => ({ path, value: text === undefined ? undefined : valueAt(text, path) }))

/** Sets members to earlier values, and removes those that had none. */
function withEarlier(text: string, earlier: readonly Member[]): string {
  let next = text
  for (const { path, value } of earlier) next = withMember(next, path, value)
  // Objects that the change had to create are empty now.
  for (const { path } of earlier) {
    for (let depth = path.length - 1; depth > 0; depth--) {
      const value = valueAt(next, path.slice(0, depth))
      if (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
        next = withMember(next, path.slice(0, depth), undefined)
    }
  }
  return next
}

const withMember = (text: string, path: readonly string[], value: unknown): string =>
  applyEdits(text, modify(text, [...path], value, { formattingOptions: formattingOf(text) }))

const formattingOf = (text: string) => ({
  insertSpaces: !/^\t/m.test(text),
  tabSize: /^( +)\S/m.exec(text)?.[1]?.length ?? 2,
  eol: text.includes('\r\n') ? '\r\n' : '\n',
})

function valueAt(text: string, path: readonly string[]): unknown {
  const root = parseTree(text, [], { allowTrailingComma: true })
  const node = root && findNodeAtLocation(root, [...path])
  return node && getNodeValue(node)
}

function checkObject(text: string, file: string): void {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  if (errors.length > 0 || root?.type !== 'object') throw new ConfigError(`${file} is not a JSON object; fix it first`)
}

function withBlock(text: string | undefined, { file, lines, conflicts }: FileChange & { kind: 'block' }): string {
  const rest = withoutBlock(text ?? '')
  if (conflicts.test(rest))
    throw new ConfigError(`${file} already has such settings; merge these by hand:\n${lines.join('\n')}`)
  const block = `${[begin, ...lines, end].join('\n')}\n`
  if (rest === '') return block
  return `${rest}${rest.endsWith('\n') ? '' : '\n'}${block}`
}

/** The text without the lines that the setup has added. */
function withoutBlock(text: string): string {
  const from = text.indexOf(`${begin}\n`)
  const to = text.indexOf(`${end}\n`)
  return from === -1 || to === -1 ? text : text.slice(0, from) + text.slice(to + end.length + 1)
}

interface SetupOptions {
  readonly url?: string
  readonly key?: string
  readonly project?: string
  readonly yes?: true
  readonly undo?: true
  readonly mcp: boolean
}

/** A setup's change to a file, recorded so that it can be undone. */
interface Record {
  readonly file: string
  /** The file before: null if there was none, undefined if it was edited between setups. */
  readonly before?: string | null
  readonly after: string
  /** Earlier values of the members, for a file that was edited since. */
  readonly earlier: readonly Member[]
}

/** `setup`: makes a coding agent send its telemetry and use the tools. */
export const setupCommand = (): Command => {
  const command = withTarget(new Command('setup'))
    .description('make a coding agent send its telemetry to a server, and offer it the tools for agents')
    .addArgument(new Argument('<agent>', 'coding agent').choices(Object.keys(codingAgents)))
    .option('--no-mcp', 'only the telemetry, not the tools')
    .option('--yes', 'change the settings without asking')
    .option('--undo', 'restore the settings')
  return command.action((agent: string, options: SetupOptions) =>
    run(command, () => (options.undo ? undo(command, agent) : setUp(command, agent, options))),
  )
}

async function setUp(self: Command, agent: string, options: SetupOptions): Promise<void> {
  const target = targetOf(options)
  const { changes, note } = present(codingAgents[agent], `The coding agent ${agent}`)
  const records = await readRecords(agent)
  const writes: Record[] = []
  for (const change of changes(target, { withMcp: options.mcp })) {
    const file = joinPath(home(), change.file)
    const current = await findText(file)
    const after = changed(current, change)
    if (after === current) continue
    const shown = createTwoFilesPatch(file, file, current ?? '', after)
      .split('\n')
      .slice(1)
      .join('\n')
    print(self, shown.replaceAll(target.key, '<key>').trimEnd())
    const known = records.find((record) => record.file === file)
    const members = change.kind === 'json' ? change.members : []
    const added = membersIn(current, members).filter(
      ({ path }) => !known?.earlier.some((one) => one.path.join('\0') === path.join('\0')),
    )
    const isUntouched = known === undefined || known.after === current
    const before = known === undefined ? (current ?? null) : known.before
    writes.push({
      ...{ file, after, earlier: [...(known?.earlier ?? []), ...added] },
      ...(isUntouched && before !== undefined && { before }),
    })
  }
  if (writes.length === 0) return print(self, `${agent} is already set up for ${target.project} at ${target.url}.`)
  if (options.yes !== true && !(await askYesNo('Change these settings?')))
    throw new ConfigError('nothing was changed; pass --yes to change the settings')
  // First what undoes it.
  await writeRecords(agent, [...records.filter(({ file }) => !writes.some((one) => one.file === file)), ...writes])
  for (const { file, after } of writes) await writeSettings(file, after)
  print(
    self,
    `${agent} sends its telemetry to ${target.project} at ${target.url}. ` +
      `"tracelake setup ${agent} --undo" restores the previous settings.`,
  )
  if (note !== undefined) print(self, note)
}

async function undo(self: Command, agent: string): Promise<void> {
  const records = await readRecords(agent)
  if (records.length === 0) throw new ConfigError(`there is no setup of ${agent} to undo`)
  for (const { file, before, after, earlier } of records) {
    const current = await findText(file)
    if (current === undefined) continue
    if (current === after && before !== undefined) {
      if (before === null) await removeFile(file)
      else await writeSettings(file, before)
    } else await writeSettings(file, earlier.length > 0 ? withEarlier(current, earlier) : withoutBlock(current))
    print(self, `Restored ${file}`)
  }
  await removeFile(recordsFile(agent))
}

function home(): string {
  const folder = environmentVariable('HOME') ?? environmentVariable('USERPROFILE')
  if (folder === undefined) throw new ConfigError('the home folder is unknown: set HOME')
  return folder
}

const recordsFile = (agent: string): string => joinPath(home(), '.config/tracelake', `setup-${agent}.json`)

async function readRecords(agent: string): Promise<Record[]> {
  const text = await findText(recordsFile(agent))
  const records: Record[] = text === undefined ? [] : JSON.parse(text)
  return records
}

const writeRecords = (agent: string, records: readonly Record[]): Promise<void> =>
  writeSettings(recordsFile(agent), `${JSON.stringify(records, null, 2)}\n`)

/** Only the user may read the key. A link stays a link. */
async function writeSettings(file: string, text: string): Promise<void> {
  await ensureFolder(dirName(file))
  await writeFileDurably((await findRealPath(file)) ?? file, text, { mode: 0o600 })
}
