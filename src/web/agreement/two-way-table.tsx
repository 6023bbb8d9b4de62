import { useMemo } from 'preact/hooks'
import { formatCount } from '../format/number.ts'
import type { ReviewField } from '../review/fields.ts'
import { agreementText as words } from '../text/agreement.ts'
import css from './agreement-panel.module.css'
import type { Ratings, Value } from './coefficients.ts'
import { valueText } from './value-text.tsx'

/** More kinds of answers make no table that anybody reads. */
const kindsMax = 8

/** How often the first and the second answer to a question go together. */
export function TwoWayTable({ field, ratings }: { field: ReviewField; ratings: readonly Ratings[] }) {
  const { kinds, counts, items } = useMemo(() => countPairs(field, ratings), [field, ratings])
  if (items === 0 || kinds.length > kindsMax) return null
  const count = (a: Value, b: Value): number => counts.get(keyOf(a, b)) ?? 0
  const equal = kinds.reduce<number>((sum, kind) => sum + count(kind, kind), 0)
  return (
    <>
      <h2 class={css.title}>
        <span dir="auto">{field.name}</span> <small>{words.equalOf(equal, items)}</small>
      </h2>
      <div class={css.box}>
        <table class={css.table} aria-label={words.twoWay}>
          <thead>
            <tr>
              <th scope="col">{words.firstSecond}</th>
              {kinds.map((kind) => (
                <th key={String(kind)} scope="col" dir="auto">
                  {valueText(field, kind)}
                </th>
              ))}
              <th scope="col">{words.sum}</th>
            </tr>
          </thead>
          <tbody>
            {kinds.map((first) => (
              <tr key={String(first)}>
                <th scope="row" dir="auto">
                  {valueText(field, first)}
                </th>
                {kinds.map((second) => (
                  <td key={String(second)} class={first !== second && count(first, second) > 0 ? css.apart : undefined}>
                    {formatCount(count(first, second))}
                  </td>
                ))}
                <td>{formatCount(kinds.reduce<number>((sum, second) => sum + count(first, second), 0))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const keyOf = (a: Value, b: Value): string => JSON.stringify([a, b])

/** Counts the first two answers to each item, by person. */
function countPairs({ of }: ReviewField, ratings: readonly Ratings[]) {
  const counts = new Map<string, number>()
  const seen = new Set<Value>()
  let items = 0
  for (const unit of ratings) {
    const [a, b] = [...unit].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value)
    if (a === undefined || b === undefined) continue
    items += 1
    seen.add(a).add(b)
    counts.set(keyOf(a, b), (counts.get(keyOf(a, b)) ?? 0) + 1)
  }
  const options: readonly Value[] = of.kind === 'choice' ? of.options : [true, false]
  const known = options.filter((each) => seen.has(each))
  const others = [...seen].filter((each) => !known.includes(each))
  others.sort((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1))
  return { kinds: [...known, ...others], counts, items }
}
