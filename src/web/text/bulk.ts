const counted = new Intl.NumberFormat('en')
const calls = (count: number): string => `${counted.format(count)} ${count === 1 ? 'row' : 'rows'}`

/** Words of what is done with several rows at once. */
export const bulkText = {
  label: 'Selected rows',
  selected: (count: string): string => `${count} selected`,
  queue: {
    word: 'Queue',
    title: (count: number): string => `Add ${calls(count)} to a queue`,
    label: 'Queue',
    newOne: 'A new queue',
    verb: 'Add to queue',
  },
  dataset: {
    word: 'Dataset',
    title: (count: number): string => `Add ${calls(count)} to a dataset`,
  },
  score: {
    word: 'Score',
    title: (count: number): string => `Score ${calls(count)}`,
    label: 'Scorer',
    hint: 'Runs on the server. Scores appear as feedback on the calls.',
    none: 'This project has no scorer. Store an object of a scorer class first.',
    verb: 'Score',
  },
  scoring: (count: number, scorer: string): string => `Scoring ${calls(count)} with “${scorer}”`,
  name: 'Name',
  queued: (count: number, name: string): string => `${calls(count)} added to “${name}”`,
  compare: 'Compare',
  compareSome: 'Select two to four rows to compare them.',
  export: 'Export',
  exportAll: 'Export all matches',
  formats: { csv: 'CSV', jsonl: 'JSON Lines', parquet: 'Parquet', arrow: 'Arrow' },
  delete: 'Delete',
  deleted: (noun: string): string => `${noun} deleted`,
  clear: 'Clear the selection',
  asSql: 'As SQL',
} as const
