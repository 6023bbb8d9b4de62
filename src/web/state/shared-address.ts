import { useEffect } from 'preact/hooks'

let searchToShare: (() => string) | undefined

/**
 * Sets the search part of the address in copied links while the view is open, so that the link
 * shows the same at any later time.
 *
 * @param search read when the link is copied
 */
export function useSearchToShare(search: () => string): void {
  useEffect(() => {
    searchToShare = search
    return () => {
      if (searchToShare === search) searchToShare = undefined
    }
  })
}

/** The link to what is open now. */
export function linkToShare(): string {
  const { origin, pathname, search, hash } = location
  return origin + pathname + (searchToShare?.() ?? search) + hash
}
