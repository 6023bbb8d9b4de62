import { expect, test } from 'bun:test'
import { highlight } from './highlight.ts'
import type { SnippetFacts } from './snippet.ts'
import { snippetsFor } from './snippets.ts'

const filledIn = {
  url: 'http://127.0.0.1:8470',
  grpcUrl: 'http://127.0.0.1:24317',
  projectId: 'acme/airline-agent',
  key: 'k'.repeat(40),
}
const facts = { ...filledIn, command: './scripts/tracelake', dataFolder: '/var/lib/lake' }
const codeOf = (id: string, changes: Partial<SnippetFacts> = {}): string =>
  snippetsFor('ext')
    .find((snippet) => snippet.id === id)!
    .steps({ ...facts, ...changes })
    .map(({ title, code }) => `${title}\n${code}`)
    .join('\n')

test('every snippet carries the address, the project and the key', () => {
  for (const { name, steps } of snippetsFor('weave')) {
    const code = steps(facts)
      .map((step) => step.code)
      .join('\n')
    for (const value of ['http://127.0.0.1:', facts.projectId, facts.key])
      expect(`${name}: ${code.includes(value)}`).toBe(`${name}: true`)
  }
})

test('highlighting loses nothing and marks what was filled in', () => {
  for (const { steps } of snippetsFor('ext')) {
    for (const { code, language } of steps(facts)) {
      const tokens = highlight(code, language, Object.values(filledIn))
      expect(tokens.map(({ text }) => text).join('')).toBe(code)
      const filled = tokens.filter(({ kind }) => kind === 'filled').map(({ text }) => text)
      const inCode = Object.values(filledIn).filter((value) => code.includes(value))
      expect(new Set(filled)).toEqual(new Set(inCode))
    }
  }
})

test('snippets that work without further ado come first', () => {
  expect(snippetsFor('weave')[0]?.id).toBe('python')
  expect(snippetsFor('ext')[0]?.needsWeave).toBe(false)
})

test('the gRPC snippet has the address that the server states', () => {
  expect(codeOf('grpc')).toContain('export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:24317\n')
  const grpcUrl = 'https://otlp.example.com'
  expect(codeOf('grpc', { grpcUrl })).toContain(`export OTEL_EXPORTER_OTLP_ENDPOINT=${grpcUrl}\n`)
})

test('the gRPC snippet says where its address works, and how to turn gRPC on', () => {
  expect(codeOf('grpc')).toStartWith('Point any OpenTelemetry SDK at this server\n')
  expect(codeOf('grpc', { url: 'https://traces.example.com' })).toStartWith(
    'On the machine of the server, point any OpenTelemetry SDK at it\n',
  )
  expect(codeOf('grpc', { grpcUrl: null })).toEndWith(
    './scripts/tracelake serve --grpc-port 14317 --data /var/lib/lake',
  )
})
