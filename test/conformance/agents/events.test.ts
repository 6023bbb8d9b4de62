import { describe, expect, test } from 'bun:test'
import { Random, seedOf } from '../../golden/random.ts'
import type { CallRecord } from '../support/call-shapes.ts'
import type { Client } from '../support/client.ts'
import { queryLogs, sendLogs } from '../support/otlp-logs.ts'
import { Project } from '../support/project.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject, sharedServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'
import { claudeSession, exportOfSession, type Session, sessions } from './agent-events.ts'

const client = await sharedServer()

async function sendSession(to: Client, project: Project, session: Session, records: readonly unknown[]) {
  const sent = await sendLogs(to, exportOfSession(session, records) as never, 'protobuf', {
    headers: { project_id: project.id },
  })
  expect(sent).toMatchObject({ status: 200, rejected: 0 })
}

/** The calls of a project as one line each, in the order of their trees. */
async function treeOf(project: Project): Promise<string[]> {
  const calls = await project.query({ include_costs: true })
  const lines: string[] = []
  const addBelow = (parentId: string | null, indent: string) => {
    for (const call of calls.filter(({ parent_id }) => parent_id === parentId)) {
      lines.push(indent + lineOf(call))
      addBelow(call.id, `${indent}  `)
    }
  }
  addBelow(null, '')
  expect(lines).toHaveLength(calls.length)
  return lines
}

function lineOf(call: CallRecord): string {
  const usage = Object.entries((call.summary as { usage?: Record<string, Record<string, number>> })?.usage ?? {})
  const tokens = usage.map(([model, { input_tokens, output_tokens, cache_read_input_tokens, stated_cost }]) =>
    [model, input_tokens, output_tokens, cache_read_input_tokens, stated_cost].join(' '),
  )
  const name = call.op_name.replace(/^.*\/op\/([^:]*):.*$/, '$1')
  const turn = call.turn_id === call.id ? ' (turn)' : ''
  const text = (value: unknown) => JSON.stringify(value ?? null).replace(/.*"content":"([^"]*)".*/, '$1')
  return [
    `${name}${turn}`,
    call.display_name,
    ...tokens,
    text(call.inputs),
    text(call.output),
    call.exception && `failed: ${call.exception}`,
  ]
    .filter((part) => part !== null && part !== undefined && part !== '' && part !== 'null' && part !== '{}')
    .join(' | ')
}

const usageOf = (model: string, tokens: string) => `${model} ${tokens}`
const gemini = usageOf('gemini-2.5-pro', '1320 40 1000 ')
const codex = usageOf('gpt-5-codex', '1320 40 1000 ')

const trees: Readonly<Record<keyof typeof sessions, readonly string[]>> = {
  'Claude Code': [
    `claude_code.llm_request | ${usageOf('claude-sonnet-4-5', '120 30 1000 0.25')}`,
    'claude_code.interaction (turn) | Fix the test | It is fixed.',
    `  claude_code.llm_request | ${usageOf('claude-sonnet-4-5', '120 30 1000 0.5')} | Let me look.`,
    '  claude_code.tool | Bash | {"command":"make test"} | failed: exit code 1',
    `  claude_code.llm_request | ${usageOf('claude-sonnet-4-5', '120 30 1000 0.5')} | It is fixed.`,
    'claude_code.interaction (turn) | Done.',
    '  claude_code.llm_request | failed: overloaded',
    `  claude_code.llm_request | ${usageOf('claude-sonnet-4-5', '120 30 1000 0.5')} | Done.`,
  ],
  Codex: [
    'codex.turn (turn) | Say hello',
    `  codex.model_request | ${codex}`,
    '  codex.tool | shell | {"cmd":"ls"} | "a\\n"',
    `  codex.model_request | ${codex}`,
    'codex.turn (turn) | [REDACTED]',
    '  codex.model_request | failed: connection reset',
    `  codex.model_request | ${codex}`,
  ],
  'Gemini CLI': [
    'gemini_cli.turn (turn) | Say hello | Hello!',
    `  gemini_cli.llm_call | ${gemini} | Say hello | flash`,
    `  gemini_cli.llm_call | ${gemini} | Say hello | Let me look.`,
    '  gemini_cli.tool_call | run_shell_command | {"command":"ls"}',
    `  gemini_cli.llm_call | ${gemini} | Say hello | Hello!`,
  ],
}

describe.each(Object.entries(sessions))('a session of %s', (name, sessionOf) => {
  const tree = trees[name as keyof typeof sessions]

  test('is a thread with a turn per prompt, and requests and tools below it', async () => {
    const project = freshProject(client)
    const session = sessionOf('s-1')
    await sendSession(client, project, session, session.records)
    expect(await treeOf(project)).toEqual([...tree])
    const calls = await project.query()
    expect(new Set(calls.map(({ thread_id }) => thread_id))).toEqual(new Set(['s-1']))
    expect(calls.every(({ attributes }) => typeof attributes['kind'] === 'string')).toBe(true)
    expect(await queryLogs(client, project.id)).toHaveLength(session.records.length)
    const turn = calls.find(({ id, turn_id }) => id === turn_id)!
    expect(calls.filter(({ trace_id }) => trace_id === turn.trace_id).length).toBeGreaterThan(1)
  })

  test('becomes the same calls in whatever order and however often its events arrive', async () => {
    const random = new Random(seedOf(`events of ${name} in any order`))
    for (let round = 0; round < 6; round++) {
      const project = freshProject(client)
      const session = sessionOf('s-1')
      const left = [...session.records, random.pick(session.records), random.pick(session.records)]
      while (left.length > 0) {
        const batch = Array.from({ length: Math.min(left.length, 1 + random.below(3)) }, () => {
          return left.splice(random.below(left.length), 1)[0]!
        })
        // Equal records of one request are different ones.
        await sendSession(client, project, session, [...new Set(batch)])
        if (random.below(4) === 0) await sendSession(client, project, session, [...new Set(batch)])
      }
      expect(await treeOf(project)).toEqual([...tree])
      expect(await queryLogs(client, project.id)).toHaveLength(session.records.length)
    }
  }, 120_000)

  test('goes on after a restart', async () => {
    const data = await makeTempFolder()
    const first = await startServer({ data })
    const project = freshProject(first.client)
    const session = sessionOf('s-1')
    // What has begun ends after the restart.
    const early = session.records.filter((_, index) => index % 2 === 0)
    const late = session.records.filter((_, index) => index % 2 === 1)
    await sendSession(first.client, project, session, early)
    await first.stop()
    const second = await startServer({ data })
    const moved = new Project(second.client, project.entity, project.name)
    await sendSession(second.client, moved, session, late)
    expect(await treeOf(moved)).toEqual([...tree])
    await second.stop()
    await removeFolder(data)
  }, 120_000)
})

test('a prompt without an answer is a turn that is running', async () => {
  const project = freshProject(client)
  const session = claudeSession('s-1')
  await sendSession(client, project, session, session.records.slice(1, 2))
  const [turn] = await project.query()
  expect(turn).toMatchObject({ ended_at: null, thread_id: 's-1', turn_id: turn!.id })
  await sendSession(client, project, session, session.records.slice(2, 4))
  expect(await project.read(turn!.id)).toMatchObject({ ended_at: '2026-11-22T10:00:00.200000Z' })
})

test('the cost that the agent states counts, also in statistics', async () => {
  const project = freshProject(client)
  const session = claudeSession('s-1')
  await sendSession(client, project, session, session.records)
  const body = {
    project_id: project.id,
    start: '2026-11-22T00:00:00Z',
    end: '2026-11-23T00:00:00Z',
    usage_metrics: [{ metric: 'total_cost', aggregations: ['sum'] }],
  }
  const stats = await client.post<{ usage_buckets: { sum_total_cost: number }[] }>('/calls/stats', body)
  const sum = stats.json.usage_buckets.reduce((all, { sum_total_cost }) => all + sum_total_cost, 0)
  expect(sum).toBeCloseTo(1.75, 9)
  const threads = await client.post('/threads/stream_query', { project_id: project.id, include_details: true })
  expect(JSON.parse(threads.text)).toMatchObject({ turn_count: 2, total_cost: 1.5, last_message: 'Done.' })
})

test('records point at the calls that were made of them', async () => {
  const project = freshProject(client)
  const session = claudeSession('s-1')
  await sendSession(client, project, session, session.records)
  const [tool] = await queryLogs(client, project.id, { filter: { event_names: ['claude_code.tool_result'] } })
  expect(await project.read(tool!.call_id!)).toMatchObject({ display_name: 'Bash', turn_id: tool!.turn_id })
})
