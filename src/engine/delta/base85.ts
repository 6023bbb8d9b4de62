/** The Z85 alphabet, https://rfc.zeromq.org/spec/32/ */
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#'
const digits = new Map([...alphabet].map((character, digit) => [character, digit]))

/**
 * Decodes Z85: four bytes for every five characters.
 * @throws Error for invalid text
 */
export function fromBase85(text: string): Uint8Array {
  if (text.length % 5 !== 0) throw new Error(`Cannot decode base85: the length ${text.length} is not a multiple of 5`)
  const bytes = new Uint8Array((text.length / 5) * 4)
  const view = new DataView(bytes.buffer)
  for (let group = 0; group * 5 < text.length; group++) {
    let value = 0
    for (const character of text.slice(group * 5, group * 5 + 5)) {
      const digit = digits.get(character)
      if (digit === undefined) throw new Error(`Cannot decode base85: unexpected character "${character}"`)
      value = value * 85 + digit
    }
    if (value > 0xffffffff)
      throw new Error(`Cannot decode base85: "${text.slice(group * 5, group * 5 + 5)}" is out of range`)
    view.setUint32(group * 4, value)
  }
  return bytes
}
