import { useMemo } from 'preact/hooks'
import { agreementText as words } from '../text/agreement.ts'
import { type Agreement, agreementOfPair } from './agreement.ts'
import css from './agreement-panel.module.css'
import type { Metric, Ratings } from './coefficients.ts'
import { coefficientText } from './value-text.tsx'

/** The people with most answers; each pair costs a bootstrap. */
const peopleMax = 6

interface PairMatrixProps {
  readonly ratings: readonly Ratings[]
  readonly metric: Metric
  readonly nameOf: (userId: string) => string
}

/** How much each pair of people agrees on a question. */
export function PairMatrix({ ratings, metric, nameOf }: PairMatrixProps) {
  const { people, figures } = useMemo(() => pairsIn(ratings, metric), [ratings, metric])
  if (people.length < 2) return null
  return (
    <>
      <h2 class={css.title}>
        {words.pairs} <small>{words.pairsAbout}</small>
      </h2>
      <div class={css.box}>
        <table class={css.table} aria-label={words.pairs}>
          <thead>
            <tr>
              <th />
              {people.slice(1).map((person) => (
                <th key={person} scope="col" dir="auto">
                  {nameOf(person)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {people.slice(0, -1).map((first, row) => (
              <tr key={first}>
                <th scope="row" dir="auto">
                  {nameOf(first)}
                </th>
                {people.slice(1).map((second, column) => {
                  const figure = column < row ? undefined : figures.get(pairKey(first, second))
                  return <td key={second}>{figure && figure.items > 0 && <Figure figure={figure} />}</td>
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const Figure = ({ figure: { value, items, interval } }: { figure: Agreement }) => (
  <>
    <b>{value === undefined ? '–' : coefficientText(value)}</b> {words.countOf(items)}
    <small>
      {interval
        ? words.range(coefficientText(interval[0]), coefficientText(interval[1]))
        : value === undefined && words.tooFew(items)}
    </small>
  </>
)

const pairKey = (first: string, second: string): string => `${first}\n${second}`

function pairsIn(ratings: readonly Ratings[], metric: Metric) {
  const counts = new Map<string, number>()
  for (const unit of ratings) for (const person of unit.keys()) counts.set(person, (counts.get(person) ?? 0) + 1)
  const people = [...counts]
    .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, peopleMax)
    .map(([person]) => person)
  const figures = new Map<string, Agreement>()
  for (const [index, first] of people.entries())
    for (const second of people.slice(index + 1))
      figures.set(pairKey(first, second), agreementOfPair(ratings, [first, second], metric))
  return { people, figures }
}
