import { useEffect } from 'preact/hooks'

let searchToShare: (() => string) | undefined

/**
 * What the search part of the address is to be in a copied link, while the view is open: whoever
 * opens the link sees the same, at any later time.
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
