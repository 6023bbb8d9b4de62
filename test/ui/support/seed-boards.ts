import type { Client } from '../../conformance/support/client.ts'

/** A dashboard with a card of each shape, and one without cards. */
export const boardId = 'dashboard-upgrades'
export const emptyBoardId = 'dashboard-empty'

/** What is stored of a dashboard. */
export const boardContent = (label: string, cards: readonly object[], range = '-7d') => ({
  _type: 'SavedDashboard',
  _class_name: 'SavedDashboard',
  _bases: ['Object', 'BaseModel'],
  label,
  range,
  cards,
})

/** A card as it is stored. */
export const storedCard = (id: string, more: object = {}) => ({
  id,
  title: '',
  shape: 'line',
  width: 6,
  height: 3,
  metric: 'calls',
  group_by: '',
  filter: '',
  rows: 'calls',
  ...more,
})

const cards = [
  storedCard('latency', { title: 'p95 latency by op', metric: 'p95', group_by: 'op', width: 8 }),
  storedCard('rate', { metric: 'error_rate', width: 4 }),
  storedCard('volume', { group_by: 'model', shape: 'bars', width: 5 }),
  storedCard('tokens', { metric: 'tokens_in', group_by: 'model', shape: 'area', width: 4 }),
  storedCard('failed', { metric: 'errors', shape: 'number', rows: 'traces', width: 3, height: 2 }),
  storedCard('table', { metric: 'cost', group_by: 'op', shape: 'table' }),
  storedCard('score', { metric: 'score', score_path: 'output.score', width: 6 }),
  storedCard('sql', {
    title: 'Calls by op, in SQL',
    shape: 'bars',
    statement:
      "select op_name, count(*) as calls from calls where project_id = 'acme/support' group by all order by all",
  }),
  storedCard('odd', { title: 'Odd filter', filter: 'latency >', width: 6 }),
]

/** Stores both dashboards in a project. */
export async function seedBoards(client: Client, projectId: string): Promise<void> {
  const store = async (object_id: string, val: object) => {
    const { status, text } = await client.post('/obj/create', { obj: { project_id: projectId, object_id, val } })
    if (status !== 200) throw new Error(`Seed dashboards: ${status} ${text}`)
  }
  await store(boardId, boardContent('Upgrades', cards.slice(0, 3)))
  await store(boardId, boardContent('Upgrades', cards))
  await store(emptyBoardId, boardContent('Nothing yet', []))
}
