import { plural } from './parts.ts'

const counted = new Intl.NumberFormat('en')

const many = (count: number, one: string, more = `${one}s`): string =>
  `${counted.format(count)} ${count === 1 ? one : more}`

/** The unit of a count in words: `file` after `1 of 1`, `files` after `at most 12`. */
const unitOf = (count: string, one: string): string => (/\b1$/.test(count) ? one : `${one}s`)

/** `in the last 24 hours`, `from 21 Nov, 14:12 – 22 Nov, 14:12` */
const inRange = (range: string): string =>
  range === 'All time' ? 'in all' : range.startsWith('Last ') ? `in the l${range.slice(1)}` : `from ${range}`

/** Words of tables of traces and calls. */
export const tableText = {
  errorInside: (error: string) => `Error inside: ${error}`,
  traces: 'Traces',
  calls: 'Calls',
  columns: {
    status: 'Status',
    op: 'Operation',
    input: 'Input',
    output: 'Output',
    latency: 'Latency',
    tokens: 'Tokens',
    cost: 'Cost',
    model: 'Model',
    feedback: 'Feedback',
    thread: 'Thread',
    user: 'User',
    name: 'Name',
    started: 'Started',
  },
  running: 'running',
  slow: 'slower than 95% of the rows here',
  select: (name: string): string => `Select ${name}`,
  selectAll: 'Select all rows',
  resize: (column: string): string => `Width of ${column}`,
  tokensTip: (input: string, cached: string, output: string): string =>
    `${input} in, of which ${cached} cached, and ${output} out`,
  tokens: (count: string): string => plural(count, 'token'),
  columnsButton: 'Columns',
  columnsLabel: 'Columns of the table',
  columnsReset: 'Default columns',
  addColumn: 'Add a column',
  findField: 'inputs.user.tier',
  noFields: 'No fields of that name in these calls.',
  pin: (column: string): string => `Keep ${column} at the left`,
  unpin: (column: string): string => `Let ${column} scroll`,
  moveUp: (column: string): string => `Move ${column} to the left`,
  moveDown: (column: string): string => `Move ${column} to the right`,
  density: 'Rows',
  densities: { compact: 'Compact', default: 'Default', roomy: 'Roomy' },
  live: 'Live',
  liveTip: 'Show new ones as they arrive',
  liveOffTip: 'Stop showing new ones',
  arrived: (count: number, rootsOnly: boolean): string => `${many(count, rootsOnly ? 'new trace' : 'new call')}`,
  mayHaveArrived: (rootsOnly: boolean): string => `There may be new ${rootsOnly ? 'traces' : 'calls'}`,
  show: 'Show',
  loaded: (loaded: number, total: string | undefined): string =>
    total === undefined ? `${counted.format(loaded)} loaded` : `${counted.format(loaded)} of ${total} loaded`,
  costTip: 'Cost of reading the first page',
  cost: (files: string, groups: string, bytes: string): string =>
    `${files} ${unitOf(files, 'file')} · ${groups} ${unitOf(groups, 'row group')} · ${bytes} read`,
  searched: (engine: string, time: string, reason: string): string =>
    ` · ${engine === 'clickhouse' ? `${time} in ClickHouse` : 'in DuckDB'}: ${reason}`,
  keys: { move: 'move', select: 'select', open: 'open', filter: 'filter' },
  keyWords: {
    down: 'Next row',
    up: 'Previous row',
    select: 'Select the row',
    open: 'Open the row',
    filter: 'Filter',
    cell: 'Filter by a value of the row',
    news: 'Show what is new',
    clear: 'Clear the selection',
  },
  readingRows: (range: string): string => `Reading ${range.toLowerCase()}`,
  noValue: (column: string): string => `No ${column}`,
  noneMatch: (rootsOnly: boolean): string => `No ${rootsOnly ? 'traces' : 'calls'} match`,
  noneIn: (total: string, range: string): string => `0 of ${total} ${inRange(range)}.`,
  noneInRange: (range: string): string => `Nothing ${inRange(range)}.`,
  leavesNone: (field: string): string => `No row passes the filter on ${field}.`,
  removeCondition: (condition: string): string => `Remove “${condition}”`,
  allTime: 'Look at all time',
  empty: 'No traces yet',
  emptyReason: 'Traces appear here as soon as a client sends them.',
  emptyAction: 'Send your first trace',
  badFilter: 'The filter cannot be read',
  moreFailed: 'The next rows could not be read.',
  onlyThis: (words: string): string => `Only ${words}`,
  notThis: (words: string): string => `Not ${words}`,
  copyValue: 'Copy value',
  openTrace: 'Open the trace',
  cellMenu: (column: string): string => `Filter by ${column}`,
  rowsMax: (count: number): string => `The table shows ${many(count, 'row')}. Use a filter to find others.`,
  notes: (count: number): string => many(count, 'note'),
  kindOfRows: (rootsOnly: boolean, count: number): string => many(count, rootsOnly ? 'trace' : 'call'),
} as const
