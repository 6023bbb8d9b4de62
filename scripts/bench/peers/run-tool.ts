import { NotAvailable } from './peer.ts'

/** Runs a program that installs something. @throws NotAvailable with the end of what it printed */
export async function runTool(
  command: readonly string[],
  options: { readonly folder: string; readonly env?: Readonly<Record<string, string>> },
): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd: options.folder,
    env: { ...process.env, ...options.env },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const printed = await new Response(child.stderr).text()
  if ((await child.exited) !== 0)
    throw new NotAvailable(
      `"${command.slice(0, 3).join(' ')}" failed: ${printed.trim().split('\n').slice(-3).join(' ')}`,
    )
}
