import { parseJsonExactly } from '../../formats/wire/json-body.ts'
import { limits } from '../../lib/limits.ts'

/**
 * Parses JSON that Python wrote: NaN and infinite numbers, which JSON does not have, become null.
 *
 * @throws SyntaxError if it is not JSON otherwise
 */
export function parsePythonJson(text: string): unknown {
  try {
    return parseJsonExactly(text, limits.otlpJsonDepthMax)
  } catch (cause) {
    if (!(cause instanceof SyntaxError) || !constants.test(text)) throw cause
    const plain = text.replaceAll(stringOrConstant, (token) => (token.startsWith('"') ? token : 'null'))
    return parseJsonExactly(plain, limits.otlpJsonDepthMax)
  }
}

const constants = /NaN|Infinity/
const stringOrConstant = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/gs
