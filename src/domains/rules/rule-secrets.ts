import { randomBase64 } from '../../runtime/platform/crypto.ts'
import type { ProjectReader, SecretStore, Secrets } from '../access/index.ts'

/** An action that may succeed later. The message is shown to the user. */
export class ActionFailed extends Error {
  override readonly name = 'ActionFailed'
}

/** Secrets that a rule sends or signs with, and never returns. */
export interface RuleSecret {
  /** `whsec_` and base64, as the Standard Webhooks specification writes it. */
  readonly signing_secret?: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

const signingKeyBytes = 32
export const newSigningSecret = (): string => `whsec_${randomBase64(signingKeyBytes)}`

/** Name of the secret of a rule; letters, digits and `_` only. */
const nameOf = (ruleId: string): string => `RULE_${ruleId.replaceAll('-', '_')}`

/** The secrets of rules, encrypted beside those of providers. */
export class RuleSecrets {
  private readonly store: SecretStore
  private readonly secrets: Secrets

  constructor(options: { store: SecretStore; secrets: Secrets }) {
    this.store = options.store
    this.secrets = options.secrets
  }

  /** @throws DomainError InvalidRequest */
  async set({ projectId }: ProjectReader, ruleId: string, url: string, secret: RuleSecret): Promise<void> {
    const { host } = new URL(url)
    await this.store.set({
      name: nameOf(ruleId),
      scope: projectId,
      hosts: [host],
      value: JSON.stringify(secret),
    })
  }

  /** Undefined if it is missing, cannot be decrypted, or belongs to another host. */
  async find(reader: ProjectReader, ruleId: string, url: string): Promise<RuleSecret | undefined> {
    const found = await this.secrets.find(reader, nameOf(ruleId))
    if (found?.hosts.includes(new URL(url).host.toLowerCase()) !== true) return undefined
    return JSON.parse(found.value)
  }

  /** The same. @throws ActionFailed if it is undefined */
  async get(reader: ProjectReader, ruleId: string, url: string): Promise<RuleSecret> {
    const found = await this.find(reader, ruleId, url)
    if (found !== undefined) return found
    throw new ActionFailed('The stored headers and key of the rule are not readable; set them again')
  }

  /** Removes the secret if there is one. */
  async remove({ projectId }: ProjectReader, ruleId: string): Promise<void> {
    const name = nameOf(ruleId)
    const isKnown = (await this.store.list()).some((secret) => secret.name === name && secret.scope === projectId)
    if (isKnown) await this.store.remove({ name, scope: projectId })
  }
}
