/** Where a completion request is sent, and with what. */
export interface Endpoint {
  /** Shown in errors. */
  readonly provider: string
  /** The provider's name for the model. */
  readonly model: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Whether the operator chose the address; otherwise it must not be private. */
  readonly isTrusted: boolean
  /** Undefined if the provider requires none. Plain text: used only in the header. */
  readonly key: string | undefined
  /** Header that carries the key; for `authorization` as a Bearer token. */
  readonly keyHeader: 'authorization' | 'api-key'
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly sendsUsageUnasked: boolean
  readonly renamed: Readonly<Record<string, string>>
}

/** Members shared by most endpoints. */
export const plainEndpoint = {
  keyHeader: 'authorization',
  headers: {},
  query: {},
  sendsUsageUnasked: false,
  renamed: {},
} as const
