import { computed, type ReadonlySignal } from '@preact/signals'
import { pushSearch, replaceSearch, search } from './location.ts'
import { readSearch, type Schema, type Values, writeSearch } from './search-text.ts'

/** State of a view, kept in the search part of the address. */
export interface UrlState<S extends Schema> {
  /** The values; reading it subscribes. */
  readonly values: ReadonlySignal<Values<S>>
  /** Changes values in place: while somebody types or drags. */
  readonly replace: (changes: Partial<Values<S>>) => void
  /** Changes values as a step that Back undoes. */
  readonly commit: (changes: Partial<Values<S>>) => void
  /** Search part with some values changed, for links. */
  readonly searchWith: (changes: Partial<Values<S>>) => string
}

/**
 * Binds a schema to the address: `const state = urlState({ f: text(), tab: oneOf(['tree',
 * 'flame']) })`. Several schemas may share the address as long as their names differ.
 */
export function urlState<S extends Schema>(schema: S): UrlState<S> {
  const searchWith = (changes: Partial<Values<S>>): string => writeSearch(schema, search.peek(), changes)
  return {
    values: computed(() => readSearch(schema, search.value)),
    replace: (changes) => replaceSearch(searchWith(changes)),
    commit: (changes) => pushSearch(searchWith(changes)),
    searchWith,
  }
}
