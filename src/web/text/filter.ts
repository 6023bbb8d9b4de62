import { plural } from './parts.ts'

/** Sentences of the filter bar. */
export const filterText = {
  label: 'Filter',
  placeholder: 'Filter by text or field',
  contains: 'contains',
  remove: (words: string): string => `Remove “${words}”`,
  edit: 'Edit',
  asText: 'Edit the filter as text',
  asChips: 'Show the filter as chips',
  clear: 'Clear the filter',
  suggestions: 'Suggestions',
  comparators: {
    '=': 'is',
    '!=': 'is not',
    '>': '>',
    '>=': '≥',
    '<': '<',
    '<=': '≤',
    contains: 'contains',
    'not contains': 'does not contain',
    'contains exactly': 'contains exactly',
    'has word': 'has the word',
    in: 'is one of',
    'not in': 'is none of',
    exists: 'exists',
    missing: 'is missing',
  },
  types: {
    string: 'text',
    number: 'number',
    boolean: 'true or false',
    object: 'object',
    array: 'list',
    null: 'null',
  },
  expected: (what: string, after: string, found: string): string =>
    `Expected ${what}${after === '' ? '' : ` after “${after}”`}, found ${found === '' ? 'the end' : `“${found}”`}.`,
  aNumber: 'a number',
  aTime: 'a time such as 2026-11-22T10:00Z',
  aStatus: 'ok, failed, error, running or “error inside”',
  failed: 'Failed',
  aValue: 'a value',
  aField: 'a field',
  aList: 'a list such as ("a", "b")',
  aComparator: 'an operator such as =, > or contains',
  aCondition: 'a condition',
  closing: 'a closing parenthesis',
  closingQuote: 'a closing quotation mark',
  unknownField: (name: string, similar: string | undefined): string =>
    `Unknown field “${name}”. ${
      similar === undefined
        ? 'Fields of your own begin with inputs, output, attributes or summary.'
        : `Did you mean “${similar}”?`
    }`,
  tooLong: (charactersMax: number): string => `The filter is longer than ${plural(charactersMax, 'character')}.`,
  tooDeep: 'The filter has too many nested parentheses.',
  extra: (found: string): string =>
    `“${found}” is not part of a condition. Put “and” or “or” before it, or put text in quotation marks.`,
}
