import { Argument, Command } from 'commander'
import { type ImportResult, rehearseImport, runImport } from '../importers/run-import.ts'
import type { Tally } from '../importers/sender/tally.ts'
import { sources } from '../importers/sources.ts'
import { present } from '../lib/present.ts'
import { isProjectId } from '../lib/project-id.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import { systemOutboundHttp } from '../runtime/http/outbound-http.ts'
import { absolutePath } from '../runtime/platform/files/paths.ts'
import { environmentVariable, exit } from '../runtime/platform/runtime.ts'
import { Progress, plainTable } from './output.ts'
import { print, run } from './run.ts'

/** `import`: brings traces of other tools into a project of a server. */
export const importCommand = (): Command =>
  new Command('import')
    .description('import traces, feedback and datasets from files and servers of other tools')
    .addArgument(new Argument('<source>', 'what to import').choices(sources.map(({ name }) => name)))
    .argument('[path-or-url]', 'file, folder or address to import from; coding agents have a default')
    .requiredOption('--project <entity/project>', 'project to import into')
    .option('--to <url>', 'address of the tracelake server', 'http://127.0.0.1:8470')
    .option('--key <key>', 'API key of the tracelake server (default: TRACELAKE_KEY)')
    .option('--source-key <key>', 'API key of the source, if it is a server (default: TRACELAKE_SOURCE_KEY)')
    .option('--select <name>', 'import only this project, experiment or dataset of the source')
    .option('--dry-run', 'only count what would be imported and what would be lost')
    .addHelpText('after', notes)
    .action((source: string, place: string | undefined, options: ImportCommandOptions, self: Command) =>
      run(self, () => importSource(self, source, place, options)),
    )

const notes = `
Sources:
${sources.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`).join('\n')}

Ids of the source are kept or derived from it, so an import can be repeated: it adds what is new. If it is
interrupted, the same command continues where it stopped.

Examples:
  tracelake import claude-code --project acme/agents --dry-run
  tracelake import otlp traces.jsonl --project acme/support-bot --key "$KEY"`

interface ImportCommandOptions {
  readonly project: string
  readonly to: string
  readonly key?: string
  readonly sourceKey?: string
  readonly select?: string
  readonly dryRun?: true
}

async function importSource(
  self: Command,
  name: string,
  given: string | undefined,
  options: ImportCommandOptions,
): Promise<void> {
  const source = present(
    sources.find((candidate) => candidate.name === name),
    `The source ${name}`,
  )
  const place = given ?? source.defaultPlace?.()
  if (place === undefined) throw new ConfigError(`import ${name}: the file, folder or address to import is missing`)
  if (!isProjectId(options.project)) throw new ConfigError(`--project "${options.project}": use <entity>/<project>`)
  const { project, select } = options
  const input = {
    place: /^https?:/.test(place) ? place : absolutePath(place),
    key: options.sourceKey ?? environmentVariable('TRACELAKE_SOURCE_KEY'),
    select,
    project,
  }
  const progress = new Progress()
  const onProgress = (what: string, done: number) => progress.say(what, done)
  try {
    if (options.dryRun) {
      const tally = await rehearseImport({ source, input, onProgress })
      progress.end()
      return print(self, ...rehearsalLines(tally), 'Nothing was sent.')
    }
    const key = options.key ?? environmentVariable('TRACELAKE_KEY')
    const to = { url: options.to, key, project }
    const result = await runImport({ source, input, to, http: systemOutboundHttp, onProgress })
    progress.end()
    print(self, ...resultLines(result, project))
    if (!result.tally.isComplete) exit(1)
  } finally {
    progress.end()
  }
}

const number = (value: number): string => value.toLocaleString('en-US')

function rehearsalLines(tally: Tally): string[] {
  const rows = tally.kinds.map(([what, { found }]) => [what, number(found)])
  return [...plainTable([['RECORDS', 'IN THE SOURCE'], ...rows]), ...lossLines(tally)]
}

function resultLines({ tally, before, after, isResumed }: ImportResult, project: string): string[] {
  const rows = tally.kinds.map(([what, { found, sent, refused, stored }]) => [
    what,
    number(found),
    number(sent),
    number(refused),
    stored === undefined ? '' : number(stored),
  ])
  return [
    ...(isResumed ? ['Continued an interrupted import.'] : []),
    ...plainTable([['RECORDS', 'IN THE SOURCE', 'SENT', 'REFUSED', 'ON THE SERVER'], ...rows]),
    ...lossLines(tally),
    `Calls in ${project}: ${number(before)} before, ${number(after)} after.`,
    tally.isComplete ? 'Complete.' : 'Incomplete: not everything in the source is on the server.',
  ]
}

function lossLines({ losses }: Tally): string[] {
  if (losses.length === 0) return []
  return ['Not imported:', ...losses.map(([what, count]) => `  ${number(count)} ${what}`)]
}
