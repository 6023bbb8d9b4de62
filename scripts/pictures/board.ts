/** Id of the dashboard of the pictures. */
export const boardId = 'dashboard-upgrades'

const card = (id: string, more: object) => ({
  id,
  title: '',
  shape: 'line',
  width: 6,
  height: 3,
  rows: 'calls',
  ...more,
})

const cards = [
  card('latency', { title: 'p95 latency by model', metric: 'p95', group_by: 'model', width: 8 }),
  card('rate', { metric: 'error_rate', width: 4 }),
  card('cost', { metric: 'cost', group_by: 'model', shape: 'bars', width: 5 }),
  card('tokens', { metric: 'tokens_in', group_by: 'model', shape: 'area', width: 4 }),
  card('traces', { metric: 'calls', rows: 'traces', shape: 'number', width: 3 }),
  card('ops', { metric: 'p95', group_by: 'op', shape: 'table', width: 12 }),
]

/** Stores a dashboard of a week in a project. */
export async function storeBoard(url: string, key: string, project: string): Promise<void> {
  const val = {
    _type: 'SavedDashboard',
    _class_name: 'SavedDashboard',
    _bases: ['Object', 'BaseModel'],
    label: 'Upgrades',
    range: '-7d',
    cards,
  }
  const response = await fetch(`${url}/obj/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ obj: { project_id: project, object_id: boardId, val } }),
  })
  if (!response.ok) throw new Error(`Store a dashboard: ${response.status} ${await response.text()}`)
}
