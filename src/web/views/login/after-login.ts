import { homePath } from '../../state/paths.ts'

/**
 * Where to go after the login: the page that was asked for, if it is one of this UI. Anything
 * else in the address could have been put there to lead people away.
 */
export function afterLogin(search: string): string {
  const next = new URLSearchParams(search).get('next')
  if (next === null) return homePath
  const url = URL.parse(next, location.origin)
  const isOurs = url?.origin === location.origin && url.pathname.startsWith(homePath)
  return isOurs ? url.pathname + url.search : homePath
}
