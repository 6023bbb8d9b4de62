import { afterAll } from 'bun:test'
import { pino } from 'pino'
import { startStubModel } from '../../scripts/stub-model/server.ts'
import { loadConfig } from '../../src/runtime/config.ts'
import { createApp } from '../../src/server/app.ts'
import { type Context, openContext } from '../../src/server/context.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const adminKey = 'fuzz-admin-key-0123456789-0123456789'

export interface FuzzApp {
  readonly folder: string
  readonly context: Context
  /** Errors logged by the server. */
  readonly errors: readonly string[]
  send(path: string, init: RequestInit & { key?: string }): Promise<Response>
  post<T>(path: string, body: unknown): Promise<T>
}

/**
 * The application on a new folder, without a listener and with a stub for all providers; closed
 * after the file's last test.
 */
export async function openFuzzApp(variables: Readonly<Record<string, string>> = {}): Promise<FuzzApp> {
  const folder = await makeTempFolder()
  const stub = startStubModel({ port: 0, answers: {} })
  const set: Record<string, string> = {
    TRACELAKE_ADMIN_KEY: adminKey,
    TRACELAKE_LOG_LEVEL: 'error',
    TRACELAKE_OPENAI_BASE_URL: stub.url,
    OPENAI_API_KEY: 'sk-fuzz-secret-of-the-operator',
    TRACELAKE_SECRETS_KEY_FILE: `${folder}.secrets-key`,
    ...variables,
  }
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
  const context = await openContext(
    loadConfig({ data: folder }, (name) => set[name]),
    log,
  )
  afterAll(async () => {
    await context.close()
    await stub.stop()
    await removeFolder(folder)
  }, 120_000)
  const app = createApp(context)
  const send: FuzzApp['send'] = async (path, { key = adminKey, headers = {}, ...init }) => {
    const request = new Request(`http://localhost${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...(headers as Record<string, string>) },
    })
    return await app.fetch(request, { ip: () => undefined, holdOpen: () => () => {} })
  }
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const answer = await send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as T
  }
  return { folder, context, errors, send, post }
}
