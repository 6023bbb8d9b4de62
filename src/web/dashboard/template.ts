import { condition } from '../filter/expression.ts'
import { formatFilter } from '../filter/format-filter.ts'
import { boardText } from '../text/board.ts'
import { type Card, newCard } from './cards/board.ts'

/** Runs of the playground are no traffic. */
const noPlayground = formatFilter(condition('op_name', '!=', ['playground.completion']))

/** The overview as cards, to begin with. @param op name of an op; empty for all */
export function overviewCards(op: string): readonly Card[] {
  const filter = op === '' ? noPlayground : formatFilter(condition('op_name', '=', [op]))
  const rows = op === '' ? 'traces' : 'calls'
  const { template } = boardText
  const all = { filter }
  return [
    newCard({ title: template.latency, width: 5 }, { metric: 'p95', rows, ...all }),
    newCard({ title: template.traces, width: 4, shape: 'bars' }, { metric: 'calls', rows, ...all }),
    newCard({ title: template.errors, width: 3 }, { metric: 'error_rate', rows, ...all }),
    newCard({ title: template.cost, width: 6, shape: 'bars' }, { metric: 'cost', group: 'model', ...all }),
    newCard({ title: template.tokensIn, width: 3, shape: 'area' }, { metric: 'tokens_in', group: 'model', ...all }),
    newCard({ title: template.tokensOut, width: 3, shape: 'area' }, { metric: 'tokens_out', group: 'model', ...all }),
    newCard({ title: template.ops, width: 12, shape: 'table' }, { metric: 'p95', group: 'op', ...all }),
  ]
}
