import { itemAt } from '../../lib/present.ts'
import { post, sendJson } from '../api/client.ts'
import { createDataset } from '../dataset/datasets.ts'

/** An errand of the demo as a case: what the user wants, and what a good answer does. */
interface Case {
  readonly task: string
  readonly expected: string
  /** What the second version says instead. */
  readonly corrected: string
  readonly reservation: unknown
  readonly refundable: boolean | null
}

/** In the order of the errands of the conversations. */
const cases: readonly Case[] = [
  {
    task: 'You want to cancel your flight to Seattle, reservation M20IZO.',
    expected: 'Cancel M20IZO, refund $412.50',
    corrected: 'Cancel M20IZO after a yes, refund $412.50 in 5 to 7 days',
    reservation: { id: 'M20IZO', cabin: 'economy', price: 412.5, insured: true },
    refundable: true,
  },
  {
    task: 'You want to upgrade NQNU5R to business class and ask what it costs.',
    expected: 'Upgrade for $597',
    corrected: 'Name $597 first, upgrade both flights after a yes',
    reservation: { id: 'NQNU5R', cabin: 'economy', flights: ['HAT268', 'HAT010'] },
    refundable: true,
  },
  {
    task: 'You ask how many bags a silver member may take in basic economy.',
    expected: 'One bag free, $50 for each further one',
    corrected: 'One bag free, $50 for each further one, both ways',
    reservation: null,
    refundable: null,
  },
  {
    task: 'Your flight HAT170 was four hours late, and you want a compensation.',
    expected: 'Certificate of $50 for each passenger',
    corrected: 'Certificate of $50 for each passenger, after reading the delay',
    reservation: { id: 'HATHAT', flight: 'HAT170', delay_minutes: 247, date: '2024-05-14' },
    refundable: false,
  },
]

/** How the user talks; the reply is in the same language. */
const manners = [
  '',
  ' You are impatient and do not repeat yourself.',
  ' If the agent asks for a reason, say that the plans changed.',
  ' 请用中文与客服交谈，并确认每一步。',
  ' You answer in short words, and only when asked.',
  ' You change your mind once before you agree.',
  ' أجب باللغة العربية، واسأل عن التكلفة أولاً.',
  ' You paste your confirmation:\n"M20IZO"\tSEA',
  ' You are polite, and thank the agent at the end.',
  ' You insist on talking to a person.',
]

/** The call that begins a conversation of the demo, and the number of the conversation. */
export interface FirstTurn {
  readonly call: string
  readonly index: number
}

/** A case as a row, from the call that begins its conversation. */
function rowOf(projectId: string, { call, index }: FirstTurn): Readonly<Record<string, unknown>> {
  const each = itemAt(cases, index % cases.length)
  const manner = itemAt(manners, (index * 7) % manners.length)
  return {
    task: `${each.task}${manner}`,
    expected: each.expected,
    conversation: [
      { role: 'system', content: 'You are an agent of an airline. Ask before you change anything.' },
      { role: 'user', content: each.task },
      ...(index % 3 === 0 ? [{ role: 'assistant', content: 'Which reservation is it?' }] : []),
    ],
    now: `2026-11-22 ${String(8 + (index % 12)).padStart(2, '0')}:30`,
    passengers: (index * 5) % 4 === 0 ? 1 : (index % 4) + 1,
    ...(each.refundable !== null && { refundable: each.refundable }),
    reservation: each.reservation,
    split: index % 5 === 2 ? 'test' : 'train',
    call: `ext:///${projectId}/call/${call}`,
  }
}

const name = 'airline-cases'
const addedLater = 4

/**
 * Stores a dataset of the demo in two versions: cases from conversations, then some with better
 * answers, and four more.
 *
 * @returns refs of the versions
 * @throws {Problem}
 */
export async function storeDemoDataset(projectId: string, turns: readonly FirstTurn[]): Promise<readonly string[]> {
  const rows = turns.map((turn) => rowOf(projectId, turn))
  const first = rows.slice(0, -addedLater)
  const before = await createDataset(
    projectId,
    name,
    first.map((row) => JSON.stringify(row)),
  )
  const second = turns.map((turn) => {
    const row = rowOf(projectId, turn)
    return turn.index % 6 === 1 ? { ...row, expected: itemAt(cases, turn.index % cases.length).corrected } : row
  })
  const digest = await createDataset(
    projectId,
    name,
    second.map((row) => JSON.stringify(row)),
  )
  await sendJson('PUT', `/objs/${name}/versions/${digest}/tags`, { project_id: projectId, tags: ['reviewed'] })
  return [before, digest].map((each) => `ext:///${projectId}/object/${name}:${each}`)
}

/** A row of a dataset, with its ref. */
export interface DemoRow {
  readonly ref: string
  readonly val: Readonly<Record<string, unknown>>
}

/** Reads the rows of a version of the dataset. @throws {Problem} */
export async function rowsOfDataset(projectId: string, ref: string): Promise<readonly DemoRow[]> {
  const digest = ref.slice(ref.lastIndexOf(':') + 1)
  const { obj } = await post<{ obj: { val: { rows: string } } }>('/obj/read', {
    project_id: projectId,
    object_id: name,
    digest,
  })
  const table = obj.val.rows.split('/').at(-1)
  const { rows } = await post<{ rows: { digest: string; val: DemoRow['val'] }[] }>('/table/query', {
    project_id: projectId,
    digest: table,
  })
  return rows.map(({ digest: row, val }) => ({ ref: `${ref}/attr/rows/id/${row}`, val }))
}
