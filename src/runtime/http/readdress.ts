/**
 * Gives a request another path and returns it. A copy with another URL would hold the whole body in
 * memory on Bun, and the runtime would not know it as one of its requests.
 *
 * @param path with a slash in front
 */
export function readdress(request: Request, path: string): Request {
  const url = new URL(request.url)
  url.pathname = path
  Object.defineProperty(request, 'url', { value: url.href, configurable: true })
  return request
}
