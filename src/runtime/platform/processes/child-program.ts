import { spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isExecutable } from '../program-command.ts'

/** How a child process ended. */
export type ChildEnding = { readonly output: string } | 'timeout' | 'aborted' | 'failed'

/** Variables without which programs do not start. No other reaches the child: they hold secrets. */
const neededVariables = [
  ...['PATH', 'HOME', 'XDG_CACHE_HOME', 'TMPDIR', 'TZ', 'LANG', 'DENO_DIR'],
  // Windows: system libraries, and the folders that HOME, XDG_CACHE_HOME and TMPDIR name elsewhere.
  ...['SystemRoot', 'USERPROFILE', 'LOCALAPPDATA', 'TEMP', 'TMP'],
]

/**
 * Bounds of a child process. Its time begins with its first output, for which it has `openingMs`.
 */
interface ChildBounds {
  readonly openingMs: number
  readonly timeoutMs: number
  readonly outputBytesMax: number
  readonly signal: AbortSignal
}

/**
 * Starts this program once more with one word, and passes a text to its standard input. It is
 * killed when the time is over, when it writes too much, and when the signal is aborted.
 */
export async function runChild(
  word: string,
  input: string,
  { openingMs, timeoutMs, outputBytesMax, signal }: ChildBounds,
): Promise<ChildEnding> {
  const env = Object.fromEntries(
    neededVariables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
  const child = spawn(process.execPath, [...programArguments(), word], { stdio: ['pipe', 'pipe', 'ignore'], env })
  let ending: ChildEnding | undefined
  const kill = (why: ChildEnding) => {
    ending ??= why
    child.kill('SIGKILL')
  }
  let timer = setTimeout(() => kill('timeout'), openingMs)
  const abort = () => kill('aborted')
  signal.addEventListener('abort', abort, { once: true })
  const chunks: Buffer[] = []
  let bytes = 0
  child.stdout.once('data', () => {
    clearTimeout(timer)
    timer = setTimeout(() => kill('timeout'), timeoutMs)
  })
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > outputBytesMax) kill('failed')
    else chunks.push(chunk)
  })
  // A child that is gone closes its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  try {
    const code = await new Promise<number | null>((resolve) => {
      child.on('close', resolve)
      child.on('error', () => resolve(null))
    })
    return ending ?? (code === 0 ? { output: Buffer.concat(chunks).toString('utf8') } : 'failed')
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** Arguments that start this program: none for the executable, else its first file. */
function programArguments(): string[] {
  if (isExecutable(import.meta.url)) return []
  const here = path.dirname(fileURLToPath(import.meta.url))
  const isSource = import.meta.url.endsWith('/src/runtime/platform/processes/child-program.ts')
  const file = isSource ? path.join(here, '../../../start.ts') : path.join(here, 'tracelake.js')
  return 'Deno' in globalThis ? ['run', '-A', file] : [file]
}

/** In the child: the text that the parent passed. */
export async function readParentInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * In the child: others come first. Where memory runs out, Linux ends this process rather than the
 * server, and where processors are busy, it waits.
 */
export function standBack(): void {
  whereAllowed(() => writeFileSync('/proc/self/oom_score_adj', '1000'))
  const priority = Math.min(getPriority() + standBackBy, priorityLowest)
  whereAllowed(() => setPriority(priority))
  // On Linux, each thread has its own priority. Those that run DuckDB's statements exist already;
  // later ones inherit the priority of the thread that starts them.
  whereAllowed(() => {
    for (const thread of readdirSync('/proc/self/task')) whereAllowed(() => setPriority(Number(thread), priority))
  })
}

/** Other systems have no such files, some forbid priorities, and a thread may have ended. */
function whereAllowed(act: () => void): void {
  try {
    act()
  } catch {
    // The process then runs as any other.
  }
}

/** Below the priority of the server, which may not be the usual one. */
const standBackBy = 10
const priorityLowest = 19

/** In the child: ends this process when it has more memory than that, whatever it is doing. */
export function endAboveMemory(residentBytesMax: number, checkMs: number): void {
  const check = () => {
    if (process.memoryUsage().rss > residentBytesMax) process.kill(process.pid, 'SIGKILL')
  }
  setInterval(check, checkMs).unref()
}
