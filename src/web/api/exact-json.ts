import { postRaw, type RequestOptions } from './client.ts'

/** A number that JSON.stringify writes as it was sent, where JavaScript prints other digits. */
interface RawNumber {
  readonly rawJSON: string
}

const write: unknown = Reflect.get(JSON, 'rawJSON')

function exactly(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value
  return typeof write === 'function' ? write(source) : value
}

/**
 * Parses JSON whose numbers keep their digits, such as `0.10` and `9007199254740993`, if the
 * browser can. @throws SyntaxError
 */
export const parseExactly = (text: string): unknown => JSON.parse(text, exactly)

const isRawNumber = (value: unknown): value is RawNumber =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null && 'rawJSON' in value

/** So many digits survive in a JavaScript number. */
const digitsMax = 15

/** A number by which people compare answers: one that was sent as `4.0` is 4. */
export const plainNumber = (value: unknown): unknown => {
  if (!isRawNumber(value)) return value
  const digits = value.rawJSON
    .replace(/e.*$/i, '')
    .replaceAll(/\D/g, '')
    .replaceAll(/^0+|0+$/g, '')
  return digits.length <= digitsMax ? Number(value.rawJSON) : value
}

/** Calls a public operation; numbers of its JSON keep their digits. @throws {Problem} */
export async function postExactly<Answer>(path: string, body: unknown, options: RequestOptions = {}): Promise<Answer> {
  return parseExactly(await (await postRaw(path, body, options)).text()) as Answer
}
