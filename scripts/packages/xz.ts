import type { Platform } from '../platforms/bindings.ts'

/** Filters that make machine code compress better. */
const codeFilters = { x64: '--x86', arm64: undefined } as const

/**
 * Compresses with the program `xz`. One thread, as the result depends on the number of threads.
 *
 * @throws Error if the program is missing
 */
export async function xz(bytes: Uint8Array, cpu: Platform['cpu']): Promise<Uint8Array> {
  if (Bun.which('xz') === null) throw new Error('Compress an archive: the program xz is missing; install XZ Utils')
  const filter = codeFilters[cpu]
  const words = ['xz', '--stdout', '--threads=1', ...(filter ? [filter] : []), '--lzma2=preset=6,dict=64MiB']
  const child = Bun.spawn(words, { stdin: bytes, stdout: 'pipe', stderr: 'pipe' })
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (exitCode !== 0) throw new Error(`Compress an archive: xz ended with exit code ${exitCode}: ${errors.trim()}`)
  return output
}
