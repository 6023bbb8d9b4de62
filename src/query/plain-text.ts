import type { Constant } from './expression.ts'

/**
 * The JSON texts of constants that only JSON strings can equal, as `json_extract` prints them;
 * undefined if one of them may be printed otherwise.
 */
export const jsonTextsOf = (constants: readonly Constant[]): string[] | undefined =>
  constants.every(isPlainText) ? constants.map(({ value }) => JSON.stringify(value)) : undefined

/** Whether only a JSON string can have this text, without any escaped character. */
const isPlainText = (constant: Constant): constant is { type: 'text'; value: string } =>
  constant.type === 'text' &&
  'value' in constant &&
  !/^(true|false)$/.test(constant.value) &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes these characters
  !/["\\\u0000-\u001f\u007f\u2028\u2029\ud800-\udfff]/.test(constant.value)
