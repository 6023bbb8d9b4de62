import { plural } from '../parts.ts'

const counted = new Intl.NumberFormat('en')

const leftOut = (same: number, missing: number): string =>
  [
    ...(same > 0 ? [`${plural(same, 'row')} with equal outputs`] : []),
    ...(missing > 0 ? [`${plural(missing, 'row')} without an output`] : []),
  ].join(' and ')

/** Texts of the dialog that makes a queue of pairs of outputs. */
export const pairsText = {
  action: 'Review pairs',
  title: 'Let people compare the outputs of two runs',
  reason:
    'Makes a queue with an item for each row. Reviewers say which of the two outputs is better; the order is ' +
    'shuffled and names of models are hidden.',
  first: 'First run',
  second: 'Second run',
  sameRun: 'Choose two different runs.',
  name: 'Name of the queue',
  nameUsual: 'Which output is better?',
  rows: (most: number) => `Rows, up to ${counted.format(most)}`,
  rowsHint: 'Drawn at random from the rows that are shown. Rows with equal outputs are left out.',
  badRows: (most: number) => `A number from 1 to ${counted.format(most)}`,
  reviewers: 'Reviewers for each pair',
  make: 'Make the queue',
  made: (added: number, same: number, missing: number) =>
    `${plural(added, 'pair')} to compare${same + missing > 0 ? `; left out: ${leftOut(same, missing)}` : ''}`,
  none: (same: number, missing: number) => `No pair to compare: ${leftOut(same, missing)}`,
} as const
