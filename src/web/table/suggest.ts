import { isKeyOf } from '../../lib/present.ts'
import { post } from '../api/client.ts'
import type { Suggestion } from '../components/controls/suggestions.tsx'
import { comparatorsOf, completionPlace, namedFieldsLike, writtenValue } from '../filter/completion.ts'
import { kindOfPath, nameOfPath, requestPath, statusWords } from '../filter/fields.ts'
import { formatField } from '../filter/format-filter.ts'
import { opName } from '../format/ids.ts'
import { formatShare, formatShort } from '../format/number.ts'
import { wholeOpName } from '../format/op-names.ts'
import { settled } from '../state/settled.ts'
import { filterText } from '../text/filter.ts'
import { readFields } from './use-fields.ts'

const shownMax = 50
const settleMs = 120
const durations = ['1s', '5s', '10s', '30s', '1m']

/** Suggests continuations of a filter: names immediately, values of the data as they arrive. */
export const suggesterFor =
  (projectId: string, rootsOnly: boolean) =>
  async (draft: string, signal: AbortSignal): Promise<readonly Suggestion[]> => {
    const { kind, prefix, from, path = '' } = completionPlace(draft)
    const as = (text: string, more: Partial<Suggestion> = {}): Suggestion => ({
      label: text,
      text: `${text} `,
      from,
      ...more,
    })
    switch (kind) {
      case 'joiner':
        return draft.trim() === '' || prefix !== '' ? [] : ['and', 'or'].map((word) => as(word))
      case 'comparator':
        return comparatorsOf(path)
          .filter((comparator) => comparator.startsWith(prefix))
          .map((comparator) => as(comparator, comparator === 'in' ? { text: 'in (' } : {}))
      case 'field':
        return await fieldsLike(projectId, rootsOnly, prefix, as)
      case 'value':
        return await valuesLike(projectId, rootsOnly, path, prefix, signal, as)
    }
  }

type As = (text: string, more?: Partial<Suggestion>) => Suggestion

async function fieldsLike(projectId: string, rootsOnly: boolean, prefix: string, as: As): Promise<Suggestion[]> {
  const named = namedFieldsLike(prefix).map((name) => as(name))
  const { fields } = await readFields(projectId, rootsOnly).catch(() => ({ fields: [] }))
  const wanted = prefix.toLowerCase()
  const found = fields
    .filter(({ path }) => path.toLowerCase().includes(wanted) && nameOfPath(path) === path)
    .map(({ path, types, share }) => {
      const [type = ''] = types
      const word = isKeyOf(filterText.types, type) ? filterText.types[type] : type
      return as(formatField({ path, isSize: false }), { type: word, amount: formatShare(share) })
    })
  return [...named, ...found].slice(0, shownMax)
}

async function valuesLike(
  projectId: string,
  rootsOnly: boolean,
  path: string,
  prefix: string,
  signal: AbortSignal,
  as: As,
): Promise<Suggestion[]> {
  const kind = kindOfPath(path)
  if (kind === 'status') {
    return Object.values(statusWords)
      .map((status) => writtenValue(path, status))
      .filter((word) => word.includes(prefix))
      .map((word) => as(word))
  }
  if (kind === 'duration') return durations.filter((word) => word.startsWith(prefix)).map((word) => as(word))
  if (kind === 'time' || kind === 'amount') return []
  await settled(settleMs, signal)
  const body = {
    project_id: projectId,
    path: requestPath(path, rootsOnly),
    limit: shownMax,
    ...(prefix !== '' && { prefix }),
    ...(rootsOnly && { filter: { trace_roots_only: true } }),
  }
  const { values } = await post<{ values: { value: unknown; count: number }[] }>('/calls/values', body, { signal })
  const counts = new Map<unknown, number>()
  for (const { value, count } of values) {
    const shown = kind === 'op' && typeof value === 'string' ? wholeOpName(opName(value)) : value
    counts.set(shown, (counts.get(shown) ?? 0) + count)
  }
  return [...counts]
    .filter(([value]) => value !== null && typeof value !== 'object')
    .map(([value, count]) => as(writtenValue(path, value), { amount: formatShort(count) }))
}
