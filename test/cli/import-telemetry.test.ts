import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { claudeSession, codexSession, exportOfSession, type Session } from '../conformance/agents/agent-events.ts'
import { exportOf, newSpanId, newTraceId, pairsOf, send, spanOf } from '../conformance/support/otlp.ts'
import { sendLogs } from '../conformance/support/otlp-logs.ts'
import type { Project } from '../conformance/support/project.ts'
import { freshProject } from '../conformance/support/target.ts'
import { openImportTarget } from './import-command.ts'

const fixtures = join(import.meta.dir, '../import-sources/fixtures')
const { server, imported: importedFrom } = await openImportTarget()

/** The session in the fixtures of each agent, its events and a span of it. */
const agents = {
  'claude-code': {
    session: 'a648dc3e-1901-4110-b244-47e66e2abf56',
    events: claudeSession,
    scope: 'com.anthropic.claude_code.tracing',
    span: (session: string) => ({
      name: 'claude_code.llm_request',
      attributes: { 'session.id': session, 'span.type': 'llm_request', model: 'claude-sonnet-4-5', input_tokens: 7 },
    }),
  },
  codex: {
    session: '01a205fe-bd54-7721-b292-beb6da2d0f6b',
    events: codexSession,
    scope: 'codex_exec',
    span: (session: string) => ({
      name: 'session_task.turn',
      attributes: { 'thread.id': session, model: 'gpt-5-codex', 'codex.turn.token_usage.input_tokens': '7' },
    }),
  },
} as const

async function importing(agent: string, project: Project): Promise<string> {
  const { out, err, code } = await importedFrom(agent, join(fixtures, agent), project.id)
  expect([code, err]).toEqual([0, expect.anything()])
  return out
}

const headersOf = ({ id }: Project) => ({ headers: { project_id: id } })

async function sendEvents(project: Project, session: Session): Promise<void> {
  const body = exportOfSession(session, session.records) as never
  expect(await sendLogs(server.client, body, 'json', headersOf(project))).toMatchObject({ status: 200, rejected: 0 })
}

/** Tokens that count and turns. */
async function figuresOf(project: Project) {
  const calls = await project.query()
  const usages = calls.flatMap(({ summary }) =>
    Object.values((summary as { usage?: Record<string, Record<string, number>> }).usage ?? {}),
  )
  return {
    tokens: usages.flatMap((usage) => Object.values(usage)).reduce((sum, tokens) => sum + tokens, 0),
    turns: calls.filter(({ id, turn_id }) => id === turn_id).length,
    imported: calls.filter(({ attributes }) => Object.hasOwn(attributes, 'import')).length,
  }
}

const newProject = () => freshProject(server.client)

test.each(Object.keys(agents) as (keyof typeof agents)[])(
  'a session of %s counts once if it was imported and has sent telemetry, in every order',
  async (name) => {
    const { session, events, scope, span } = agents[name]
    const sendSpan = async (project: Project) => {
      const draft = { traceId: newTraceId(), spanId: newSpanId(), ...span(session) }
      const group = {
        resource: { attributes: pairsOf({}) },
        scopeSpans: [{ scope: { name: scope }, spans: [spanOf(draft)] }],
      }
      expect(await send(server.client, exportOf(group), 'json', headersOf(project))).toMatchObject({ rejected: 0 })
    }
    const byEvents = newProject()
    await sendEvents(byEvents, events(session))
    const ofEvents = await figuresOf(byEvents)
    expect(ofEvents).toMatchObject({ tokens: expect.any(Number), imported: 0 })

    // Events, then the transcript: nothing is imported, and the command says why.
    expect(await importing(name, byEvents)).toMatch(/Not imported:\n +\d+ calls of sessions whose telemetry is on the/)
    expect(await figuresOf(byEvents)).toEqual(ofEvents)

    // The transcript, then events.
    const imported = newProject()
    expect(await importing(name, imported)).toContain('Complete.')
    const ofTranscript = await figuresOf(imported)
    expect(ofTranscript.imported).toBeGreaterThan(2)
    expect(ofTranscript.tokens).toBeGreaterThan(0)
    await sendEvents(imported, events(session))
    expect(await figuresOf(imported)).toEqual({ ...ofEvents, imported: ofTranscript.imported })
    await importing(name, imported)
    expect(await figuresOf(imported)).toEqual({ ...ofEvents, imported: ofTranscript.imported })

    // The transcript, then spans: the transcript counts. Then events.
    const withSpans = newProject()
    await importing(name, withSpans)
    await sendSpan(withSpans)
    expect(await figuresOf(withSpans)).toEqual(ofTranscript)
    await sendEvents(withSpans, events(session))
    expect(await figuresOf(withSpans)).toEqual({ ...ofEvents, imported: ofTranscript.imported })

    // Spans, then the transcript, which is not imported.
    const spansFirst = newProject()
    await sendSpan(spansFirst)
    const ofSpans = await figuresOf(spansFirst)
    await importing(name, spansFirst)
    expect(await figuresOf(spansFirst)).toEqual(ofSpans)
  },
  120_000,
)
