import { AddressRefused, type AddressRules, guardAddress } from '../../runtime/outbound/guard-address.ts'
import { CompletionRefused } from './refusal.ts'

const names = { url: 'base URL', host: 'provider host' }

/**
 * Checks the address of a custom provider; see `guardAddress`. @throws CompletionRefused
 */
export async function guardProvider(
  address: string,
  rules: Omit<AddressRules, 'names'>,
): Promise<readonly string[] | undefined> {
  try {
    return await guardAddress(address, { ...rules, names })
  } catch (cause) {
    throw cause instanceof AddressRefused ? new CompletionRefused(cause.message) : cause
  }
}
