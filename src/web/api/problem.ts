/** A request that the server refused, or that did not reach it (status 0). */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  /** Name of the error, such as `QueryTimeout`; undefined where the server gave none. */
  readonly type: string | undefined

  constructor(status: number, message: string, type?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.type = type
  }

  /** Whether the same request may succeed a little later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503
  }
}

/** The problem that a response which is not OK reports. */
export async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text().catch(() => '')
  const { message, type } = described(text)
  return new Problem(response.status, message ?? `${response.status} ${response.statusText}`.trim(), type)
}

/** Errors carry `reason` and `error_type`, violations of a schema a list in `detail`. */
function described(text: string): { message?: string | undefined; type?: string | undefined } {
  try {
    const body = JSON.parse(text) as { reason?: unknown; error_type?: unknown; detail?: unknown }
    const type = typeof body.error_type === 'string' ? body.error_type : undefined
    if (typeof body.reason === 'string') return { message: body.reason, type }
    if (typeof body.detail === 'string') return { message: body.detail, type }
    if (Array.isArray(body.detail)) return { message: body.detail.map(violationText).join('; '), type }
  } catch {
    // Not JSON: a proxy in between may answer in HTML, which is of no use to anybody here.
  }
  return {}
}

function violationText(violation: { loc?: unknown; msg?: unknown }): string {
  const place = Array.isArray(violation.loc) ? violation.loc.join('.') : ''
  return place ? `${place}: ${String(violation.msg)}` : String(violation.msg)
}
