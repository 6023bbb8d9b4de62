import { plural } from '../text/parts.ts'

const number = (count: number): string => count.toLocaleString('en')
const rows = (count: number): string => plural(number(count), 'row')

const formats = { csv: 'CSV', jsonl: 'JSON Lines', parquet: 'Parquet' } as const
const delimiters: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' }

/** Words of importing a file, loaded with its dialog only. */
export const importText = {
  titleNew: 'Import a file as a new dataset',
  title: (name: string) => `Import a file into ${name}`,
  cancel: 'Cancel',
  verb: (count: number | undefined) => (count === undefined ? 'Import' : `Import ${rows(count)}`),
  file: 'File',
  formats: 'CSV, JSON Lines or Parquet. Nothing is written before you have seen how the file is read.',
  reading: 'Reading the file…',
  importing: 'Importing… If you close this, nothing is written.',
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
  faultsMore: (count: number) => `and ${number(count)} more`,
  place: (line: number, column: string | null) =>
    column === null ? `Line ${number(line)}` : `Line ${number(line)}, column ${column}`,
  wholeFile: 'The file',
  name: 'Name of the dataset',
  where: 'Where the rows go',
  append: 'After the rows',
  replace: 'In place of the rows',
  skipEqual: 'Skip rows that are already there',
  done: (count: number, name: string, version: number, skipped: number) =>
    `${rows(count)} imported into ${name} as v${version}${skipped === 0 ? '' : `, ${number(skipped)} skipped`}`,
}

interface ReadAs {
  readonly format: keyof typeof formats
  readonly encoding: string | null
  readonly delimiter: string | null
  readonly header: boolean | null
  readonly rows_read: number
  readonly is_whole: boolean
}
