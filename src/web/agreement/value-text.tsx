import type { ReviewField } from '../review/fields.ts'
import { agreementText as words } from '../text/agreement.ts'
import { kindOf } from './judgements.ts'

/**
 * An answer in words.
 *
 * @param callId the first call of the item, where one of two is preferred
 */
export function valueText(field: ReviewField, value: unknown, callId?: string): string {
  const kind = kindOf(field)
  if (kind === 'preference' && typeof value === 'boolean') return value ? words.thisCall : words.otherCall
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (kind === 'preference' && callId !== undefined) return value === callId ? words.thisCall : words.otherCall
  if (typeof value === 'string') return value
  if (kind === 'several' && Array.isArray(value)) return value.join(', ') || '–'
  if (kind === 'spans' && Array.isArray(value)) return value.map(spanText).join(', ') || '–'
  return value === null || value === undefined ? '–' : JSON.stringify(value)
}

const spanText = (span: unknown): string => {
  if (typeof span !== 'object' || span === null) return String(span)
  const { text, label }: { readonly text?: unknown; readonly label?: unknown } = span
  return [label, typeof text === 'string' ? `“${text}”` : undefined].filter(Boolean).join(' ')
}

/** A coefficient with two places. */
export const coefficientText = (value: number): string =>
  value
    .toFixed(2)
    .replace(/^-0\.00$/, '0.00')
    .replace('-', '−')
