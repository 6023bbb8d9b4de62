import { formatCount } from '../format/number.ts'
import { judgeCheckText as words } from '../text/evaluation/judge-check.ts'
import type { JudgeCheckFigures } from './check-data.ts'
import css from './matrix.module.css'

interface MatrixProps {
  readonly check: JudgeCheckFigures
  /** Classes of the people and of the judge. */
  readonly cell: readonly string[]
  readonly onCell: (cell: readonly string[]) => void
}

/** The confusion matrix: people in rows, the judge in columns. A cell shows its trials. */
export function Matrix({ check, cell, onCell }: MatrixProps) {
  const { classes, matrix, pair_count: pairs } = check
  const [human, judge] = cell
  return (
    <div class={css.box}>
      <table class={css.table} aria-label={words.matrix}>
        <thead>
          <tr>
            <td />
            <th scope="colgroup" colSpan={classes.length} class={css.side}>
              {words.judgeSays}
            </th>
            <td />
          </tr>
          <tr>
            <th scope="col" class={css.side}>
              {words.peopleSay}
            </th>
            {classes.map((name) => (
              <th key={name} scope="col" dir="auto">
                {name}
              </th>
            ))}
            <th scope="col" class={css.total}>
              {words.total}
            </th>
          </tr>
        </thead>
        <tbody>
          {classes.map((ofHuman, row) => (
            <tr key={ofHuman}>
              <th scope="row" dir="auto">
                {ofHuman}
              </th>
              {classes.map((ofJudge, column) => {
                const count = matrix[row]?.[column] ?? 0
                const isCurrent = human === ofHuman && judge === ofJudge
                return (
                  <td key={ofJudge}>
                    <button
                      type="button"
                      class={row === column ? css.agreed : css.cell}
                      style={{ '--share': pairs === 0 ? 0 : count / pairs }}
                      aria-pressed={isCurrent}
                      aria-label={words.cell(ofHuman, ofJudge, count)}
                      onClick={() => onCell(isCurrent ? [] : [ofHuman, ofJudge])}
                    >
                      {formatCount(count)}
                    </button>
                  </td>
                )
              })}
              <td class={css.total}>{formatCount((matrix[row] ?? []).reduce((sum, each) => sum + each, 0))}</td>
            </tr>
          ))}
          <tr>
            <th scope="row" class={css.total}>
              {words.total}
            </th>
            {classes.map((name, column) => (
              <td key={name} class={css.total}>
                {formatCount(matrix.reduce((sum, row) => sum + (row[column] ?? 0), 0))}
              </td>
            ))}
            <td class={css.total}>{formatCount(pairs)}</td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}
