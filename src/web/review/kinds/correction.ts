import { parseExactly } from '../../api/exact-json.ts'

/** What the output should have been, as it is typed. */
export interface Correction {
  readonly text: string
  /** Whether the text is JSON; otherwise it is the value itself. */
  readonly isJson: boolean
}

/** A stored correction as it is edited. */
export const correctionOf = (value: unknown): Correction =>
  typeof value === 'string' ? { text: value, isJson: false } : { text: JSON.stringify(value, null, 2), isJson: true }

/** Whether a correction can be stored; one that is not given can. */
export function isWhole(correction: Correction | undefined): boolean {
  if (correction === undefined || !correction.isJson) return true
  try {
    parseExactly(correction.text)
    return true
  } catch {
    return false
  }
}

/** What is stored of a correction: a value of the type of the output; numbers keep their digits. */
export const storedCorrection = ({ text, isJson }: Correction): unknown => (isJson ? parseExactly(text) : text)
