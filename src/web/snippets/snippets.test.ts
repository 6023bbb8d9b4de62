import { expect, test } from 'bun:test'
import { highlight } from './highlight.ts'
import { snippetsFor } from './snippets.ts'

const facts = { url: 'http://127.0.0.1:8470', projectId: 'acme/airline-agent', key: 'k'.repeat(40) }

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
      const tokens = highlight(code, language, Object.values(facts))
      expect(tokens.map(({ text }) => text).join('')).toBe(code)
      const filled = tokens.filter(({ kind }) => kind === 'filled').map(({ text }) => text)
      const inCode = Object.values(facts).filter((value) => code.includes(value))
      expect(new Set(filled)).toEqual(new Set(inCode))
    }
  }
})

test('snippets that work without further ado come first', () => {
  expect(snippetsFor('weave')[0]?.id).toBe('python')
  expect(snippetsFor('ext')[0]?.needsWeave).toBe(false)
})
