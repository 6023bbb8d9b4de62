import { Type } from '@sinclair/typebox'
import { isPublicUrl } from '../../../runtime/outbound/public-url.ts'
import { type BuiltinClass, Default, objectModel } from './builtin-class.ts'

/** Headers that unlock cloud metadata services; providers do not need them. */
const metadataHeaders: ReadonlySet<string> = new Set([
  'metadata',
  'metadata-flavor',
  'x-aws-ec2-metadata-token',
  'x-aws-ec2-metadata-token-ttl-seconds',
  'x-google-metadata-request',
  'x-metadata-token',
])

/** An OpenAI-compatible endpoint. */
export const provider: BuiltinClass = {
  name: 'Provider',
  schema: objectModel('Provider', {
    base_url: Type.String(),
    api_key_name: Type.String(),
    extra_headers: Default(Type.Record(Type.String(), Type.String()), {}),
    return_type: Default(Type.Literal('openai'), 'openai'),
  }),
  faultIn: ({ base_url, extra_headers }, { privateHosts }) => {
    if (!isPublicUrl(base_url as string, privateHosts))
      return '`base_url` must be a public http or https URL without query and fragment'
    const header = Object.keys(extra_headers as object).find((name) => metadataHeaders.has(name.trim().toLowerCase()))
    return header === undefined ? undefined : `\`extra_headers\` must not contain "${header}"`
  },
}

/** A model offered by a provider. */
export const providerModel: BuiltinClass = {
  name: 'ProviderModel',
  schema: objectModel('ProviderModel', { provider: Type.String(), max_tokens: Type.Integer() }),
}
