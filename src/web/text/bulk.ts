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
    label: 'Dataset',
    newOne: 'A new dataset',
    verb: 'Add to dataset',
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
  collected: (added: number, replaced: number, name: string): string =>
    replaced === 0
      ? `${calls(added)} added to “${name}”`
      : added === 0
        ? `${calls(replaced)} of “${name}” replaced`
        : `${calls(added)} added to “${name}”, ${replaced} replaced`,
  openDataset: 'Open',
  into: 'Into',
  mapping: 'What fills the columns',
  columnName: (index: number): string => `Name of column ${index}`,
  valueFor: (column: string): string => `Value for ${column || 'the column'}`,
  leftEmpty: 'leave empty',
  moreColumns: 'New column',
  noValueHere: 'no value in this call',
  otherKind: (own: string, column: string): string => `${own}, column is ${column}`,
  callOf: (at: number, all: number): string => `call ${at} of ${all}`,
  previousCall: 'Previous call',
  nextCall: 'Next call',
  correct: (column: string): string => `${column}, corrected for this call`,
  asItWas: 'As it was',
  rowsTitle: 'Rows',
  rowStates: (added: number, there: number, none: number): string =>
    [`${added} new`, there > 0 && `${there} already there`, none > 0 && `${none} without a value`]
      .filter(Boolean)
      .join(', '),
  stateHead: 'State',
  states: { new: 'new', none: 'no value' },
  thereAt: (row: number): string => `row ${counted.format(row)} already`,
  already: 'Already there:',
  skip: 'Skip',
  replace: 'Replace',
  addAgain: 'Add again',
  keepsCall: 'Each row keeps the link to its call, in the column “call”.',
  comparedOnly: (most: number): string => `Equal rows are looked for in the first ${counted.format(most)}.`,
  addRows: (added: number, replaced: number, version: number | undefined): string => {
    const verb =
      replaced === 0
        ? `Add ${calls(added)}`
        : added === 0
          ? `Replace ${calls(replaced)}`
          : `Add ${calls(added)}, replace ${replaced}`
    return version === undefined ? verb : `${verb} as v${version}`
  },
  compare: 'Compare',
  compareSome: 'Select two to four rows to compare them.',
  export: 'Export',
  exportAll: 'Export all matches',
  formats: { csv: 'CSV', jsonl: 'JSON Lines', parquet: 'Parquet', arrow: 'Arrow' },
  delete: 'Delete',
  deleted: (noun: string): string => `${noun} deleted`,
  clear: 'Clear the selection',
} as const
