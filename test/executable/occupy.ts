/**
 * Takes a port of this machine, unless another program has it already. Tests that run at the same
 * time share it, so that none is left without it when another ends.
 */
export function occupy(port: number): Disposable & { readonly port: number } {
  try {
    const server = Bun.serve({ port, hostname: '127.0.0.1', reusePort: true, fetch: () => new Response() })
    return { port: server.port!, [Symbol.dispose]: () => void server.stop(true) }
  } catch {
    return { port, [Symbol.dispose]: () => {} }
  }
}
