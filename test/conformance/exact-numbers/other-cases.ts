import { metricsExport, sumOf } from '../support/metrics.ts'
import { exportOf, groupOf, spanOf } from '../support/otlp.ts'
import { logExportOf, logGroupOf, recordOf } from '../support/otlp-logs.ts'
import type { Project } from '../support/project.ts'
import { type Case, type Stubs, send } from './case.ts'
import { exactObject, free, type Shown, shown, textOf } from './exact-json.ts'

/** Members of a completion that are passed to the provider, and those that only the call has. */
const passed = ['inputs.messages.[]', 'inputs.*']

async function completed(project: Project, path: string, { providerRequests }: Stubs): Promise<Shown[]> {
  const before = providerRequests.length
  const messages = [{ role: 'user', content: 'Hello', annotated: free('inputs.messages.[]') }]
  const inputs = { model: 'gpt-4o', messages, template_vars: free('inputs.template_vars'), metadata: free('inputs.*') }
  await send(project.client, path, { project_id: project.id, inputs })
  const calls = await send(project.client, '/calls/stream_query', { project_id: project.id })
  return [
    ...shown(passed, { 'the request to the provider': providerRequests[before]!.text }),
    ...shown([...passed, 'inputs.template_vars'], { 'the call': calls }),
  ]
}

const completion = (path: string): Case => ({
  members: [...passed, 'inputs.template_vars'],
  run: (project, stubs) => completed(project, path, stubs),
})

/**
 * Attributes of telemetry have types of their own: integers of 64 bits and doubles, which are shown
 * as such, and texts, whose JSON is to the letter.
 */
const attributes = { large: 9223372036854775807n, whole: 1.5, 'input.value': exactObject('') }
const exactly = '"large":9223372036854775807,"whole":1.0'

/** Exports with the double 1.0, which JavaScript would print as 1. */
async function exported(project: Project, path: string, body: unknown): Promise<void> {
  const text = JSON.stringify(body).replaceAll('"doubleValue":1.5', '"doubleValue":1.0')
  textOf(await project.client.postRaw(path, text, { headers: { project_id: project.id } }))
}

/** The same text with the exact object in place of the typed attributes. */
const withTyped = (text: string): string => text.replaceAll(exactly, exactObject(''))

/** Operations that pass JSON to models, or take it in OpenTelemetry's encoding. */
export const otherCases: Readonly<Record<string, Case>> = {
  'POST /completions/create': completion('/completions/create'),
  'POST /completions/create_stream': completion('/completions/create_stream'),
  'POST /image/create': {
    members: ['inputs.*'],
    run: async (project, { providerRequests }) => {
      const before = providerRequests.length
      const inputs = { model: 'dall-e-3', prompt: 'a lake', style: free('inputs.*') }
      await send(project.client, '/image/create', { project_id: project.id, inputs })
      return shown(['inputs.*'], {
        'the request to the provider': providerRequests[before]!.text,
        'the call': await send(project.client, '/calls/stream_query', { project_id: project.id }),
      })
    },
  },
  'POST /otel/v1/traces': {
    members: [''],
    run: async (project) => {
      await exported(project, '/otel/v1/traces', exportOf(groupOf([spanOf({ attributes })])))
      const calls = await send(project.client, '/calls/stream_query', { project_id: project.id })
      return shown([''], {
        'the call’s inputs': calls,
        'the call’s attributes': withTyped(calls.replace(exactObject(''), '')),
      })
    },
  },
  'POST /otel/v1/logs': {
    members: [''],
    run: async (project) => {
      const body = logExportOf(logGroupOf([recordOf({ attributes, body: { inner: attributes } })]))
      await exported(project, '/otel/v1/logs', body)
      const logs = await send(project.client, '/logs/query', { project_id: project.id })
      const [inBody, inAttributes] = logs.split(exactly).slice(1)
      return shown([''], {
        'the log': withTyped(logs),
        'both of its members': inBody && inAttributes ? withTyped(exactly) : '',
      })
    },
  },
  'POST /otel/v1/metrics': {
    members: [''],
    run: async (project) => {
      await exported(project, '/otel/v1/metrics', metricsExport([sumOf('cost', [{ at: 1, asDouble: 2, attributes }])]))
      return shown([''], {
        'the point': withTyped(await send(project.client, '/metrics/query', { project_id: project.id })),
      })
    },
  },
}
