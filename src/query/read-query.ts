import type { Catalog } from './catalog.ts'
import { checkQuery } from './check/check.ts'
import { always, type Expression } from './expression.ts'
import { type ParseOptions, parseQuery } from './parse/parse.ts'

/**
 * Parses and checks the `query` member of a request over the fields of a catalog; without a query
 * every row matches.
 *
 * @throws ValidationError for a wrong shape; DomainError InvalidRequest, InvalidField,
 *   NotImplemented
 */
export function readQuery(query: unknown, catalog: Catalog, options?: ParseOptions): Expression {
  const syntax = parseQuery(query, options)
  return syntax === undefined ? always : checkQuery(syntax, catalog)
}
