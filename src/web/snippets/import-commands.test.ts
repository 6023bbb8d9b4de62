import { expect, test } from 'bun:test'
import { sources } from '../../importers/sources.ts'
import { importCommand, importSources } from './import-commands.ts'

const filledIn = { url: 'http://127.0.0.1:8470', projectId: 'acme/airline-agent', key: 'YOUR_KEY' }
const facts = { ...filledIn, grpcUrl: null, command: './scripts/tracelake', dataFolder: null }

test('there is a command for every source that the program knows', () => {
  expect(importSources.map(({ id }) => id).sort()).toEqual(sources.map(({ name }) => name).sort())
})

test('a command has the place, the address, the key and the project', () => {
  expect(importCommand(importSources[0]!, facts)).toBe(
    `./scripts/tracelake import claude-code ~/.claude/projects \\
  --to http://127.0.0.1:8470 \\
  --key YOUR_KEY \\
  --project acme/airline-agent`,
  )
  for (const source of importSources) {
    const command = importCommand(source, facts)
    expect(command).toStartWith(`./scripts/tracelake import ${source.id} ${source.place} `)
    for (const value of Object.values(filledIn)) expect(command).toContain(value)
  }
})

test('a project with a space in its name is one word of the command', () => {
  const command = importCommand(importSources[0]!, { ...facts, projectId: 'acme/airline agent' })
  expect(command).toEndWith('--project "acme/airline agent"')
})
