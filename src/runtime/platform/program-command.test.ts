import { expect, test } from 'bun:test'
import { commandOf, shellWord } from './program-command.ts'

const onPath = '/usr/local/bin/tracelake'

test.each([
  ['a clone', undefined, './scripts/tracelake'],
  ['npx', '/home/ada/.npm/_npx/5f2c/node_modules/@tracelake/linux-x64/tracelake', 'npx tracelake'],
  ['pnpm dlx', '/home/ada/.cache/pnpm/dlx/b1/node_modules/@tracelake/linux-x64/tracelake', 'pnpm dlx tracelake'],
  ['bunx', '/tmp/bunx-1000-tracelake@latest/node_modules/@tracelake/linux-x64/tracelake', 'bunx tracelake'],
  ['uvx', '/home/ada/.cache/uv/archive-v0/x7Yz/bin/tracelake', 'uvx tracelake'],
  ['an installed package', '/home/ada/.local/share/uv/tools/tracelake/bin/tracelake', 'tracelake'],
  ['a folder of the shell', onPath, 'tracelake'],
])('the command is the one that works in %s', (_, executable, command) => {
  const searched = ['/usr/bin', '/usr/local/bin']
  expect(commandOf({ executable, searched, exists: (file) => file === onPath })).toBe(command)
})

test('an executable that shells do not find is named by its path', () => {
  const launch = { searched: ['/usr/bin'], exists: () => false }
  expect(commandOf({ ...launch, executable: '/opt/lake/tracelake' })).toBe('/opt/lake/tracelake')
  expect(commandOf({ ...launch, executable: '/home/ada/My Lake/tracelake' })).toBe("'/home/ada/My Lake/tracelake'")
})

test('words of a command line keep their quotes', () => {
  expect(shellWord("/data/ada's lake")).toBe(`'/data/ada'\\''s lake'`)
})
