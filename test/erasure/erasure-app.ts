import { pino } from 'pino'
import { loadConfig } from '../../src/runtime/config.ts'
import { createApp } from '../../src/server/app.ts'
import { type Context, openContext } from '../../src/server/context.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const adminKey = 'erasure-admin-key-0123456789-0123456789'

/** The application on a new folder, with a clock that can be advanced. */
export class ErasureApp implements AsyncDisposable {
  readonly folder: string
  readonly context: Context
  private readonly app: ReturnType<typeof createApp>
  private readonly clock: { aheadMs: number }

  private constructor(folder: string, context: Context, clock: { aheadMs: number }) {
    this.folder = folder
    this.context = context
    this.clock = clock
    this.app = createApp(context)
  }

  static async open(): Promise<ErasureApp> {
    const folder = await makeTempFolder()
    const set: Record<string, string> = {
      TRACELAKE_ADMIN_KEY: adminKey,
      TRACELAKE_SECRETS_KEY_FILE: `${folder}.secrets-key`,
    }
    const clock = { aheadMs: 0 }
    const context = await openContext(
      loadConfig({ data: folder }, (name) => set[name]),
      pino({ level: 'error' }),
      { nowMs: () => Date.now() + clock.aheadMs },
    )
    return new ErasureApp(folder, context, clock)
  }

  /** Lets time pass, and the work of timers begin. */
  async advance(ms: number): Promise<void> {
    this.clock.aheadMs += ms
    await Bun.sleep(1_200)
    const { files, idempotency } = this.context.services
    const nowMs = Date.now() + this.clock.aheadMs
    // The server does these every hour.
    await files.sweep(nowMs - 3_600_000, new AbortController().signal)
    await idempotency.forgetOld()
  }

  async post<T = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const request = new Request(`http://localhost${path}`, {
      method: 'POST',
      body: body instanceof FormData ? body : JSON.stringify(body),
      headers: {
        authorization: `Bearer ${adminKey}`,
        ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    const answer = await this.app.fetch(request, { ip: () => undefined, holdOpen: () => () => {} })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`)
    return (text === '' ? {} : JSON.parse(text)) as T
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close()
    await removeFolder(this.folder)
  }
}
