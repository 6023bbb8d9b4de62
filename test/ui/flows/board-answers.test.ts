import { beforeAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { metrics } from '../../../src/web/dashboard/cards/board.ts'
import { formatsOf } from '../../../src/web/dashboard/cards/card-data.ts'
import { createCosts, price } from '../../conformance/support/costs.ts'
import { callRef, giveFeedback } from '../../conformance/support/feedback.ts'
import { Project } from '../../conformance/support/project.ts'
import { boardContent, storedCard } from '../support/seed-boards.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
let project: Project
const filter = 'latency > 300'
const statement = (id: string) =>
  `select op_name, count(*) as calls from calls where project_id = '${id}' and started_at >= $from and started_at < $to
   group by all order by all`

beforeAll(async () => {
  world = await sharedWorld()
  project = new Project(world.server.client, 'acme', 'answered')
  await createCosts(project, {
    large: price({ effective_date: '2024-01-01' }),
    small: price({ effective_date: '2024-01-01' }),
  })
  const now = Date.now()
  await project.add(
    ...Array.from({ length: 36 }, (_, index) => ({
      id: `answered-${index}`,
      op_name: `op.${index % 4}`,
      started_at: new Date(now - (index + 1) * 3_600_000).toISOString(),
      ended_at: new Date(now - (index + 1) * 3_600_000 + 100 * (index + 1)).toISOString(),
      summary: {
        usage: { [index % 3 === 0 ? 'large' : 'small']: { prompt_tokens: 10 + index, completion_tokens: 2 } },
      },
      ...(index % 5 === 0 ? { exception: 'TimeoutError' } : {}),
    })),
  )
  for (let index = 0; index < 36; index += 4) {
    const payload = { output: { grade: index / 36 } }
    await giveFeedback(project, { ext_ref: callRef(project, `answered-${index}`), feedback_type: 'judge', payload })
  }
  const val = boardContent('Answered', [
    ...metrics.map((metric) =>
      storedCard(metric, {
        title: `Of ${metric}`,
        metric,
        score_path: 'output.grade',
        filter,
        shape: 'number',
        width: 3,
      }),
    ),
    storedCard('table', { title: 'By op', group_by: 'op', filter, shape: 'table' }),
    storedCard('bars', { title: 'By model', metric: 'tokens_in', group_by: 'model', filter, shape: 'bars' }),
    storedCard('line', { title: 'Failed', metric: 'errors', group_by: 'op', filter, shape: 'line' }),
    storedCard('sql', { title: 'Rows', statement: statement(project.id), shape: 'table' }),
  ])
  await project.client.post('/obj/create', { obj: { project_id: project.id, object_id: 'answered', val } })
}, 120_000)

interface Answered {
  readonly op_name: string
  readonly exception: string | null
  readonly summary: {
    readonly ext: { readonly latency_ms: number; readonly costs: Record<string, Record<string, number>> }
    readonly usage: Record<string, { readonly prompt_tokens: number; readonly completion_tokens: number }>
  }
}

/** The calls of the cards, as any client reads them. */
async function read(): Promise<Answered[]> {
  const query = { $expr: { $gt: [{ $getField: 'summary.ext.latency_ms' }, { $literal: 300 }] } }
  return (await project.query({ query, include_costs: true })) as unknown as Answered[]
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = share * (sorted.length - 1)
  const low = sorted[Math.floor(at)]!
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at))
}

async function answerTo(metric: (typeof metrics)[number], calls: readonly Answered[]): Promise<number> {
  const usage = calls.flatMap(({ summary }) => Object.values(summary.usage))
  const failed = calls.filter(({ exception }) => exception !== null).length
  switch (metric) {
    case 'calls':
      return calls.length
    case 'errors':
      return failed
    case 'error_rate':
      return failed / calls.length
    case 'tokens_in':
      return sum(usage.map(({ prompt_tokens }) => prompt_tokens))
    case 'tokens_out':
      return sum(usage.map(({ completion_tokens }) => completion_tokens))
    case 'cost':
      return sum(
        calls.flatMap(({ summary }) =>
          Object.values(summary.ext.costs).map(
            (cost) => (cost['prompt_tokens_total_cost'] ?? 0) + (cost['completion_tokens_total_cost'] ?? 0),
          ),
        ),
      )
    case 'score': {
      const ids = new Set((calls as unknown as { id: string }[]).map(({ id }) => id))
      const { json } = await project.client.post<{
        result: { ext_ref: string; payload: { output: { grade: number } } }[]
      }>('/feedback/query', { project_id: project.id })
      const grades = json.result.filter(({ ext_ref }) => ids.has(ext_ref.split('/').at(-1)!))
      return sum(grades.map(({ payload }) => payload.output.grade)) / grades.length
    }
    default:
      return percentile(
        calls.map(({ summary }) => summary.ext.latency_ms),
        Number(metric.slice(1)) / 100,
      )
  }
}

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true }).first()

/** What a card saves as CSV: its columns, without the times. */
async function columnsOf(page: Page, title: string): Promise<Map<string, number[]>> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByRole('button', { name: `Actions for ${title}`, exact: true }).click()
      await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
    })(),
  ])
  const [head = '', ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  const rows = lines.map((line) => line.split(','))
  return new Map(
    head
      .split(',')
      .slice(1)
      .map((name, at) => [name, rows.flatMap((row) => (row[at + 1] ? [Number(row[at + 1])] : []))]),
  )
}

test('every card of a dashboard shows what calls and feedback say over HTTP', async () => {
  const calls = await read()
  expect(calls.length).toBeGreaterThan(30)
  await world.visit(async (visit) => {
    const { page } = visit
    await page.setViewportSize({ width: 1440, height: 2_400 })
    await visit.goTo(`/ui/${project.id}/dashboards/answered`)
    for (const metric of metrics) {
      const shown = await card(page, `Of ${metric}`).getByRole('link').first().textContent()
      const { format } = formatsOf(metric)
      expect([metric, shown]).toEqual([metric, format(await answerTo(metric, calls))])
    }

    const ops = Map.groupBy(calls, ({ op_name }) => op_name)
    const table = card(page, 'By op')
    for (const [op, some] of ops)
      await table.getByRole('row', { name: new RegExp(`^${op.replace('.', '\\.')}\\s*${some.length}\\b`) }).waitFor()

    const byModel = await columnsOf(page, 'By model')
    for (const model of ['large', 'small']) {
      const tokens = sum(calls.map(({ summary }) => summary.usage[model]?.prompt_tokens ?? 0))
      expect([model, sum(byModel.get(model) ?? [])]).toEqual([model, tokens])
    }
    const failed = await columnsOf(page, 'Failed')
    for (const [op, some] of ops) {
      const count = some.filter(({ exception }) => exception !== null).length
      expect([op, sum(failed.get(op) ?? [])]).toEqual([op, count])
    }

    const { json } = await project.client.post<{ rows: unknown[][] }>('/sql', {
      statement: statement(project.id),
      from: new Date(Date.now() - 7 * 86_400_000).toISOString(),
      to: new Date().toISOString(),
    })
    const rows = card(page, 'Rows').getByRole('row')
    expect(json.rows).toHaveLength(4)
    for (const [at, [op, count]] of json.rows.entries())
      expect((await rows.nth(at + 1).textContent())?.replaceAll(/\s+/g, '')).toBe(`${at + 1}${op}${count}`)
  })
}, 300_000)
