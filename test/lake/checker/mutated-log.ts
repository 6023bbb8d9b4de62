import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { openLog } from '../../../src/engine/lake/open-log.ts'

const source = join(import.meta.dir, '../../../src')

/** A change to one file of the log: a text that it has once, and another. */
export interface Mutation {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** What is copied; all else is linked, so that it is the same module as everywhere. */
const copied = new Set(['engine/lake', 'runtime/objects/put-own.ts'])

/**
 * `openLog` with changes to its code, which is copied into `folder`.
 *
 * @throws Error if a file does not have the text of a mutation exactly once
 */
export async function mutatedLog(folder: string, mutations: readonly Mutation[]): Promise<typeof openLog> {
  await symlink(join(source, '../node_modules'), join(folder, 'node_modules'))
  await mkdir(join(folder, 'src'))
  await copyOrLink(folder, '')
  for (const { file, from, to } of mutations) {
    const path = join(folder, 'src', file)
    const pieces = (await readFile(path, 'utf8')).split(from)
    if (pieces.length !== 2) throw new Error(`${file} has "${from}" ${pieces.length - 1} times instead of once`)
    await writeFile(path, pieces.join(to))
  }
  const module: { openLog: typeof openLog } = await import(join(folder, 'src/engine/lake/open-log.ts'))
  return module.openLog
}

async function copyOrLink(folder: string, path: string): Promise<void> {
  for (const name of await readdir(join(source, path))) {
    const each = path === '' ? name : `${path}/${name}`
    const to = join(folder, 'src', each)
    if (copied.has(each)) await cp(join(source, each), to, { recursive: true })
    else if ([...copied].some((copy) => copy.startsWith(`${each}/`))) {
      await mkdir(to)
      await copyOrLink(folder, each)
    } else await symlink(join(source, each), to)
  }
}

/** Rules 1, 2 and 5 of docs/decisions/276-a-log-of-objects.md, each left out. */
export const mutations = {
  fencesAreRemoved: [
    {
      file: 'engine/lake/object-log.ts',
      from: 'if (!(await this.isFence(name, bytes))) await store.delete(name)',
      to: 'await store.delete(name)',
    },
  ],
  nothingIsReadAgain: [{ file: 'engine/lake/open-log.ts', from: 'if (newest !== epoch)', to: 'if (newest < 0)' }],
  ownIsForeign: [
    {
      file: 'runtime/objects/put-own.ts',
      from: 'areSameBytes(found.bytes, bytes)',
      to: 'areSameBytes(bytes, bytes.subarray(1))',
    },
  ],
} satisfies Record<string, readonly Mutation[]>
