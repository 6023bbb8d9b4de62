import { describe, expect, test } from 'bun:test'
import type { Client } from '../support/client.ts'
import { exportOf, newSpanId, newTraceId, pairsOf, send, spanOf } from '../support/otlp.ts'
import { sendLogs } from '../support/otlp-logs.ts'
import { Project } from '../support/project.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject, sharedServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'
import { exportOfSession, sessions } from './agent-events.ts'

const client = await sharedServer()
const sessionId = '01a205b6-62e2-7be2-8f36-e351ecff1d75'

/** 2026-11-22T10:00:00Z and a second later. */
const [start, end] = ['1795341600000000000', '1795341601000000000']

interface AgentSpans {
  readonly scope: string
  readonly spans: readonly Record<string, unknown>[]
}

/** Spans of the same session: a prompt and a request to a model. */
const spansOf: Readonly<Record<keyof typeof sessions, () => AgentSpans>> = {
  'Claude Code': () => {
    const [traceId, root] = [newTraceId(), newSpanId()]
    const common = { traceId, start, end }
    const request = { 'span.type': 'llm_request', model: 'claude-sonnet-4-5', input_tokens: 7, output_tokens: 7 }
    return {
      scope: 'com.anthropic.claude_code.tracing',
      spans: [
        spanOf({
          ...common,
          name: 'claude_code.llm_request',
          parentSpanId: root,
          attributes: { 'session.id': sessionId, ...request },
        }),
        spanOf({
          ...common,
          name: 'claude_code.interaction',
          spanId: root,
          attributes: { 'session.id': sessionId, 'span.type': 'interaction', user_prompt: 'Fix the test' },
        }),
      ],
    }
  },
  Codex: () => ({
    scope: 'codex_exec',
    spans: [
      spanOf({
        start,
        end,
        name: 'session_task.turn',
        attributes: {
          'thread.id': sessionId,
          model: 'gpt-5-codex',
          'codex.turn.token_usage.input_tokens': '7',
          'codex.turn.token_usage.output_tokens': '7',
        },
      }),
    ],
  }),
  'Gemini CLI': () => ({
    scope: 'gemini-cli',
    spans: [
      spanOf({
        start,
        end,
        name: 'llm_call',
        attributes: {
          'gen_ai.conversation.id': sessionId,
          'gen_ai.request.model': 'gemini-2.5-pro',
          'gen_ai.usage.input_tokens': 7,
          'gen_ai.usage.output_tokens': 7,
        },
      }),
    ],
  }),
}

/** Tokens that count, turns, and how many calls were made of spans. */
async function figuresOf(project: Project) {
  const calls = await project.query()
  const usages = calls.flatMap(({ summary }) =>
    Object.values((summary as { usage?: Record<string, { input_tokens: number }> }).usage ?? {}),
  )
  return {
    tokens: usages.reduce((sum, { input_tokens }) => sum + input_tokens, 0),
    turns: calls.filter(({ id, turn_id }) => id === turn_id).length,
    emptyTurns: calls.filter(({ turn_id }) => turn_id === '').length,
    spans: calls.filter(({ attributes }) => Object.hasOwn(attributes, 'otel_span')).length,
  }
}

describe.each(Object.keys(sessions) as (keyof typeof sessions)[])('a session of %s', (name) => {
  const session = sessions[name](sessionId)
  const { scope, spans } = spansOf[name]()
  const headersOf = ({ id }: Project) => ({ headers: { project_id: id } })
  const sendEvents = async (to: Client, project: Project, records = session.records) =>
    expect(await sendLogs(to, exportOfSession(session, records) as never, 'json', headersOf(project))).toMatchObject({
      status: 200,
      rejected: 0,
    })
  const sendSpans = async (to: Client, project: Project, some: readonly unknown[] = spans) => {
    const group = {
      resource: { attributes: pairsOf(session.resource) },
      scopeSpans: [{ scope: { name: scope }, spans: some }],
    }
    expect(await send(to, exportOf(group), 'json', headersOf(project))).toMatchObject({ status: 200, rejected: 0 })
  }

  const alone = async () => {
    const project = freshProject(client)
    await sendEvents(client, project)
    return { ...(await figuresOf(project)), spans: spans.length }
  }

  test('counts by its spans if there are no events', async () => {
    const project = freshProject(client)
    await sendSpans(client, project)
    expect(await figuresOf(project)).toEqual({ tokens: 7, turns: 1, emptyTurns: 0, spans: spans.length })
  })

  test('counts by its events if there are spans as well, whichever come first', async () => {
    const expected = await alone()
    const eventsFirst = freshProject(client)
    await sendEvents(client, eventsFirst)
    await sendSpans(client, eventsFirst)
    expect(await figuresOf(eventsFirst)).toEqual(expected)

    const spansFirst = freshProject(client)
    await sendSpans(client, spansFirst)
    await sendEvents(client, spansFirst)
    expect(await figuresOf(spansFirst)).toEqual(expected)

    const between = freshProject(client)
    await sendEvents(client, between, session.records.slice(0, 5))
    await sendSpans(client, between, spans.slice(0, 1))
    await sendEvents(client, between, session.records.slice(5))
    await sendSpans(client, between, spans.slice(1))
    // Sent again.
    await sendSpans(client, between)
    expect(await figuresOf(between)).toEqual(expected)

    const atOnce = freshProject(client)
    await Promise.all([sendEvents(client, atOnce), sendSpans(client, atOnce)])
    expect(await figuresOf(atOnce)).toEqual(expected)
  })

  test.each(['events', 'spans'] as const)(
    'counts once if %s come before a restart, the others after it',
    async (first) => {
      const expected = await alone()
      const data = await makeTempFolder()
      const before = await startServer({ data })
      const project = freshProject(before.client)
      await (first === 'events' ? sendEvents : sendSpans)(before.client, project)
      await before.stop()
      const after = await startServer({ data })
      const again = new Project(after.client, project.entity, project.name)
      await (first === 'events' ? sendSpans : sendEvents)(after.client, again)
      expect(await figuresOf(again)).toEqual(expected)
      await after.stop()
      await removeFolder(data)
    },
    120_000,
  )
})

test('spans of other programs in the same session count', async () => {
  const project = freshProject(client)
  const session = sessions['Gemini CLI'](sessionId)
  await sendLogs(client, exportOfSession(session, session.records) as never, 'json', {
    headers: { project_id: project.id },
  })
  const { tokens } = await figuresOf(project)
  const group = { scopeSpans: [{ scope: { name: 'my-app' }, spans: spansOf['Gemini CLI']().spans }] }
  await send(client, exportOf(group), 'json', { headers: { project_id: project.id } })
  expect((await figuresOf(project)).tokens).toBe(tokens + 7)
})
