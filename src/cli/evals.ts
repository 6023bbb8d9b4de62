import { Command } from 'commander'
import type { Comparison, ScoreOfRun } from '../domains/evaluations/index.ts'
import { differenceRangeText, differenceText, pValueText, rangeText, scoreText } from '../lib/comparison-words.ts'
import { isProjectId } from '../lib/project-id.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import { environmentVariable } from '../runtime/platform/runtime.ts'
import { print, run } from './run.ts'

/** `evals`: evaluations of a running server. */
export const evalsCommand = (): Command =>
  new Command('evals').description('compare evaluations of a running server').addCommand(checkCommand())

const checkCommand = (): Command =>
  new Command('check')
    .description('fail if a run of an evaluation is worse than another, for CI')
    .argument('<run>', 'call id of the run to check')
    .requiredOption('--baseline <run>', 'call id of the run to compare it with')
    .requiredOption('--project <entity/project>', 'project of both runs')
    .option('--no-worse <score>', 'score that may not be worse; may be repeated (default: every score)', collect)
    .option('--margin <score=size>', 'differences up to this size count as none; may be repeated', collect)
    .option('--lower-is-better <score>', 'score that is better if it is lower; may be repeated', collect)
    .option('--measure <cost|latency>', 'also check the cost or the latency; may be repeated', collect)
    .option('--strict', 'also fail, with exit code 2, if the rows cannot tell')
    .option('--markdown', 'print Markdown, for a comment on a pull request')
    .option('--url <address>', 'address of the server (TRACELAKE_URL, default: http://127.0.0.1:8470)')
    .option('--key <key>', 'API key of the server (default: TRACELAKE_KEY)')
    .addHelpText('after', notes)
    .action(async (runId: string, options: CheckOptions, self: Command) => {
      let failure: Failure | undefined
      await run(self, async () => {
        failure = await check(self, runId, options)
      })
      if (failure !== undefined) self.error(`error: ${failure.message}`, { exitCode: failure.exitCode })
    })

const notes = `
Exit codes: 0 if no score is worse, 1 if one is or the command fails, 2 if one cannot be told (with --strict only) or
for invalid usage. The figures are those of POST /evaluations/compare: rows are paired, p-values corrected by Holm's
method over the scores that are checked.

Examples:
  tracelake evals check "$RUN" --baseline "$LAST" --project acme/support-bot
  tracelake evals check "$RUN" --baseline "$LAST" --project acme/support-bot --no-worse exact.match \\
    --margin exact.match=0.02 --strict --markdown >> "$GITHUB_STEP_SUMMARY"`

interface CheckOptions {
  readonly baseline: string
  readonly project: string
  /** Commander takes `--no-…` for the absence of an option. */
  readonly worse: readonly string[] | boolean
  readonly margin?: readonly string[]
  readonly lowerIsBetter?: readonly string[]
  readonly measure?: readonly string[]
  readonly strict?: true
  readonly markdown?: true
  readonly url?: string
  readonly key?: string
}

/** Why the run does not pass. */
interface Failure {
  readonly message: string
  readonly exitCode: number
}

/** Collects the values of an option; commander begins with `true` for one called `no-…`. */
const collect = (value: string, before: readonly string[] | boolean = []): readonly string[] => [
  ...(typeof before === 'boolean' ? [] : before),
  value,
]

async function check(self: Command, runId: string, options: CheckOptions): Promise<Failure | undefined> {
  const { project, baseline, strict, markdown } = options
  if (!isProjectId(project)) throw new ConfigError(`--project "${project}": use <entity>/<project>`)
  const scores = Array.isArray(options.worse) && options.worse.length > 0 ? options.worse : undefined
  const comparison = await fetchComparison(options, {
    project_id: project,
    evaluation_call_ids: [baseline, runId],
    baseline,
    scores,
    margins: Object.fromEntries(options.margin?.map(marginOf) ?? []),
    lower_is_better: options.lowerIsBetter ?? [],
    measures: options.measure ?? [],
  })
  print(self, ...(markdown ? markdownLines(comparison) : textLines(comparison)))
  const verdicts = [...comparison.scores, ...comparison.measures].map(({ runs }) => runs[1]?.difference?.verdict)
  if (verdicts.length === 0) throw new Error('Compare the runs: they have no scores with numbers or booleans')
  if (verdicts.includes('worse')) return { message: 'the run is worse than the baseline', exitCode: 1 }
  if (!strict || !verdicts.includes('cannot tell')) return undefined
  const message = 'the rows cannot tell whether the run is worse; add rows or trials, or set a margin'
  return { message, exitCode: 2 }
}

function marginOf(text: string): [string, number] {
  const [, score, size] = /^(.+)=([\d.]+)$/.exec(text) ?? []
  if (score === undefined || !Number.isFinite(Number(size))) {
    throw new ConfigError(`--margin "${text}": use <score>=<size>, for example exact.match=0.02`)
  }
  return [score, Number(size)]
}

async function fetchComparison(options: CheckOptions, body: object): Promise<Comparison> {
  const key = options.key ?? environmentVariable('TRACELAKE_KEY')
  if (key === undefined) throw new ConfigError('--key: the API key of the server is missing; set TRACELAKE_KEY')
  const server = options.url ?? environmentVariable('TRACELAKE_URL') ?? 'http://127.0.0.1:8470'
  const address = `${server.replace(/\/+$/, '')}/evaluations/compare`
  const answer = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new Error(`Ask ${address}: the server cannot be reached`, { cause })
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`Ask ${address}: status ${answer.status}: ${text.slice(0, 1000)}`)
  const comparison: Comparison = JSON.parse(text)
  return comparison
}

/** One score as texts. */
interface Line {
  readonly score: string
  readonly before: string
  readonly after: string
  readonly difference: string
  readonly rows: string
  readonly verdict: string
}

function linesOf({ scores, measures }: Comparison): Line[] {
  return [...scores, ...measures].flatMap(({ score, kind, runs: [before, after] }) => {
    const difference = after?.difference
    if (before === undefined || after === undefined || difference == null) return []
    const ofRun = (run: ScoreOfRun): string => `${scoreText(kind, run.value)}${inBrackets(rangeText(kind, run))}`
    const interval = differenceRangeText(kind, difference)
    return [
      {
        score,
        before: ofRun(before),
        after: ofRun(after),
        difference: [differenceText(kind, difference.value), interval, pValueText(difference.p_corrected)]
          .filter(Boolean)
          .join(' '),
        rows: `${difference.pairs}${notScored(after)}`,
        verdict: difference.verdict,
      },
    ]
  })
}

const inBrackets = (text: string): string => (text === '' ? '' : ` (${text})`)

/** What became of the rows without a score: `, 2 failed, 1 missing`. */
const notScored = ({ failed_rows, unscored_rows, missing_rows }: ScoreOfRun): string =>
  [
    [failed_rows, 'failed'],
    [unscored_rows, 'without score'],
    [missing_rows, 'missing'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `, ${count} ${what}`)
    .join('')

const textLines = (comparison: Comparison): string[] => [
  ...linesOf(comparison).flatMap(({ score, before, after, difference, rows, verdict }) => [
    `${score}: ${verdict}`,
    `  ${before} -> ${after}`,
    `  difference ${difference}; paired rows: ${rows}`,
  ]),
  ...comparison.warnings.map((warning) => `warning: ${warning}`),
]

const markdownLines = (comparison: Comparison): string[] => [
  '| score | baseline | run | difference | paired rows | verdict |',
  '| --- | --- | --- | --- | --- | --- |',
  ...linesOf(comparison).map(
    ({ score, before, after, difference, rows, verdict }) =>
      `| ${[score, before, after, difference, rows, `**${verdict}**`].map(escaped).join(' | ')} |`,
  ),
  '',
  `95 % intervals; p-values corrected for ${comparison.comparisons} comparisons (Holm).`,
  ...comparison.warnings.map((warning) => `\n> ${escaped(warning)}`),
]

/** Names of scores come from programs: nothing in them becomes markup. */
const escaped = (text: string): string => text.replaceAll(/[|<>`[\]\\]/g, (found) => `\\${found}`)
