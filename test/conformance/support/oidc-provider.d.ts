/** What the tests use of the package, which has no types of its own. */
declare module 'oidc-provider' {
  export interface Interaction {
    readonly params: Readonly<Record<string, string>>
    readonly prompt: { readonly name: string }
    readonly session?: { readonly accountId: string }
  }
  export interface Context {
    readonly path: string
    readonly req: unknown
    readonly res: unknown
    body: unknown
  }
  export default class Provider {
    constructor(issuer: string, configuration: object)
    readonly Client: { prototype: Record<string, unknown> }
    readonly Grant: new (
      of: object,
    ) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    use(step: (context: Context, next: () => Promise<void>) => Promise<void>): void
    callback(): (request: unknown, response: unknown) => unknown
    interactionDetails(request: unknown, response: unknown): Promise<Interaction>
    interactionFinished(request: unknown, response: unknown, result: object): Promise<void>
  }
}
