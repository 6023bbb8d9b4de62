import { plural } from '../parts.ts'

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const formatCount = (count: number): string => whole.format(count)

/** Words of the comparison of evaluation runs. */
export const comparisonText = {
  title: 'Compare runs',
  back: 'Evaluations',
  what: (others: number, rows: string) => `${plural(others, 'run')} against a baseline · ${rows}`,
  rowsOf: (shared: number, all: number) =>
    shared === all
      ? plural(formatCount(all), 'row')
      : `${formatCount(shared)} of ${plural(formatCount(all), 'row')} in every run`,
  baseline: 'baseline',
  baselineIs: (letter: string) => `Baseline ${letter}`,
  makeBaseline: (letter: string, name: string) => `${letter}  ${name}`,
  asBaseline: (run: string) => `Baseline ${run}`,
  chooseBaseline: 'Choose the baseline',
  addRun: 'Add run',
  addRunHint: 'The newest runs of this project. Up to 20 are compared.',
  findRun: 'Find a run',
  noMoreRuns: 'No other run.',
  remove: (letter: string) => `Remove ${letter}`,
  failed: (count: number) => `${formatCount(count)} failed`,
  exportCsv: 'Export CSV',
  exporting: (rows: number, all: number) => `${formatCount(rows)} of ${plural(formatCount(all), 'row')}`,
  gate: 'Gate in CI',
  gateReason: 'This command gives the same figures as this page and fails a build if a score is worse.',
  gateFor: 'Run to check',
  close: 'Close',
  save: 'Save comparison',
  saveVersion: 'Save',
  saveName: 'Name of the comparison',
  savedAs: (name: string) => `Comparison “${name}” saved`,
  saved: 'Saved',
  savedReason: 'Saved comparisons of this project, also those of the SDKs.',
  nothingSaved: 'No comparison is saved yet.',
  deleteSaved: (name: string) => `Delete the comparison “${name}”`,
  deletedSaved: (name: string) => `Comparison “${name}” deleted`,
  open: 'Open',
  nothing: 'Two runs are needed.',
  nothingReason: 'Add runs of one dataset: the first is the baseline, the others are compared with it row by row.',
  reading: 'Reading the rows',
  showScores: (count: number) => `Show ${plural(count, 'score')}`,
  badMargin: 'Write a number from 0.',
  copyCommand: 'Copy command',
  replace: 'Replace',
  runsCount: (count: number) => plural(count, 'run'),
  drawing: 'Counting, then drawing 10,000 samples',
  scores: 'Scores',
  chooseScores: 'Scores and margins',
  chooseScoresReason: 'Every score and run that is shown counts as a test, which Holm’s correction makes stricter.',
  sameWithin: 'Same within',
  lower: 'Lower is better',
  pointsHint: 'For a share of rows, 0.04 is 4 points. 0: only equal scores are the same.',
  unit: (kind: 'rate' | 'mean', lower: boolean) =>
    `${kind === 'rate' ? 'share of rows, ± points' : 'mean of rows'}${lower ? ', lower is better' : ''}`,
  measureUnit: (name: string) => `${name === 'cost' ? 'dollars a row' : 'seconds a row'}, lower is better`,
  notScored: ({
    missing_rows: missing,
    failed_rows: failed,
    unscored_rows: unscored,
  }: {
    missing_rows: number
    failed_rows: number
    unscored_rows: number
  }) =>
    [
      failed > 0 && `${formatCount(failed)} failed`,
      unscored > 0 && `${formatCount(unscored)} unscored`,
      missing > 0 && `${formatCount(missing)} missing`,
    ]
      .filter(Boolean)
      .join(', '),
  unpaired: (count: number) => `${formatCount(count)} without a pair`,
  unpairedTip: (letter: string) =>
    `${letter} has no score in these rows: they count in the score of this run, not in the difference.`,
  verdictTip: (tests: number) =>
    `The interval is for this comparison alone; the word is for all ${tests} on this page, by Holm’s correction.`,
  otherVersion: (index: number | null) => (index === null ? 'other version' : `v${index}`),
  noPair: 'no pair',
  strip: (letter: string) => `Difference of ${letter} with its interval`,
  methods: (resamples: number, tests: number) =>
    `95% intervals: Wilson for rates, bootstrap (${formatCount(resamples)}, fixed seed) for means and differences. ` +
    `p: McNemar exact or bootstrap, Holm over ${tests}.`,
  sameIs: 'Same: inside the grey margin.',
  change: 'Change',
  against: (score: string) => `${score} against`,
  axis: 'What the score is set against',
  cost: 'cost',
  latency: 'latency',
  noFrontier: (axis: string) => `Two runs with a known ${axis} are needed for this drawing.`,
  frontier: (points: string) => `Runs by score and price: ${points}`,
  frontierNote: (axis: string, lower: boolean) =>
    `Mean ${axis} of a row${lower ? ', lower scores are better' : ''}. Dashed: frontier.`,
  dominated: (letter: string) => `behind ${letter}`,
  rows: 'Rows',
  show: {
    all: 'All',
    changed: 'Changed',
    regressions: 'Regressions',
    incomplete: 'Failed or unscored',
    disagreement: 'Disagreement',
  },
  showLabel: 'Rows that are shown',
  sort: {
    row: 'As run',
    loss: 'Largest loss first',
    gain: 'Largest gain first',
    difference: 'Largest difference first',
    value: 'Lowest score first',
  },
  sortLabel: 'Order of the rows',
  rowsBy: 'Score that rows are compared by',
  filter: 'Filter the rows',
  filterHint: 'tag = cabin-change, price > 2, or words',
  slice: (rows: number, regressions: number) =>
    `${plural(formatCount(rows), 'row')}, ${plural(formatCount(regressions), 'regression')}`,
  changes: (letter: string) => `Changes against ${letter}`,
  rowInput: 'Row, input',
  sliceBy: 'Score by',
  noSlice: 'no column',
  slices: 'Score by slice',
  sliceRows: 'rows',
  average: (text: string, rows: number) => `${text}, n ${formatCount(rows)}`,
  won: 'won',
  lost: 'lost',
  notInRun: 'not in this run',
  failedCell: 'failed',
  unscored: 'unscored',
  expand: (number: number) => `Row ${number}`,
  expected: 'expected',
  both: 'Trace of A',
  trace: (id: string) => `trace ${id}`,
  sameText: (letter: string) => `same text as ${letter}`,
  noMarks: 'under half in common, no marks',
  noOutput: 'No output.',
  more: 'Only the first 4 KB. The trace has all of it.',
  trialOf: (count: number) => `first of ${plural(count, 'trial')}`,
  noneMatch: 'No rows match.',
  noneMatchReason: 'The filter or the choice above leaves none.',
  showAll: 'Show all rows',
  footRows: (shown: number, all: number) => `${formatCount(shown)} of ${plural(formatCount(all), 'row')}`,
  footLeftOut: (count: number) =>
    `${plural(formatCount(count), 'row is', 'rows are')} missing, failed or unscored in a run: ` +
    'left out of the pairs, never counted as 0',
  differing: {
    dataset: (parts: string, shared: number, all: number) =>
      `Different datasets: ${parts}. Verdicts are about rows that two runs share, not about either dataset: ` +
      `${formatCount(shared)} of ${plural(formatCount(all), 'row')} are in every run.`,
    scorer: (name: string, parts: string) =>
      `${name} has different versions: ${parts}. Its differences mix both changes.`,
    version: (letters: string, name: string, index: number | null, digest: string) =>
      `${letters} ${name} ${index === null ? digest : `v${index}`}`,
  },
  gone: (letters: string, count: number) =>
    `${letters} ${count === 1 ? 'is' : 'are'} not in this project: deleted, or of another one. ` +
    'The other runs are compared.',
  notBegun: (letters: string, count: number) =>
    `${letters} ${count === 1 ? 'has' : 'have'} no rows yet. The other runs are compared.`,
  running: (letters: string, count: number) =>
    `${letters} ${count === 1 ? 'is' : 'are'} still running: these are rows so far. ` +
    'The page reads them again at the end.',
  removeThese: 'Remove',
  trials: (count: number) => plural(count, 'trial'),
  actions: 'Actions',
  keys: {
    row: 'row',
    next: 'Next row',
    previous: 'Previous row',
    unfold: 'Unfold the row',
    unfoldShort: 'unfold',
    traces: 'Open the trace of the run with the largest change',
    tracesShort: 'trace',
    regressions: 'Only regressions',
    regressionsShort: 'regressions',
    filter: 'Filter the rows',
  },
} as const
