/**
 * Statuses that `/openapi.json` declares, by operation. They are the same in both dialects and for
 * every server of a run.
 */
type Declared = readonly { readonly method: string; readonly path: RegExp; readonly statuses: ReadonlySet<string> }[]

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>
}

const known: { declared: Promise<Declared | undefined> | undefined } = { declared: undefined }

/**
 * Fails where a server answered an operation that its description knows with a status that it does
 * not declare. So the description cannot fall behind the tests.
 *
 * @throws Error
 */
export async function checkDeclared(address: string, method: string, path: string, status: number): Promise<void> {
  known.declared ??= declaredBy(address)
  const declared = await known.declared
  // A server that is shutting down may not report them; the next one will.
  if (declared === undefined) known.declared = undefined
  const [pathname = ''] = path.split('?')
  const operation = declared?.find((one) => one.method === method && one.path.test(pathname))
  if (operation === undefined || operation.statuses.has(String(status))) return
  throw new Error(`${method} ${pathname} answered ${status}, which /openapi.json does not declare`)
}

async function declaredBy(address: string): Promise<Declared | undefined> {
  const answer = await fetch(`${address}/openapi.json`).catch(() => undefined)
  if (answer?.status !== 200) return undefined
  const { paths } = (await answer.json()) as Description
  // Paths without parameters first: `/queues/query` is not the queue "query".
  const literalFirst = Object.entries(paths).sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
  return literalFirst.flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      statuses: new Set(Object.keys(responses)),
    })),
  )
}
