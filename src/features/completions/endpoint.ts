/** Where one completion goes, and what goes with it. */
export interface Endpoint {
  /** Shown in errors. */
  readonly provider: string
  /** What the provider calls the model. */
  readonly model: string
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** Whether the operator chose the address; else it may not be a private one. */
  readonly isTrusted: boolean
  /** Undefined where the provider asks for none. In the clear: it goes nowhere but into the header. */
  readonly key: string | undefined
  /** The header that carries the key; `authorization` takes it as a Bearer token. */
  readonly keyHeader: 'authorization' | 'api-key'
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly sendsUsageUnasked: boolean
  readonly renamed: Readonly<Record<string, string>>
}

/** The parts that most endpoints share. */
export const plainEndpoint = {
  keyHeader: 'authorization',
  headers: {},
  query: {},
  sendsUsageUnasked: false,
  renamed: {},
} as const
