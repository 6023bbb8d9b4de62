import type { Client } from '../support/client.ts'
import { exportOf, groupOf, send, spanOf } from '../support/otlp.ts'
import type { Project } from '../support/project.ts'
import { freshProject } from '../support/target.ts'

const second = 1_000_000_000n
const base = 1_714_557_600n * second
const at = (seconds: number): string => (base + BigInt(seconds) * second).toString()
const messages = (role: string, text: string) => JSON.stringify([{ role, parts: [{ type: 'text', content: text }] }])

/** Ids of the two traces of the conversation. */
export const traceIds = ['1'.repeat(32), '2'.repeat(32)] as const

/** An agent that calls a model and a tool, in two turns; it sums the usage of its model up. */
function turn(index: 0 | 1, question: string, answer: string) {
  const traceId = traceIds[index]
  const id = (name: string) => `${name}${index}`.padStart(16, '0')
  const start = index * 100
  const agent = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'guide',
    'gen_ai.agent.version': index === 0 ? '1' : '2',
    'gen_ai.conversation.id': 'talk',
    'gen_ai.conversation.name': 'Towers',
  }
  const usage = { 'gen_ai.usage.input_tokens': 10 + index, 'gen_ai.usage.output_tokens': 2 }
  return [
    {
      traceId,
      spanId: id('a'),
      name: 'invoke_agent guide',
      start: at(start),
      end: at(start + 10),
      attributes: {
        ...agent,
        ...usage,
        'gen_ai.request.model': 'test-model',
        'gen_ai.system_instructions': '[{"type":"text","content":"Be brief"}]',
        'gen_ai.input.messages': messages('user', question),
      },
    },
    {
      traceId,
      spanId: id('b'),
      parentSpanId: id('a'),
      name: 'chat test-model',
      kind: 3,
      start: at(start + 1),
      end: at(start + 3),
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.conversation.id': 'talk',
        'gen_ai.provider.name': 'stub',
        'gen_ai.request.model': 'test-model',
        'gen_ai.request.temperature': 0.5,
        'gen_ai.input.messages': messages('user', question),
        'gen_ai.output.messages': messages('assistant', answer),
        ...usage,
        'app.tier': index === 0 ? 'gold' : 'free',
        'app.tries': index + 1,
      },
    },
    {
      traceId,
      spanId: id('c'),
      parentSpanId: id('a'),
      name: 'execute_tool height',
      start: at(start + 4),
      end: at(start + 5),
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.conversation.id': 'talk',
        'gen_ai.tool.name': 'height',
        'gen_ai.tool.call.arguments': '{"of":"tower"}',
        'gen_ai.tool.call.result': '{"metres":330}',
      },
      ...(index === 1 && { status: { code: 2, message: 'no signal' } }),
    },
  ]
}

/** Both turns, sent to either of the two paths that accept spans. */
export async function travelProject(client: Client, ...paths: readonly string[]): Promise<Project> {
  const project = freshProject(client)
  const spans = [...turn(0, 'How tall is the tower?', '330 metres'), ...turn(1, 'And the bridge?', '48 metres')]
  for (const path of paths.length === 0 ? ['/agents/otel/v1/traces'] : paths) {
    const body = exportOf(groupOf(spans.map(spanOf)))
    const sent = await send(client, body, 'json', { path, headers: { project_id: project.id } })
    if (sent.status !== 200 || sent.rejected !== 0) throw new Error(`Send spans to ${path}: ${JSON.stringify(sent)}`)
  }
  return project
}
