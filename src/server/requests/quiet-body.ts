/**
 * What Elysia prints of a large body that does not match its schema: the whole body would become a
 * text many times its size that is never read.
 */
const quietPrototype = Object.create(Object.prototype, { toJSON: { value: () => 'a large body' } }) as object

/** Hides large bodies from Elysia's error messages while they are validated. */
export class QuietBodies {
  private readonly requests = new WeakSet<Request>()

  /** Marks the body of the request as large. */
  add(request: Request): void {
    this.requests.add(request)
  }

  /** Called before validation. */
  hush(request: Request, body: unknown): void {
    if (this.isQuiet(request, body)) Object.setPrototypeOf(body, quietPrototype)
  }

  /** Called after validation. */
  restore(request: Request, body: unknown): void {
    if (this.isQuiet(request, body)) Object.setPrototypeOf(body, Object.prototype)
  }

  private isQuiet(request: Request, body: unknown): boolean {
    return this.requests.has(request) && typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
  }
}
