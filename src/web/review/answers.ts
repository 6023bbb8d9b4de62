import type { ReviewField } from './fields.ts'

/** What a reviewer has filled in, by the ref of the field. */
export type Answers = Readonly<Record<string, unknown>>

/** Fields that lack an answer. Texts may stay empty. */
export const missingIn = (fields: readonly ReviewField[], answers: Answers): readonly ReviewField[] =>
  fields.filter(({ ref, of }) => of.kind !== 'text' && of.kind !== 'several' && answers[ref] === undefined)

/** The answers to send, in the order of the form. */
export const givenOf = (fields: readonly ReviewField[], answers: Answers) =>
  fields.flatMap(({ ref, of }) => {
    const value = answers[ref] ?? (of.kind === 'several' ? [] : undefined)
    return value === undefined || value === '' ? [] : [{ annotation_ref: ref, value }]
  })

/** The answer that a digit gives to a field: its option with that number; undefined if none. */
export function answerOfDigit({ of }: ReviewField, digit: number, before: unknown): unknown {
  switch (of.kind) {
    case 'choice':
      return of.options[digit - 1]
    case 'several': {
      const option = of.options[digit - 1]
      return option === undefined ? undefined : toggled(of.options, before, option)
    }
    case 'scale': {
      const value = of.low + digit - 1
      return value <= of.high ? value : undefined
    }
    default:
      return undefined
  }
}

/** A choice of several with one more or fewer, in the order of the options. */
export function toggled(options: readonly string[], before: unknown, option: string): readonly string[] {
  const chosen = new Set(Array.isArray(before) ? before : [])
  if (!chosen.delete(option)) chosen.add(option)
  return options.filter((each) => chosen.has(each))
}
