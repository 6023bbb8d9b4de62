import { list, text, type Values } from '../state/search-text.ts'

/**
 * Ids of traces or calls in the address of a comparison: `?ids=1f2e,3d4c`, or one parameter each,
 * `?a=1f2e&b=3d4c`, as people write it by hand.
 */
export const sidesUrl = { ids: list(), a: text(), b: text(), c: text(), d: text() }

/** The ids that an address names, each once, in the order of their letters. */
export const idsOf = ({ ids, a, b, c, d }: Values<typeof sidesUrl>): string[] => [
  ...new Set([...ids, a, b, c, d].map((id) => id.trim()).filter((id) => id !== '')),
]

/** Changes to the address after which it names these and no others. */
export const onlyIds = (ids: readonly string[]): Values<typeof sidesUrl> => ({ ids, a: '', b: '', c: '', d: '' })
