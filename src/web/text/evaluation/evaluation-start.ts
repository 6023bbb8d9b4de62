import { plural } from '../parts.ts'

const counted = new Intl.NumberFormat('en')
const rows = (count: number): string => plural(counted.format(count), 'row')

interface PromptVersion {
  readonly object_id: string
  readonly version_index: number
  readonly aliases: readonly string[] | null
}

/** A split as people say it. */
const splitName = (split: string): string => {
  const [name = '', percent = name === 'train' ? '80' : '20'] = split.split(':')
  return `Split ${name}, ${percent} %`
}

const pointsOf = (share: number): string =>
  counted.format(Math.max(0.1, share >= 0.1 ? Math.round(share * 100) : Math.round(share * 1000) / 10))

/** Words of the dialog that starts evaluation runs. */
export const evaluationStartText = {
  title: 'Start evaluation',
  startShort: 'start',
  evaluate: 'Evaluate',
  evaluation: 'Evaluation',
  newEvaluation: 'A new evaluation',
  evaluationName: 'Name of the evaluation',
  nameBad: 'Letters, digits, “_”, “.” and “-” only',
  nameTaken: (name: string) => `“${name}” exists already; choose it above.`,
  dataset: 'Dataset',
  version: 'Version of the dataset',
  versionOf: (index: number, count: number | undefined) =>
    count === undefined ? `v${index}` : `v${index}, ${rows(count)}`,
  rows: 'Rows',
  allRows: (count: number | undefined) => (count === undefined ? 'All rows' : `All ${rows(count)}`),
  filtered: (count: number | undefined) => `Filtered${count === undefined ? ' rows' : `: ${rows(count)}`}`,
  tooManyFiltered: (max: number) =>
    `The filter leaves more than ${rows(max)}, which a run cannot name: choose all rows, a split or the first ones.`,
  splitOf: (split: string, count: number | undefined) =>
    `${splitName(split)}${count === undefined ? '' : `: ${rows(count)}`}`,
  firstRows: 'Only the first … rows',
  firstRowsBad: 'A whole number from 1, or empty',
  finds: (count: number, share: number | undefined) =>
    share === undefined
      ? `${rows(count)}: too few to detect a difference between two runs`
      : `${rows(count)}: a difference of about ${plural(pointsOf(share), 'point')} can be detected`,
  findsTip:
    'Between the pass rates of two runs: McNemar’s test finds it with a probability of 80 % at 5 %, if one row in ' +
    'four changes its outcome. Several runs and scores need more, by Holm’s correction.',
  candidates: 'Candidates',
  promptAt: (at: number) => `Prompt of candidate ${at}`,
  modelAt: (at: number) => `Model of candidate ${at}`,
  promptVersion: ({ object_id: name, version_index: index, aliases }: PromptVersion) =>
    [`${name}:v${index}`, ...(aliases ?? []).filter((alias) => alias !== 'latest')].join(' · '),
  candidate: ({ object_id: name, version_index: index }: PromptVersion, model: string) =>
    `${name}:v${index} with ${model}`,
  missingColumns: (names: readonly string[]) => {
    const columns = `${names.length === 1 ? 'column' : 'columns'} ${names.map((name) => `“${name}”`).join(', ')}`
    return `The rows have no ${columns}, which this prompt needs: they will fail.`
  },
  removeAt: (at: number) => `Remove candidate ${at}`,
  noPrompt: 'No prompt: the row is the message',
  modelName: 'Name of a model',
  needsModel: (at: number) => `Candidate ${at} needs a model.`,
  addCandidate: 'Add candidate',
  elsewhere: 'Is the model a program of your own?',
  twice: 'The same prompt and model stand above.',
  addSecret: 'Add it in the settings',
  orRemove: 'or remove this line.',
  askAdmin: 'An administrator can add it; or remove this line.',
  judgeProblem: (scorer: string, error: string) => `${scorer}: ${error}.`,
  scorers: 'Scorers',
  judgedBy: (model: string) => `model judge with ${model}`,
  noScorers: 'This project has no scorer: rows are run, and nothing is scored.',
  run: 'Run',
  trials: 'Trials per row',
  parallel: 'Parallel rows',
  limit: 'Cost limit per run, $',
  noLimit: 'none',
  outOf: (low: number, high: number) => `A whole number from ${low} to ${high}`,
  limitBad: 'An amount above 0, or empty',
  estimate: 'Estimate',
  calls: 'Calls',
  time: 'Time',
  cost: 'Cost',
  about: (text: string) => `about ${text}`,
  from: (evaluation: string, when: string, count: number) => `from the run of ${evaluation}, ${when}, ${rows(count)}`,
  noEstimate: 'no estimate: no earlier run of this model',
  overLimit: (count: number) => `stops at its limit after about ${rows(count)}`,
  sum: (rowCount: number, trials: number, candidates: number) =>
    `${[
      rows(rowCount),
      ...(trials === 1 ? [] : [plural(trials, 'trial')]),
      ...(candidates === 1 ? [] : [plural(candidates, 'candidate')]),
    ].join(' × ')} = ${plural(counted.format(rowCount * trials * candidates), 'model call')}`,
  noRows: 'This version has no rows.',
  noDatasets: 'This project has no dataset. Import one, or make one from calls, then evaluate it.',
  openDatasets: 'Open the datasets',
  start: (runs: number, rowCount: number | undefined) =>
    rowCount === undefined ? `Start ${plural(runs, 'run')}` : `Start ${plural(runs, 'run')} over ${rows(rowCount)}`,
  started: (runs: number) => `${plural(runs, 'run')} started`,
  open: 'Open',
  compare: 'Compare',
  notStarted: (candidate: string, error: string) => `${candidate} was not started: ${error}`,
} as const
