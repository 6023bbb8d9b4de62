import { prettyJson } from '../../diff/pretty-json.ts'
import { stringText } from '../../json/string-text.ts'
import type { Correction } from './correction.ts'

/** An output as it is edited. @param output JSON text */
export const editedOutput = (output: string): Correction =>
  output.startsWith('"')
    ? { text: stringText(output, 0, output.length), isJson: false }
    : { text: prettyJson(output), isJson: true }
