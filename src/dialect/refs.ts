import type { Dialect } from '../config.ts'
import { vocabularies } from './names.ts'

/** A ref taken apart: whose dialect its scheme is, whether its project is an internal id, and what follows the slashes. */
export interface RefScheme {
  readonly dialect: Dialect
  readonly isInternal: boolean
  readonly tail: string
}

const schemes = (['ext', 'weave'] as const).flatMap((dialect) => [
  { dialect, isInternal: false, scheme: vocabularies[dialect].refScheme },
  { dialect, isInternal: true, scheme: vocabularies[dialect].internalRefScheme },
])

/** Recognises a ref of either dialect (`ext:///entity/project/…`, `weave:///…`); undefined where `text` is none. */
export function findRefScheme(text: string): RefScheme | undefined {
  const found = schemes.find(({ scheme }) => text.startsWith(scheme))
  if (found === undefined) return undefined
  return { dialect: found.dialect, isInternal: found.isInternal, tail: text.slice(found.scheme.length) }
}

/** `ext:///…` of a ref of either dialect; text that is no ref comes back as it is. */
export const toNeutralRef = (text: string): string => toRefOf('ext', text)

/** `weave:///…` of a ref of either dialect; text that is no ref comes back as it is. */
export const toVendorRef = (text: string): string => toRefOf('weave', text)

/** The same ref with the scheme of `dialect`. */
export function toRefOf(dialect: Dialect, text: string): string {
  const found = findRefScheme(text)
  if (found === undefined) return text
  const { refScheme, internalRefScheme } = vocabularies[dialect]
  return (found.isInternal ? internalRefScheme : refScheme) + found.tail
}
