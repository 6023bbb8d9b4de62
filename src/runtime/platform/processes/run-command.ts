import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import process from 'node:process'

/**
 * Runs a command in the terminal of this process, with further variables. Signals that reach this
 * process are passed on. Returns its exit code; 128 and the number of the signal if one ended it.
 *
 * @throws Error if it cannot be started
 */
export async function runCommand(
  [command, ...args]: readonly [string, ...string[]],
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  let child: ChildProcess | undefined
  const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const
  const handlers = forwarded.map((signal) => {
    const pass = () => void child?.kill(signal)
    process.on(signal, pass)
    return { signal, pass }
  })
  try {
    // After the handlers: a signal must find one of the two, and never end this process alone.
    const started = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...variables } })
    child = started
    return await new Promise((resolve, reject) => {
      started.on('error', reject)
      started.on('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
    })
  } finally {
    for (const { signal, pass } of handlers) process.off(signal, pass)
  }
}
