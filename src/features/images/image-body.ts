import type { ImageInputs } from '../../model/images.ts'
import type { Endpoint } from '../completions/endpoint.ts'

const ownMembers: ReadonlySet<string> = new Set(['model', 'extra_headers', 'timeout', 'api_version', 'stream'])

/** The body sent to the provider. */
export function imageBody(inputs: ImageInputs, { model }: Endpoint): Record<string, unknown> {
  const given = Object.entries(inputs).filter(([name, value]) => value !== null && !ownMembers.has(name))
  return {
    size: '1024x1024',
    // Older models return addresses that expire by default; newer ones always send the image and
    // reject the parameter.
    ...(model.startsWith('dall-e-') && { response_format: 'b64_json' }),
    ...Object.fromEntries(given),
    ...(model === 'dall-e-3' && { n: 1 }),
    model,
  }
}
