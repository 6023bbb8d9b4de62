import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { byPath, textEntry } from './archive-entry.ts'
import { releaseNotes } from './release-notes.ts'
import { tar } from './tar.ts'
import { zip } from './zip.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'archives-'))
afterAll(() => rm(folder, { recursive: true }))

async function outputOf(...words: string[]): Promise<string> {
  const child = Bun.spawn(words, { cwd: folder, stdout: 'pipe', stderr: 'inherit', env: { ...process.env, TZ: 'UTC' } })
  return await new Response(child.stdout).text()
}

test('tar lists what an archive holds, with modes, owners and links', async () => {
  const long = `${'folder/'.repeat(18)}file`
  const entries = byPath([
    textEntry('run', 'content', 0o755),
    textEntry(long, 'deep'),
    { path: 'data', mode: 0o750, owner: 65_532 },
    { path: 'link', mode: 0o777, content: { linkTo: 'run' } },
  ])
  await Bun.write(path.join(folder, 'a.tar'), tar(entries))
  const lines = (await outputOf('tar', '--numeric-owner', '-tvf', 'a.tar')).trim().split('\n')
  expect(lines.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    'drwxr-x--- 65532/65532 0 1970-01-01 00:00 data/',
    `-rw-r--r-- 0/0 4 1970-01-01 00:00 ${long}`,
    'lrwxrwxrwx 0/0 0 1970-01-01 00:00 link -> run',
    '-rwxr-xr-x 0/0 7 1970-01-01 00:00 run',
  ])
  expect(await outputOf('tar', '-xOf', 'a.tar', long)).toBe('deep')
  expect(() => tar([textEntry('x'.repeat(300), '')])).toThrow('is too long')
})

test('Python reads a ZIP archive and finds modes and content', async () => {
  await Bun.write(path.join(folder, 'a.zip'), zip([textEntry('bin/run', 'content '.repeat(100), 0o755)]))
  const program = [
    'import zipfile',
    'z = zipfile.ZipFile("a.zip")',
    'assert z.testzip() is None',
    'i = z.infolist()[0]',
    'print(i.filename, oct(i.external_attr >> 16), z.read(i) == b"content " * 100)',
  ].join('\n')
  if (Bun.which('python3') === null) return
  expect(await outputOf('python3', '-c', program)).toBe('bin/run 0o100755 True\n')
})

test('notes are the part of the changelog about the version', () => {
  const changelog = '# Changelog\n\n## [2.0.0] - today\n\n- b\n\n## [1.0.0] - before\n\n- a\n'
  expect(releaseNotes(changelog, '2.0.0')).toBe('- b\n')
  expect(releaseNotes(changelog, '1.0.0')).toBe('- a\n')
  expect(() => releaseNotes(changelog, '3.0.0')).toThrow('no version 3.0.0')
})
