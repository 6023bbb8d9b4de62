import { Argument, Command } from 'commander'
import { createTwoFilesPatch } from 'diff'
import { ConfigError } from '../../runtime/config/config-error.ts'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { ensureFolder, findRealPath, findText, removeFile } from '../../runtime/platform/files/files.ts'
import { dirName, joinPath } from '../../runtime/platform/files/paths.ts'
import { askYesNo } from '../../runtime/platform/processes/ask.ts'
import { environmentVariable } from '../../runtime/platform/runtime.ts'
import { print, run } from '../run.ts'
import { codingAgents, type Member } from './agents.ts'
import { changed, membersIn, withEarlier, withoutBlock } from './change-file.ts'
import { targetOf, withTarget } from './run-command.ts'

interface SetupOptions {
  readonly url?: string
  readonly key?: string
  readonly project?: string
  readonly yes?: true
  readonly undo?: true
  readonly mcp: boolean
}

/** What a setup did to a file, so that it can be undone. */
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
  const { changes, note } = codingAgents[agent]!
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
  if (writes.length === 0) return print(self, `${agent} is set up for ${target.project} at ${target.url} already.`)
  if (options.yes !== true && !(await askYesNo('Change these settings?')))
    throw new ConfigError('nothing was changed; pass --yes to change the settings')
  // First what undoes it.
  await writeRecords(agent, [...records.filter(({ file }) => !writes.some((one) => one.file === file)), ...writes])
  for (const { file, after } of writes) await writeSettings(file, after)
  print(
    self,
    `${agent} sends its telemetry to ${target.project} at ${target.url}. "tracelake setup ${agent} --undo" restores.`,
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
  return text === undefined ? [] : (JSON.parse(text) as Record[])
}

const writeRecords = (agent: string, records: readonly Record[]): Promise<void> =>
  writeSettings(recordsFile(agent), `${JSON.stringify(records, null, 2)}\n`)

/** Only the user may read the key. A link stays a link. */
async function writeSettings(file: string, text: string): Promise<void> {
  await ensureFolder(dirName(file))
  await writeFileDurably((await findRealPath(file)) ?? file, text, { mode: 0o600 })
}
