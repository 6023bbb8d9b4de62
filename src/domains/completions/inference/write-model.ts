import type { CatalogEntry, HardwareOption, RouterModel } from '../model/inference.ts'
import type { CatalogModel } from './catalog-model.ts'

/** A model for routers. @param quantization required, because routers compare models by it */
export function routerModel(model: CatalogModel, quantization: RouterModel['quantization']): RouterModel {
  const { prices } = model
  return {
    id: model.id,
    hugging_face_id: model.huggingFaceId ?? '',
    name: model.name,
    created: model.released === undefined ? 0 : Date.parse(`${model.released}T00:00:00Z`) / 1000,
    input_modalities: [...model.input],
    output_modalities: [...model.output],
    quantization,
    context_length: model.contextLength,
    max_output_length: model.outputLength,
    pricing: {
      prompt: decimal(prices?.input),
      completion: decimal(prices?.output),
      image: '0',
      request: '0',
      input_cache_read: decimal(prices?.cached),
    },
    supported_sampling_parameters: [...model.samplingParameters],
    supported_features: [...model.features],
    datacenters: model.countries.map((country_code) => ({ country_code })),
    ...(model.deprecated !== undefined && { deprecation_date: model.deprecated }),
  }
}

/** A model with full details. */
export function catalogEntry(model: CatalogModel): CatalogEntry {
  const { prices, deprecated } = model
  return {
    provider: model.provider,
    id: model.id,
    idPlayground: model.id,
    idHuggingFace: model.huggingFaceId ?? null,
    label: model.name,
    labelOpenRouter: `${model.provider}: ${model.name}`,
    status: deprecated === undefined ? 'available' : 'deprecated',
    lifecycleStage: deprecated === undefined ? 'GA' : 'deprecated',
    launchDate: model.released ?? null,
    modalities: { input: [...model.input], output: [...model.output] },
    contextWindow: model.contextLength,
    maxOutputTokens: model.outputLength,
    quantization: model.quantization ?? null,
    features: [...model.features],
    priceCentsPerBillionTokensInput: cents(prices?.input, 1e9),
    priceCentsPerBillionTokensCached: cents(prices?.cached, 1e9),
    priceCentsPerBillionTokensOutput: cents(prices?.output, 1e9),
  }
}

/** Where a model runs: as given by the operator, otherwise at its provider, priced by token. */
export function hardwareOptions({ provider, id, hardware, prices }: CatalogModel): readonly HardwareOption[] {
  if (hardware.length > 0 || prices === undefined) return hardware
  const pricing = {
    cents_per_million_input_tokens: cents(prices.input, 1e6)!,
    cents_per_million_output_tokens: cents(prices.output, 1e6)!,
  }
  return [
    { id: `${provider}-serverless`, name: `${provider} serverless`, type: 'serverless', pricing, specs: { model: id } },
  ]
}

/** A price without exponent and binary rounding noise. */
const decimal = (price = 0): string => price.toFixed(14).replace(/\.?0+$/, '')

const cents = (price: number | undefined, tokens: number): number | null =>
  price === undefined ? null : Number((price * tokens * 100).toPrecision(12))
