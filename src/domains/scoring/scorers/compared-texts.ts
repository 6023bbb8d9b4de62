import { type Static, Type } from '@sinclair/typebox'
import { DomainError } from '../../../lib/errors.ts'
import { isJsonObject, isRawNumber } from '../../../lib/json-value.ts'
import { jsonIn } from '../../../lib/judge-answer.ts'
import { type ScoredExample, withDefault } from './scorer.ts'

/** Fields of scorers that look at one part of the output. */
export const outputFields = {
  output_path: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      default: null,
      description:
        'Dotted path of keys and indexes into an output that is JSON or JSON text; the whole output if omitted',
    }),
  ),
}

/** Fields of scorers that compare the output with a dataset column. */
export const comparisonFields = {
  ...outputFields,
  expected_column: withDefault(
    Type.String({ description: 'Dataset column, or path into one, with the expected value' }),
    'expected',
  ),
}

const OutputFields = Type.Object(outputFields)
const ComparisonFields = Type.Object(comparisonFields)

export const outputOf = ({ output_path }: Static<typeof OutputFields>, { output }: ScoredExample): unknown =>
  output_path == null || output_path === '' ? output : valueAt(parsedOutput(output), output_path)

/** @throws DomainError InvalidRequest if the row does not have the column */
export function expectedOf(
  { expected_column: column }: Static<typeof ComparisonFields>,
  { inputs }: ScoredExample,
): unknown {
  const expected = Object.hasOwn(inputs, column) ? inputs[column] : valueAt(inputs, column)
  if (expected !== undefined) return expected
  throw new DomainError('InvalidRequest', `The dataset row has no column "${column}" to compare the output with`)
}

/** Whether a value is a JSON number, including numbers that JavaScript would print differently. */
export const isNumber = (value: unknown): boolean => typeof value === 'number' || isRawNumber(value)

/**
 * Whether two values are the same number in any notation; one of them must be a number, the other
 * may be text.
 */
export function areSameNumber(one: unknown, other: unknown): boolean {
  if (!isNumber(one) && !isNumber(other)) return false
  const [a, b] = [textOf(one), textOf(other)]
  // Beyond 2^53 distinct integers round to the same double, so the digits are compared.
  return numberForm.test(a) && numberForm.test(b) && Number(a) === Number(b) && Math.abs(Number(a)) <= 2 ** 53
}

const numberForm = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A value as text to compare: text as is, empty text for null or undefined, JSON otherwise. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

/**
 * Text without insignificant differences: Unicode compatibility form (NFKC), lower case, no
 * punctuation, single spaces.
 */
export const normalisedText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()

/** The value at a dotted path (`choices.0.text`) in a JSON value; undefined if there is none. */
function valueAt(value: unknown, path: string): unknown {
  let here = value
  for (const segment of path.split('.')) {
    if (typeof here !== 'object' || here === null || isRawNumber(here) || !Object.hasOwn(here, segment))
      return undefined
    here = Reflect.get(here, segment)
  }
  return here
}

/** The JSON object or array that `output` is or contains as text, if any. */
export function parsedOutput(output: unknown): object | undefined {
  if (Array.isArray(output) || isJsonObject(output)) return output
  return typeof output === 'string' ? jsonIn(output) : undefined
}
