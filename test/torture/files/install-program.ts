/**
 * Loaded before the program under test (`bun --preload`): puts `installed.hooks` between it and
 * `node:fs/promises`. The product needs no seam for this.
 */
import { existsSync, lstatSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { hookHandle } from './hooked-handle.ts'
import { installed, type Step } from './hooks.ts'

type Promises = Record<string, (...words: never[]) => Promise<unknown>>
const promises = createRequire(import.meta.url)('node:fs/promises') as Promises

/** Replaces a function of the module, while hooks are installed. */
function replace<T extends unknown[], R>(
  name: string,
  make: (real: (...words: T) => Promise<R>) => (...words: T) => Promise<R>,
): void {
  const real = promises[name] as unknown as (...words: T) => Promise<R>
  const hooked = make(real)
  promises[name] = ((...words: T) =>
    installed.hooks === undefined ? real(...words) : hooked(...words)) as unknown as Promises[string]
}

/** @returns whether to do it; false to pretend */
async function allowed(step: Step): Promise<boolean> {
  const verdict = await installed.hooks!.before(step)
  if (verdict.does === 'fail') throw verdict.error
  return verdict.does !== 'pretend'
}

replace<[string, string?, number?], FileHandle>('open', (real) => async (path, flags = 'r', mode) => {
  const isNew = flags !== 'r' && flags !== 'r+' && !existsSync(path)
  await allowed({ kind: isNew ? 'create' : 'open', path })
  const handle = await real(path, flags, mode)
  if (isNew) installed.hooks?.done({ kind: 'created', path, isFolder: false })
  else if (flags.startsWith('w')) installed.hooks?.done({ kind: 'cut', path, size: 0 })
  return hookHandle(handle, path)
})

replace<[string, string], void>('rename', (real) => async (path, to) => {
  if (!(await allowed({ kind: 'rename', path, to }))) return
  await real(path, to)
  installed.hooks?.done({ kind: 'renamed', path, to })
})

replace<[string, string], void>('link', (real) => async (path, to) => {
  if (!(await allowed({ kind: 'link', path, to }))) return
  await real(path, to)
  installed.hooks?.done({ kind: 'linked', path, to })
})

replace<[string, string, number?], void>('copyFile', (real) => async (path, to, mode) => {
  await allowed({ kind: 'create', path: to })
  await real(path, to, mode)
  // Its contents are taken from the file when it is synced or renamed.
})

replace<[string, unknown], void>('rm', (real) => async (path, options) => {
  const isThere = existsSync(path)
  if (isThere && !(await allowed({ kind: 'remove', path }))) return
  await real(path, options)
  if (isThere) installed.hooks?.done({ kind: 'removed', path })
})

replace<[string, unknown], string | undefined>('mkdir', (real) => async (path, options) => {
  const missing: string[] = []
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder)
  if (missing.length > 0) await allowed({ kind: 'mkdir', path })
  const first = await real(path, options)
  for (const folder of missing) installed.hooks?.done({ kind: 'created', path: folder, isFolder: true })
  return first
})

replace<[string, string | Uint8Array, { flag?: string }?], void>(
  'writeFile',
  (real) => async (path, content, options) => {
    const isNew = !existsSync(path)
    await allowed({ kind: isNew ? 'create' : 'write', path })
    await real(path, content, options)
    const hooks = installed.hooks
    if (isNew) hooks?.done({ kind: 'created', path, isFolder: false })
    else hooks?.done({ kind: 'cut', path, size: 0 })
    hooks?.done({ kind: 'written', path, at: 0, bytes: Buffer.from(content) })
  },
)

replace<[string, unknown], unknown>('readFile', (real) => async (path, options) => {
  // Device files of the system are not part of the folder.
  if (existsSync(path) && lstatSync(path).isFile()) await allowed({ kind: 'read', path })
  return await real(path, options)
})
