import { plural } from './parts.ts'

const number = (count: number): string => count.toLocaleString('en')
const rows = (count: number): string => plural(number(count), 'row')
const lines = (count: number): string => plural(number(count), 'line')

const formats = { csv: 'CSV', jsonl: 'JSON Lines', parquet: 'Parquet' } as const
const delimiters: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' }

/** Words of the page that imports a file. */
export const importText = {
  titleNew: 'Import a file',
  back: 'Datasets',
  readOnly: 'This key only reads, so it cannot import.',
  openList: 'Open the list of datasets',
  noSuch: (name: string) => `No dataset “${name}”: the file becomes a new one`,
  title: (name: string) => `Import a file into ${name}`,
  beforeImport: 'Nothing is written before you press Import.',
  verb: (count: number | undefined) => (count === undefined ? 'Import' : `Import ${rows(count)}`),
  file: 'File',
  formats: 'CSV, JSON Lines or Parquet.',
  drop: 'Choose a file, or drop it here',
  dropReason: 'Its rows, columns and types are shown first; every type can be corrected before the import.',
  reading: 'Reading the file…',
  sending: (percent: number) => `Sending the file, ${percent} %. Nothing is written before all of it is read.`,
  storing: 'Reading and storing the rows. If you leave the page, nothing is written.',
  cancelled: 'Cancelled.',
  stop: 'Stop the import',
  raw: 'The first lines as they are',
  howRead: 'How the file is read',
  format: 'Format',
  formatNames: formats,
  separator: 'Separator',
  delimiterName: (delimiter: string) => delimiters[delimiter] ?? `“${delimiter}”`,
  encoding: 'Text encoding',
  firstLine: 'First line',
  names: 'names of columns',
  aRow: 'a row',
  emptyCell: 'An empty cell becomes',
  empties: { null: 'null', absent: 'no member', text: 'an empty text' },
  readAsText: (column: string) => `Read ${column} as text`,
  intoAppend: (name: string, version: number, count: number | undefined) =>
    `Add to ${name} v${version}${count === undefined ? '' : `, ${rows(count)}`}`,
  intoReplace: (name: string) => `Replace all rows of ${name}`,
  intoNew: 'A new dataset',
  readAs: ({ format, encoding, delimiter, header, rows_read, is_whole }: ReadAs) =>
    [
      formats[format],
      ...(delimiter === null ? [] : [`separated by ${delimiters[delimiter] ?? `“${delimiter}”`}`]),
      ...(encoding === null ? [] : [encoding.toUpperCase()]),
      ...(header === null ? [] : [header ? 'names in the first line' : 'no names']),
      is_whole ? rows(rows_read) : `types from the first ${rows(rows_read)}`,
    ].join(', '),
  nothingWritten: 'Nothing was written.',
  conflict: 'Another version was saved meanwhile: open the latest one and import again.',
  preview: 'The first rows of the file',
  line: 'Line',
  empty: 'empty',
  typeOf: (column: string) => `Type of ${column}`,
  types: {
    text: 'text',
    number: 'number',
    boolean: 'boolean',
    json: 'JSON',
    messages: 'messages',
    auto: 'as in the file',
  },
  leaveOut: 'leave out',
  faults: (count: number) => `${plural(number(count), 'fault')}: the file is not imported`,
  faultsLabel: 'Faults of the file',
  correct: (line: number, column: string) => `Another value for line ${number(line)}, column ${column}`,
  correctHint: 'Another value',
  correctionsUnread: (count: number) =>
    `${plural(number(count), 'value')} corrected. Press Import to read the file with ${count === 1 ? 'it' : 'them'}.`,
  leaveOutLines: (count: number) => `Leave out the ${lines(count)} with faults and import the others`,
  verbWithout: (count: number) => `Import without ${lines(count)}`,
  again: (fileName: string) =>
    `A browser cannot keep a file: choose “${fileName}” again, and what you chose for it is there.`,
  forget: 'Forget it',
  faultsMore: (count: number) => `and ${number(count)} more`,
  place: (line: number, column: string | null) =>
    column === null ? `Line ${number(line)}` : `Line ${number(line)}, column ${column}`,
  name: 'Name of the dataset',
  where: 'Where the rows go',
  skipEqual: 'Skip rows that are already there',
  done: ({ added, version_index, skipped, left_out }: Done, name: string) =>
    [
      `${rows(added)} imported into ${name} as v${version_index}`,
      ...(skipped === 0 ? [] : [`${number(skipped)} skipped`]),
      ...(left_out === 0 ? [] : [`${lines(left_out)} left out`]),
    ].join(', '),
}

interface Done {
  readonly added: number
  readonly version_index: number
  readonly skipped: number
  readonly left_out: number
}

interface ReadAs {
  readonly format: keyof typeof formats
  readonly encoding: string | null
  readonly delimiter: string | null
  readonly header: boolean | null
  readonly rows_read: number
  readonly is_whole: boolean
}
