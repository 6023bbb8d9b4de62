import path from 'node:path'
import type { Subprocess } from 'bun'

const tests = path.join(import.meta.dir, '../../../test')

/** ClickHouse in a process of its own, with the HTTP interface of the suite `engines`. */
export class ClickHouse implements AsyncDisposable {
  /** Settings of a server that asks it. */
  readonly settings: Readonly<Record<string, string>>
  private readonly child: Subprocess<'ignore', 'pipe', 'inherit'>

  private constructor(child: Subprocess<'ignore', 'pipe', 'inherit'>, settings: Readonly<Record<string, string>>) {
    this.child = child
    this.settings = settings
  }

  /**
   * @param python with the package chdb
   * @param folder below which it may read
   */
  static async start(python: string, folder: string): Promise<ClickHouse> {
    const child = Bun.spawn([python, '-m', 'engines.clickhouse_server'], {
      cwd: folder,
      env: { ...process.env, PYTHONPATH: tests, PYTHONDONTWRITEBYTECODE: '1' },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    let output = ''
    for await (const piece of child.stdout) {
      output += new TextDecoder().decode(piece)
      const [, url, user, password] = /listening on (\S+) for (\S+) with (.*)\n/.exec(output) ?? []
      if (url === undefined || user === undefined || password === undefined) continue
      return new ClickHouse(child, {
        TRACELAKE_CLICKHOUSE_URL: url,
        TRACELAKE_CLICKHOUSE_USER: user,
        TRACELAKE_CLICKHOUSE_PASSWORD: password,
      })
    }
    throw new Error(`Start ClickHouse: it ended with ${await child.exited}: ${output}`)
  }

  get pid(): number {
    return this.child.pid
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL')
    await this.child.exited
  }
}
