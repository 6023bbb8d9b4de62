import { plural } from './parts.ts'

/** Words of the SQL console. */
export const sqlText = {
  note: (user: string) => `Read only, one statement, all projects · key ${user}`,
  refusedTitle: 'SQL needs an admin key',
  refusedReason:
    'A statement reads the rows of all projects. Sign in with an admin key for all projects (scope *). 403',
  run: 'Run',
  running: (seconds: string) => `Running, ${seconds}`,
  stop: 'Stop',
  noColumn: (name: string) => `No column “${name}” here. Nothing ran.`,
  stopped: 'Stopped. Nothing was returned.',
  tabs: {
    label: 'Statements of this browser',
    unnamed: (number: number) => `Statement ${number}`,
    menu: (label: string) => `Rename or close ${label}`,
    rename: 'Rename',
    save: 'Rename tab',
    close: 'Close',
    closed: (label: string) => `${label} closed`,
    add: 'New statement',
  },
  times: '$from and $to are the last 7 days here. A card of a dashboard has the range of its page.',
  history: 'History',
  noHistory: 'No statements yet',
  clearHistory: 'Clear the history of this browser',
  copyLink: 'Copy link',
  copied: 'Link copied. It has the statement, not the result.',
  statement: 'SQL statement',
  placeholder: 'select op_name, count(*) as calls from calls group by all order by calls desc',
  suggestions: 'Completions',
  schema: 'Tables and columns',
  readingSchema: 'Reading the tables',
  find: 'Find table or column',
  insert: (name: string) => `Insert ${name}`,
  notHere: 'Keys, sessions, secrets and settings are not tables here.',
  noneFound: 'No table or column has this name.',
  place: (line: number, column: number) => `Line ${line}, column ${column}`,
  use: (word: string) => `Use ${word}`,
  goTo: 'Go to the place',
  result: 'Result',
  stale: (time: string) => `of the statement before, ${time}`,
  changed: (time: string) => `of ${time}; the statement has changed`,
  shapes: { table: 'Table', chart: 'Chart', both: 'Both' },
  shape: 'Shape of the result',
  rows: (count: string, max: string) => `${count} of ${plural(max, 'row')}`,
  cut: (count: string) => `first ${plural(count, 'row')}, more exist`,
  seconds: (seconds: string, max: string) => `${seconds} of ${max} s`,
  memory: (megabytes: string, max: string) => `${megabytes} of ${max} MB`,
  read: (bytes: string, files: number) => `${bytes} read from ${plural(files, 'file')}`,
  export: 'Export',
  exportTitle: 'Export runs the statement again, for at most 10,000 rows',
  formats: { csv: 'CSV', jsonl: 'JSON Lines' },
  noRows: 'No rows',
  noRowsReason: 'The statement ran, and nothing matches it.',
  before: 'Nothing has run yet',
  beforeReason: 'Write a statement, or begin with one of these.',
  beforeRun: 'Run the statement to see its rows. Opening it did not run it.',
  examples: [
    {
      name: 'Calls, errors and p95 by op',
      statement: `select op_name,
       count(*) as calls,
       count(*) filter (where status = 'error') as errors,
       round(quantile_cont(latency_ms, 0.95)) as p95_ms
from calls
where started_at >= now() - interval 7 days
group by all
order by calls desc`,
    },
    {
      name: 'Tokens and cost by day and model',
      statement: `select date_trunc('day', started_at) as day,
       model,
       sum(total_tokens) as tokens,
       sum(cost) as cost_usd
from usage
group by all
order by day, model`,
    },
    {
      name: 'Newest errors',
      statement: `select project_id, started_at, op_name, exception
from calls
where exception is not null
order by started_at desc
limit 100`,
    },
  ],
  shown: 'The statement is in the address, the result is not',
  ends: 'A stopped statement ends within 1 s',
  chart: {
    kind: 'Kind of chart',
    lines: 'Line',
    bars: 'Bar',
    x: 'x',
    y: 'y',
    by: 'by',
    nothing: 'nothing',
    note: (rows: number, drawn: string) => `Drawn from the ${plural(rows, 'row')} of the table${drawn}.`,
    first: (shown: number, what: string) => `, the first ${shown} ${what}`,
    points: 'values of x',
    lines_: 'groups',
    impossible: 'A chart needs a column of numbers.',
    title: (y: string, x: string) => `${y} by ${x}`,
  },
  tooMany: 'Another statement is running. Try again in a few seconds.',
  keys: { run: 'run', fix: 'fix', next: 'go to the error', stop: 'stop', history: 'history', complete: 'complete' },
  asSql: {
    refused: (what: string) => `Not possible as SQL: ${what} has no exact equivalent there`,
    comment: (what: string) => `-- ${what}, as the table shows them`,
    traces: 'Traces',
    calls: 'Calls',
  },
} as const
