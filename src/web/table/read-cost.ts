import { computed } from '@preact/signals'
import { remember, remembered } from '../state/preferences.ts'

/** What the server read to answer, in the words of its header: `3 of 77`, `at most 12`. */
export interface ReadCost {
  readonly files: string
  readonly groups: string
  readonly bytes: string
}

const name = 'read-cost'

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'

/** Whether the user wants to see what reading a table costs. */
export const asksForCost = computed(() => remembered(name, isFlag) ?? false)

export const setAsksForCost = (asks: boolean): void => remember(name, asks || undefined)

/** Undefined if the server did not say. */
export function readCostOf(headers: Headers): ReadCost | undefined {
  const timing = headers.get('server-timing') ?? ''
  const [files, groups, bytes] = ['files', 'groups', 'bytes'].map(
    (item) => new RegExp(`\\b${item};desc="([^"]*)"`).exec(timing)?.[1],
  )
  return files === undefined || groups === undefined || bytes === undefined ? undefined : { files, groups, bytes }
}
