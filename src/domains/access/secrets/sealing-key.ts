import { cipherKeyBytes } from '../../../runtime/platform/cipher.ts'
import { randomHex } from '../../../runtime/platform/crypto.ts'
import { writeFileDurably } from '../../../runtime/platform/files/durable-files.ts'
import { findText } from '../../../runtime/platform/files/files.ts'

/** The key in `file`: 64 hexadecimal digits. @throws Error if the file is missing or malformed */
export async function readSealingKey(file: string): Promise<Uint8Array> {
  const text = await findText(file)
  if (text === undefined) {
    throw new Error(`The secrets key file "${file}" does not exist; restore it, or set the secrets again`)
  }
  return parse(text, file)
}

/** The key in `file`, created if missing; only the owner of the process can read it. */
export async function findOrMakeSealingKey(file: string): Promise<Uint8Array> {
  const text = await findText(file)
  if (text !== undefined) return parse(text, file)
  const fresh = `${randomHex(cipherKeyBytes)}\n`
  try {
    await writeFileDurably(file, fresh, { mode: 0o600 })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `Cannot create the secrets key file "${file}": ${why}; set TRACELAKE_SECRETS_KEY_FILE to use another path`,
      {
        cause,
      },
    )
  }
  return parse(fresh, file)
}

function parse(text: string, file: string): Uint8Array {
  const digits = text.trim()
  if (!/^[0-9a-f]{64}$/.test(digits))
    throw new Error(`Invalid secrets key file "${file}": it must contain 64 hexadecimal digits`)
  return Uint8Array.from(digits.match(/../g)!, (pair) => Number.parseInt(pair, 16))
}
