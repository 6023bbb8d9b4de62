/** What Elysia gets to print of a large body where it does not fit its schema: all of it would be a text many times as large, for nobody. */
const quietPrototype = Object.create(Object.prototype, { toJSON: { value: () => 'a large body' } }) as object

/** Large bodies, told apart by their requests, while they are held against their schemas. */
export class QuietBodies {
  private readonly requests = new WeakSet<Request>()

  /** The request has a large body. */
  add(request: Request): void {
    this.requests.add(request)
  }

  /** Before the body is held against its schema. */
  hush(request: Request, body: unknown): void {
    if (this.isQuiet(request, body)) Object.setPrototypeOf(body, quietPrototype)
  }

  /** Before it is used. */
  restore(request: Request, body: unknown): void {
    if (this.isQuiet(request, body)) Object.setPrototypeOf(body, Object.prototype)
  }

  private isQuiet(request: Request, body: unknown): boolean {
    return this.requests.has(request) && typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
  }
}
