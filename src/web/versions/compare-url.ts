import { flag, oneOf, text } from '../state/search-text.ts'
import { urlState } from '../state/url-state.ts'

/** The compared versions, and the layout of the comparison. */
export const compareUrl = urlState({ from: text(), to: text(), layout: oneOf(['beside', 'inline']), all: flag() })

/** The search part of a comparison. */
export const compareSearch = (from: string, to: string): string =>
  compareUrl.searchWith({ from, to }).replace(/^\??/, '?')
