import { readdress } from '../../runtime/http/http-listener.ts'

/**
 * The request as the operations know it: without `basePath`. Proxies may remove the path
 * themselves, and programs beside the server need not know it, so a request without it is taken as
 * it is.
 */
export function withoutBasePath(request: Request, basePath: string): Request {
  if (basePath === '') return request
  const { pathname } = new URL(request.url)
  if (pathname === basePath) return readdress(request, '/')
  return pathname.startsWith(`${basePath}/`) ? readdress(request, pathname.slice(basePath.length)) : request
}
