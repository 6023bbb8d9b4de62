import { plural } from './parts.ts'

const number = (count: number): string => count.toLocaleString('en')
const rows = (count: number): string => plural(number(count), 'row')

/** Words of the page on which calls become rows of a dataset. */
export const collectText = {
  title: 'Calls to a dataset',
  titleOf: (count: number): string => `${plural(number(count), 'call')} to a dataset`,
  back: 'Calls',
  reading: 'Reading the calls',
  none: 'No calls chosen',
  noneReason: 'Check calls in a list, or open a call, and press D.',
  gone: (count: number): string => `${plural(number(count), 'call')} no longer stored`,
  openCalls: 'Open the calls',
  readOnly: 'This key only reads, so it cannot add rows.',
  rowFor: 'One row for',
  eachCall: 'each call',
  eachThread: 'each thread',
  payload: 'Payload',
  callOf: (at: number, all: number): string => `${number(at)} of ${number(all)}`,
  previousCall: 'Previous call',
  nextCall: 'Next call',
  openTrace: 'Open its trace',
  into: 'Into',
  newDataset: 'A new dataset',
  name: 'Name',
  mapping: 'What fills the columns',
  fill: (column: string): string => `Fill ${column || 'the column'} with a click`,
  fillTip: 'Then click a value of the payload',
  fillHint: (column: string): string => `click: ${column || 'the column'}`,
  addHint: (column: string): string => `click: new column ${column}`,
  columnName: (index: number): string => `Name of column ${index}`,
  newColumn: 'new column',
  valueFor: (column: string): string => `Value for ${column || 'the column'}`,
  leftEmpty: 'leave empty',
  clickOne: 'click a value, or choose',
  unmap: (column: string): string => `Leave ${column} empty`,
  removeColumn: (column: string): string => `Remove ${column || 'the column'}`,
  moreColumns: 'New column',
  remembered: (op: string): string => `Remembered for ${op}`,
  startAgain: 'Start again',
  noValueHere: 'no value in this call',
  otherKind: (own: string, column: string): string => `${own}, column is ${column}`,
  correct: (column: string): string => `${column}, corrected for this call`,
  corrected: 'corrected',
  noOutput: 'The call has no output. What should it have said?',
  difference: 'What the correction changes',
  asItWas: 'As it was',
  rowsTitle: 'Rows',
  rowStates: (added: number, there: number, none: number): string =>
    [
      `${number(added)} new`,
      there > 0 && `${number(there)} already there`,
      none > 0 && `${number(none)} without a value`,
    ]
      .filter(Boolean)
      .join(', '),
  callHead: 'Call',
  stateHead: 'State',
  states: { new: 'new', none: 'no value' },
  thereAt: (row: number): string => `row ${number(row)} already`,
  already: 'Already there',
  skip: 'Skip',
  replace: 'Replace',
  addAgain: 'Add again',
  moreRows: (count: number): string => `${number(count)} more`,
  keepsCall: 'Each row keeps the link to its call, in the column “call”.',
  comparedOnly: (most: number): string => `Equal rows are looked for in the first ${number(most)}.`,
  add: 'Add rows',
  addRows: (added: number, replaced: number, version: number | undefined): string => {
    const verb =
      replaced === 0
        ? `Add ${rows(added)}`
        : added === 0
          ? `Replace ${rows(replaced)}`
          : `Add ${rows(added)}, replace ${number(replaced)}`
    return version === undefined ? verb : `${verb} as v${version}`
  },
  done: (added: number, replaced: number, name: string): string =>
    replaced === 0
      ? `${rows(added)} added to “${name}”`
      : added === 0
        ? `${rows(replaced)} of “${name}” replaced`
        : `${rows(added)} added to “${name}”, ${number(replaced)} replaced`,
  openDataset: 'Open',
  keys: {
    column: 'Choose a column',
    columnShort: 'column',
    map: 'map the value',
    call: 'call',
    add: 'Add the rows',
    addShort: 'add',
    leave: 'Choose no column',
  },
}
